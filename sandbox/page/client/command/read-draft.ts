// Turns a filled-in command into the values to send, with the checks that Discord's own client makes. Pure.
import { formatSize } from "../text/size.ts";
import type { Draft, DraftValue } from "./draft.ts";
import { isEmpty, isPicked } from "./draft.ts";
import { offerNamed, type Directory } from "./offers.ts";
import { extensionsOf, isFileWanted } from "../../../discord/file-extensions.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";

type Value = string | number | boolean | File;

export type ReadDraft =
  | { readonly values: Readonly<Record<string, Value>> }
  /** `option` is the option to correct. */
  | { readonly problem: string; readonly option: string };

export function readDraft(draft: Draft, directory: Directory, limitBytes: number): ReadDraft {
  const values: Record<string, Value> = {};
  for (const value of draft.values) {
    const { name, required } = value.option;
    const problem = problemOf(value, directory, limitBytes);
    if (problem !== undefined) {
      return { problem, option: name };
    }
    if (!isEmpty(value)) {
      values[name] = readValue(value, directory);
    } else if (required === true) {
      return { problem: `${name} is required: ${value.option.description}.`, option: name };
    }
  }
  return { values };
}

/** The values typed so far, unchecked and without files, for autocomplete. */
export function readTyped(draft: Draft, directory: Directory): Record<string, string | number | boolean> {
  const given = draft.values.filter((value) => value.file === undefined && !isEmpty(value));
  return Object.fromEntries(
    given.flatMap((value) => {
      const read = readValue(value, directory);
      return typeof read === "object" ? [] : [[value.option.name, read]];
    }),
  );
}

/** The problem of one value; `undefined` if there is none, or if the value is empty. */
export function problemOf(value: DraftValue, directory: Directory, limitBytes: number): string | undefined {
  const { option, text, file } = value;
  if (isEmpty(value)) {
    return undefined;
  }
  if (option.type === OPTION_TYPES.attachment) {
    return file === undefined ? "Choose a file." : fileProblem(file, option["file_types"], limitBytes);
  }
  if (isPicked(value)) {
    return undefined;
  }
  if (option.type === OPTION_TYPES.integer || option.type === OPTION_TYPES.number) {
    return numberProblem(text, option);
  }
  const isFree = option.type === OPTION_TYPES.string && (option.choices ?? []).length === 0;
  if (!isFree) {
    return choiceProblem(value, directory);
  }
  const { length } = text.trim();
  return lengthProblem(length, Number(option["min_length"] ?? 0), Number(option["max_length"] ?? 6000));
}

function readValue(value: DraftValue, directory: Directory): Value {
  const { option, text, file } = value;
  if (file !== undefined) {
    return file;
  }
  if (isPicked(value)) {
    return value.pick.value;
  }
  const isNumber = option.type === OPTION_TYPES.integer || option.type === OPTION_TYPES.number;
  if (isNumber && Number.isFinite(Number(text))) {
    return Number(text);
  }
  return offerNamed(option, text, directory)?.value ?? text.trim();
}

function choiceProblem({ option, text }: DraftValue, directory: Directory): string | undefined {
  return offerNamed(option, text, directory) === undefined
    ? `Choose ${option.name} from the list.`
    : undefined;
}

type Bounds = Readonly<Record<string, unknown>>;

function numberProblem(text: string, option: Bounds): string | undefined {
  const value = Number(text);
  const min = Number(option["min_value"] ?? -Infinity);
  const max = Number(option["max_value"] ?? Infinity);
  if (!Number.isFinite(value) || (option["type"] === OPTION_TYPES.integer && !Number.isInteger(value))) {
    return option["type"] === OPTION_TYPES.integer ? "Type a whole number." : "Type a number.";
  }
  return value < min || value > max ? `Type ${rangeText(min, max)}.` : undefined;
}

export function lengthProblem(length: number, min: number, max: number): string | undefined {
  if (length < min) {
    return `Write at least ${min} characters.`;
  }
  return length > max ? `Write at most ${max} characters.` : undefined;
}

/** E.g. `a number from 1 to 10`, `1 or more`. */
function rangeText(min: number, max: number): string {
  if (max === Infinity) {
    return `${min} or more`;
  }
  return min === -Infinity ? `${max} or less` : `a number from ${min} to ${max}`;
}

/** Checks a file by its name and size only, as Discord's client does. `wanted` is the option's `file_types`. */
export function fileProblem(
  file: { readonly name: string; readonly size: number },
  wanted: unknown,
  limitBytes: number,
): string | undefined {
  if (!isFileWanted(file.name, wanted)) {
    return `${file.name} can't be used here: choose another type (${extensionsOf(wanted).join(", ")}).`;
  }
  return file.size > limitBytes
    ? `${file.name} is too large: files can be up to ${formatSize(limitBytes)}.`
    : undefined;
}
