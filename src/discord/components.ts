// What Discord's components have in common in messages and in forms, and what one message still has room for.
// https://discord.com/developers/docs/components/reference
import type { ComponentType } from "discord.js";
import { type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import type { SelectChoice } from "../core/reply.ts";
import { cutLine } from "../core/text.ts";
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
  readonly textLimit: number;
  readonly files: ReadonlyMap<string, SendableFile>;
  /** The files some component shows. */
  readonly shown: Set<SendableFile>;
  readonly customIds: Set<string>;
  /** Set when something was left out for want of room. */
  overflowed: boolean;
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
      const args = { ...target.args, ...(number > 1 && { [DUPLICATE_KEY]: String(number) }) };
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

export const CHOICES_LIMIT = 25;
const CHOICE_LIMIT = 100;

/** Those that a menu can hold, none twice; there may be more than {@link CHOICES_LIMIT}. A value cannot be cut. */
export function usableChoices(choices: readonly SelectChoice[]): readonly SelectChoice[] {
  const values = new Set<string>();
  return choices.filter(({ value }) => {
    const fits = value !== "" && value.length <= CHOICE_LIMIT && !values.has(value);
    values.add(value);
    return fits;
  });
}

/** Choices in the form of the wire; of the chosen ones, the first `max` are marked. */
export function formatOptions(choices: readonly SelectChoice[], max: number): readonly object[] {
  let chosen = 0;
  return choices.map((choice) => {
    chosen += choice.chosen ? 1 : 0;
    return {
      label: cutLine(choice.label, CHOICE_LIMIT) || "…",
      value: choice.value,
      ...describe(cutLine(choice.description ?? "", CHOICE_LIMIT)),
      ...(choice.chosen && chosen <= max ? { default: true } : {}),
    };
  });
}
