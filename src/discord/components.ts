// The parts of Discord's components that messages and forms share.
// https://discord.com/developers/docs/components/reference
import type { ComponentType } from "discord.js";
import { CHOICES_LIMIT, type SelectChoice } from "../core/reply.ts";
import { cutLine } from "../core/text.ts";

/** A component as Discord's API expects it. JSON omits fields that are `undefined`. */
export interface WireComponent {
  readonly type: ComponentType;
  readonly components?: readonly WireComponent[];
  readonly accessory?: WireComponent;
  readonly [field: string]: unknown;
}

export function countComponents(components: readonly WireComponent[]): number {
  let count = 0;
  for (const { components: inner, accessory } of components) {
    count += 1 + (inner ? countComponents(inner) : 0) + (accessory ? 1 : 0);
  }
  return count;
}

/** `undefined` for a blank text, which Discord refuses as a description. */
export function unlessBlank(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

/** How many characters a choice's name and its value can have. */
export const CHOICE_LIMIT = 100;

/** Leaves out duplicates and values that are too long: a shortened one would mean something else. Marks at most `most`. */
export function formatChoices(choices: readonly SelectChoice[], most = 1) {
  const values = new Set<string>();
  const usable = choices.filter(({ value }) => {
    const fits = value !== "" && value.length <= CHOICE_LIMIT && !values.has(value);
    values.add(value);
    return fits;
  });
  const offered = usable.slice(0, CHOICES_LIMIT);
  const max = clamp(most, 1, Math.max(1, offered.length));
  let chosen = 0;
  const options = offered.map((choice) => {
    chosen += choice.chosen ? 1 : 0;
    return {
      label: cutLine(choice.label, CHOICE_LIMIT) || "…",
      value: choice.value,
      description: unlessBlank(cutLine(choice.description ?? "", CHOICE_LIMIT)),
      default: choice.chosen && chosen <= max ? true : undefined,
    };
  });
  return { options, max, isComplete: usable.length === offered.length };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value)));
}
