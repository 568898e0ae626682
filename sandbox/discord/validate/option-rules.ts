// What the options of a command must be together, and each beside its form.
import type { z } from "zod";
import { OPTION_TYPES } from "../option-types.ts";
import { isGiven } from "./is-given.ts";
import type { Option, Options } from "./option-form.ts";
import { report } from "./problems.ts";

/** String, integer and number. */
const TYPED: readonly number[] = [OPTION_TYPES.string, OPTION_TYPES.integer, OPTION_TYPES.number];

/** Which types of options a field belongs to. */
const FIELD_OWNERS = {
  choices: TYPED,
  autocomplete: TYPED,
  min_value: [OPTION_TYPES.integer, OPTION_TYPES.number],
  max_value: [OPTION_TYPES.integer, OPTION_TYPES.number],
  min_length: [OPTION_TYPES.string],
  max_length: [OPTION_TYPES.string],
  channel_types: [OPTION_TYPES.channel],
  file_types: [OPTION_TYPES.attachment],
  options: [OPTION_TYPES.subcommand, OPTION_TYPES.group],
} as const satisfies Partial<Record<keyof Option, readonly number[]>>;

/** What one option says that its type does not know, and choices of another type or name. */
function checkOption(option: Option, index: number, context: z.core.$RefinementCtx): void {
  for (const [field, owners] of Object.entries(FIELD_OWNERS)) {
    // The keys of FIELD_OWNERS are names of its fields.
    const value = option[field as keyof typeof FIELD_OWNERS];
    const isSaid = isGiven(value) && value !== false && !(Array.isArray(value) && value.length === 0);
    if (isSaid && !(owners as readonly number[]).includes(option.type)) {
      const message = `This field does not belong to an option of type ${option.type}.`;
      report(context, [index, field], "APPLICATION_COMMAND_OPTIONS_FIELD_INVALID", message);
    }
  }
  const names = new Set<string>();
  for (const [place, { name, value }] of (option.choices ?? []).entries()) {
    if (names.has(name)) {
      const message = "Option choice name already exists";
      report(
        context,
        [index, "choices", place, "name"],
        "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
        message,
      );
    }
    names.add(name);
    const fits =
      option.type === OPTION_TYPES.string
        ? typeof value === "string"
        : typeof value === "number" && (option.type === OPTION_TYPES.number || Number.isInteger(value));
    if (!fits) {
      const message = "The value is not of the option's type.";
      report(context, [index, "choices", place, "value"], "BASE_TYPE_BAD_TYPE", message);
    }
  }
  for (const [least, most] of [
    ["min_value", "max_value"],
    ["min_length", "max_length"],
  ] as const) {
    if ((option[least] ?? -Infinity) > (option[most] ?? Infinity)) {
      const message = `Must be greater than or equal to ${least}.`;
      report(context, [index, most], "NUMBER_TYPE_MIN", message);
    }
  }
}

/** Groups hold subcommands, these hold plain options, and beside either stand no plain ones. */
export function checkNesting(
  options: Options,
  allowed: "any" | "subcommands" | "plain",
  context: z.core.$RefinementCtx,
  base: readonly string[] = [],
): void {
  const hasBranches = options.some(({ type }) => type <= OPTION_TYPES.group);
  for (const [index, { type, options: below }] of options.entries()) {
    const isWrong =
      (allowed === "plain" && type <= OPTION_TYPES.group) ||
      (allowed === "subcommands" && type !== OPTION_TYPES.subcommand) ||
      (allowed === "any" && hasBranches && type > OPTION_TYPES.group);
    if (isWrong) {
      report(
        context,
        [...base, index, "type"],
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        "Sub-command and sub-command group option types are mutually exclusive to all other types",
      );
    }
    if (type === OPTION_TYPES.group && (below ?? []).length === 0) {
      report(context, [...base, index, "options"], "BASE_TYPE_REQUIRED", "This field is required");
    }
  }
}

export function checkOptions(options: Options, context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  let optionalSeen = false;
  for (const [index, option] of options.entries()) {
    const { name, required, choices, autocomplete } = option;
    checkOption(option, index, context);
    if (names.has(name)) {
      report(
        context,
        [index, "name"],
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        "Option name already exists",
      );
    }
    names.add(name);
    if (required && optionalSeen) {
      report(
        context,
        [index],
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Required options must be placed before non-required options",
      );
    }
    optionalSeen ||= !required;
    if (autocomplete && (choices ?? []).length > 0) {
      report(
        context,
        [index, "autocomplete"],
        "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
        "Choices and autocomplete exclude each other",
      );
    }
  }
}
