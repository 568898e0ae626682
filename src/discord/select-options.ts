// The choices of a menu, in a message or in a form.
// https://discord.com/developers/docs/components/reference#string-select
import type { SelectChoice } from "../core/reply.ts";
import { cutLine } from "../core/cut-text.ts";
import { describe } from "./message-room.ts";

/** How many choices a menu takes. */
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
