// A command that is being filled in, with its options in the order in which the composer shows them. Pure: every change
// returns a new draft.
import type { CommandOption } from "../../../control/chat/api.ts";
import { splitValues, type WrittenValue } from "./command-line.ts";
import type { Runnable } from "./runnables.ts";

/** An entry of a list. The member sees the name; the bot gets the value. */
export interface Choice {
  readonly name: string;
  readonly value: string | number | boolean;
}

export interface DraftValue {
  readonly option: CommandOption;
  readonly text: string;
  /** The last choice from a list. It counts only while `text` is its name. */
  readonly pick?: Choice | undefined;
  readonly file?: File | undefined;
}

export interface Draft {
  readonly runnable: Runnable;
  readonly values: readonly DraftValue[];
}

/** Starts a draft with every required option, and with those optional ones for which a value was written. */
export function beginDraft(runnable: Runnable, written: readonly WrittenValue[] = []): Draft {
  const required = runnable.options.filter((option) => option.required === true);
  const extra = written.map(({ option }) => option).filter((option) => !required.includes(option));
  return {
    runnable,
    values: [...required, ...extra].map((option) => ({
      option,
      text: written.find((one) => one.option === option)?.text ?? "",
    })),
  };
}

/** Whether the value was chosen from a list, and its text has not been changed since. */
export function isPicked(value: DraftValue): value is DraftValue & { readonly pick: Choice } {
  return value.pick !== undefined && value.pick.name === value.text;
}

export function isEmpty({ text, file }: DraftValue): boolean {
  return text.trim() === "" && file === undefined;
}

export function valueOf(draft: Draft, name: string): DraftValue | undefined {
  return draft.values.find(({ option }) => option.name === name);
}

export function optionsLeft({ runnable, values }: Draft): CommandOption[] {
  return runnable.options.filter((option) => !values.some((value) => value.option === option));
}

export function addOption(draft: Draft, option: CommandOption): Draft {
  return valueOf(draft, option.name) === undefined
    ? { ...draft, values: [...draft.values, { option, text: "" }] }
    : draft;
}

export function removeOption(draft: Draft, name: string): Draft {
  return { ...draft, values: draft.values.filter(({ option }) => option.name !== name) };
}

export function setValue(draft: Draft, name: string, change: Partial<Omit<DraftValue, "option">>): Draft {
  return {
    ...draft,
    values: draft.values.map((value) => (value.option.name === name ? { ...value, ...change } : value)),
  };
}

/**
 * Sets the text that was typed into one option's field. If the text itself names other options (`York rows: 5`), these are
 * added to the draft, or filled in if they are empty. `goTo` is the last of them.
 */
export function typeInto(
  draft: Draft,
  name: string,
  text: string,
): { draft: Draft; goTo: string | undefined } {
  const own = valueOf(draft, name)?.option;
  const open = draft.runnable.options.filter((option) => {
    const value = valueOf(draft, option.name);
    return option === own || value === undefined || isEmpty(value);
  });
  const { before, values } = splitValues(text, open);
  if (values.length === 0) {
    return { draft: setValue(draft, name, { text, pick: undefined }), goTo: undefined };
  }
  const again = values.find(({ option }) => option === own);
  const kept = setValue(draft, name, { text: before === "" ? (again?.text ?? "") : before, pick: undefined });
  const others = values.filter(({ option }) => option !== own);
  const next = others.reduce(
    (all, value) => setValue(addOption(all, value.option), value.option.name, { text: value.text }),
    kept,
  );
  return { draft: next, goTo: others.at(-1)?.option.name };
}

/** The next required option after `name` that is empty, continuing from the first; `undefined` if none is left. */
export function nextRequired({ values }: Draft, name: string): string | undefined {
  const from = values.findIndex(({ option }) => option.name === name) + 1;
  return [...values.slice(from), ...values.slice(0, from)].find(
    (value) => value.option.required === true && isEmpty(value) && value.option.name !== name,
  )?.option.name;
}
