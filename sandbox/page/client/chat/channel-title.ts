import type { SceneChannel } from "../../../control/chat/api.ts";
import type { IconName } from "../kit/icon.tsx";

const DIRECT_KINDS: ReadonlySet<number> = new Set([1, 3]);
const THREAD_KINDS: ReadonlySet<number> = new Set([10, 11, 12]);

export const isDirect = ({ kind }: SceneChannel): boolean => DIRECT_KINDS.has(kind);

/** E.g. `#trains`, `@Signalbox`; a thread's name has no prefix. */
export function titleOf(channel: SceneChannel): string {
  if (isDirect(channel)) {
    return `@${channel.name}`;
  }
  return THREAD_KINDS.has(channel.kind) ? channel.name : `#${channel.name}`;
}

export function iconOf(channel: SceneChannel): IconName {
  if (isDirect(channel)) {
    return "at";
  }
  if (THREAD_KINDS.has(channel.kind)) {
    return "thread";
  }
  return channel.kind === 5 ? "megaphone" : channel.kind === 15 ? "forum" : "hash";
}
