// What was typed, as the values that define.ts promises to `run`.
import { UserError } from "../../core/errors.ts";
import type { Services } from "../define/services.ts";
import { createAttachment } from "../attachment.ts";
import type { Option, Options } from "../define/options.ts";
import type { RawOption, Resolved } from "../interaction.ts";

const SUBCOMMAND = 1;
const GROUP = 2;

/**
 * The subcommand that was chosen, e.g. `subscribe` or `account/link`, and its options; or the options of a command
 * without subcommands.
 */
export function findSubcommand(options: readonly RawOption[]): {
  readonly subcommand: string | undefined;
  readonly options: readonly RawOption[];
} {
  const first = options[0];
  if (first?.type === SUBCOMMAND) {
    return { subcommand: first.name, options: first.options ?? [] };
  }
  if (first?.type === GROUP) {
    const below = findSubcommand(first.options ?? []);
    return { ...below, subcommand: below.subcommand && `${first.name}/${below.subcommand}` };
  }
  return { subcommand: undefined, options };
}

/**
 * Reads the values by the definition. Throws a UserError where they do not fit it: a client may still show
 * the command as it was before an update.
 */
export function readOptions(
  definition: Options<keyof Services>,
  typed: readonly RawOption[],
  resolved: Resolved | undefined,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(definition)) {
    const raw = typed.find((each) => each.name === name)?.value;
    const value = raw === undefined ? undefined : readValue(option, raw, resolved);
    if (value === undefined && (option.required || raw !== undefined)) {
      throw new UserError(
        "This command has changed since your Discord loaded it. Please type it once more; if that does not help, restart Discord.",
      );
    }
    values[name] = value;
  }
  return values;
}

function readValue(
  option: Option<keyof Services>,
  raw: string | number | boolean,
  resolved: Resolved | undefined,
): unknown {
  switch (option.type) {
    case "string":
      return typeof raw === "string" && isChoice(option.choices, raw) ? raw : undefined;
    case "integer":
      return Number.isInteger(raw) && isWithin(option, Number(raw)) ? raw : undefined;
    case "number":
      return typeof raw === "number" && isWithin(option, raw) ? raw : undefined;
    case "boolean":
      return typeof raw === "boolean" ? raw : undefined;
    case "attachment": {
      const attachment = resolved?.attachments?.[String(raw)];
      return attachment && createAttachment(attachment);
    }
    case "channel": {
      const channel = resolved?.channels?.[String(raw)];
      return channel && { id: channel.id, name: channel.name ?? undefined };
    }
    case "role":
      return resolved?.roles?.[String(raw)];
  }
}

function isChoice(choices: readonly { readonly value: string }[] | undefined, value: string): boolean {
  return choices === undefined || choices.some((choice) => choice.value === value);
}

function isWithin(option: { readonly min?: number; readonly max?: number }, value: number): boolean {
  return value >= (option.min ?? -Infinity) && value <= (option.max ?? Infinity);
}
