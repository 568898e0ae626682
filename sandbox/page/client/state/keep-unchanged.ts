// Lays fetched messages over those on view. What did not change stays the same object, so that it is not drawn anew.
import type { ChatMessage } from "../../../control/chat/api.ts";

/** All of a channel, fetched anew. `nowMs` on the sandbox's clock, by which links die. */
export function keepUnchanged(
  old: readonly ChatMessage[],
  fetched: readonly ChatMessage[],
  nowMs: number,
): readonly ChatMessage[] {
  const known = new Map(old.map((message) => [message.id, message]));
  return fetched.map((message) => settle(known.get(message.id), message, nowMs));
}

function settle(old: ChatMessage | undefined, next: ChatMessage, nowMs: number): ChatMessage {
  if (old === undefined || !old.attachments.every(({ url }) => isAlive(url, nowMs))) {
    return next;
  }
  return plain(old) === plain(next) ? old : { ...next, attachments: keepLinks(old, next) };
}

/** Links are signed anew at every look; a picture must not be loaded anew for that. */
function keepLinks(old: ChatMessage, next: ChatMessage): ChatMessage["attachments"] {
  return next.attachments.map((file) => {
    const before = old.attachments.find(({ id }) => id === file.id);
    return before === undefined ? file : { ...file, url: before.url };
  });
}

/** Until when a link is good stands in it, in seconds. */
function isAlive(url: string, nowMs: number): boolean {
  const [, ends = ""] = /[?&]ex=([0-9a-f]+)/.exec(url) ?? [];
  return ends === "" || Number.parseInt(ends, 16) * 1000 > nowMs;
}

function plain(message: ChatMessage): string {
  return JSON.stringify(message, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("http") ? value.replace(/\?ex=.*$/, "") : value,
  );
}
