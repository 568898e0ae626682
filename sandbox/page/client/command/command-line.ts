// Parses a command that was typed or pasted as text: `/departures station: York rows: 5`. Pure.
import type { CommandOption } from "../../../control/chat/api.ts";
import type { Runnable } from "./runnables.ts";

export interface WrittenValue {
  readonly option: CommandOption;
  readonly text: string;
}

/**
 * Parses a command line. Returns `undefined` unless it begins with a command's full name and a space. Text before the first
 * `name:` belongs to the command's first option, unless that is named too. Only the first `name:` of an option counts; a
 * second one is part of a value.
 */
export function readCommandLine(text: string, runnables: readonly Runnable[]) {
  if (!text.startsWith("/")) {
    return undefined;
  }
  const [runnable] = runnables
    .filter(({ name }) => text.startsWith(`${name} `, 1))
    .toSorted((a, b) => b.name.length - a.name.length);
  if (runnable === undefined) {
    return undefined;
  }
  const rest = text.slice(1 + runnable.name.length);
  const { before, values } = splitValues(rest, runnable.options);
  const [first] = runnable.options;
  const isForFirst = before !== "" && first !== undefined && !values.some(({ option }) => option === first);
  return { runnable, values: isForFirst ? [{ option: first, text: before }, ...values] : values };
}

/** Finds `name: value` for these options in a text. `before` is the text in front of the first one. */
export function splitValues(
  text: string,
  options: readonly CommandOption[],
): { readonly before: string; readonly values: readonly WrittenValue[] } {
  const marks = findMarks(text, options);
  return {
    before: text.slice(0, marks[0]?.start ?? text.length).trim(),
    values: marks.map(({ option, valueStart }, index) => ({
      option,
      text: text.slice(valueStart, marks[index + 1]?.start ?? text.length).trim(),
    })),
  };
}

interface Mark {
  readonly option: CommandOption;
  readonly start: number;
  readonly valueStart: number;
}

/** Finds each option's first `name:`, at the beginning of the text or after a space. */
function findMarks(text: string, options: readonly CommandOption[]): Mark[] {
  const marks: Mark[] = [];
  for (const found of text.matchAll(/(?<=^|\s)([-_'\p{L}\p{N}]{1,32}):/gu)) {
    const option = options.find(({ name }) => name === found[1]);
    if (option !== undefined && !marks.some((mark) => mark.option === option)) {
      marks.push({ option, start: found.index, valueStart: found.index + found[0].length });
    }
  }
  return marks;
}
