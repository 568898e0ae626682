// How much one message still has room for, and which ids stand in it already.
import type { ComponentType } from "discord.js";
import { formatComponentId, type ComponentTarget } from "../core/component-id.ts";
import type { SendableFile } from "./reply-files.ts";

const CUSTOM_ID_LIMIT = 100;

/** Key that tells apart two components of one message with the same target; handlers never see it. */
export const DUPLICATE_KEY = "~";

/** A component in the form of the wire. */
export interface WireComponent {
  readonly type: ComponentType;
  readonly [field: string]: unknown;
}

/** What one message still has room for. Building takes from it. */
export interface MessageRoom {
  components: number;
  /** The most any one text may have. */
  readonly textLimit: number;
  readonly files: ReadonlyMap<string, SendableFile>;
  /** The files some component shows. */
  readonly shown: Set<SendableFile>;
  readonly customIds: Set<string>;
  /** Set when something was left out for want of room. */
  overflowed: boolean;
  /** Components that no room could hold, for the log. */
  readonly refused: string[];
}

/** Takes room for `count` components, if there is that and `more` besides. */
export function take(room: MessageRoom, count: number, more = 0): boolean {
  if (room.components < count + more) {
    room.overflowed = true;
    return false;
  }
  room.components -= count;
  return true;
}

/** A `custom_id` that no other component of the message has; `undefined` where the target is too long for one. */
export function reserveCustomId(target: ComponentTarget, room: MessageRoom): string | undefined {
  const { command, action } = target;
  try {
    for (let number = 1; ; number += 1) {
      const args = number === 1 ? target.args : { ...target.args, [DUPLICATE_KEY]: String(number) };
      const id = formatComponentId({ command, action, args });
      if (!room.customIds.has(id)) {
        room.customIds.add(id);
        return id;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    room.refused.push(`custom id of ${command}:${action} over ${CUSTOM_ID_LIMIT} characters`);
    return undefined;
  }
}

/** Discord refuses an empty description. */
export function describe(description: string): { readonly description?: string } {
  return description.trim() === "" ? {} : { description };
}
