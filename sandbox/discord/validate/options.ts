// Parses a registration's options, on up to three levels, and the choices of autocomplete.
import { z } from "zod";
import { OPTION_TYPES } from "../option-types.ts";
import { commandName, fileTypes, isGiven, parseForm, report, upTo } from "./problems.ts";
import { problemsUnder } from "../errors.ts";
import type { Choice } from "../entities.ts";

const choice = z.object({ name: upTo(100), value: z.union([z.string().max(100), z.number()]) });

const optionForm = z.object({
  type: z.int().min(1).max(11),
  name: commandName,
  description: upTo(100),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z.array(choice).max(25).nullish(),
  channel_types: z.array(z.int()).nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
  min_length: z.int().min(0).max(6000).nullish(),
  max_length: z.int().min(1).max(6000).nullish(),
  file_types: fileTypes,
  get options() {
    return z.array(optionForm).max(25).nullish();
  },
});

type Option = z.output<typeof optionForm>;

/** The option types whose value the user types: string, integer and number. */
const TYPED: readonly number[] = [OPTION_TYPES.string, OPTION_TYPES.integer, OPTION_TYPES.number];

/** The option types that each field belongs to. */
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

/** Reports fields that do not belong to an option's type, invalid choices, and bounds in the wrong order. */
function checkFields(
  option: Option,
  path: readonly (string | number)[],
  context: z.core.$RefinementCtx,
): void {
  for (const [field, owners] of Object.entries(FIELD_OWNERS)) {
    // The keys of FIELD_OWNERS are names of an option's fields.
    const value = option[field as keyof typeof FIELD_OWNERS];
    const isSaid = isGiven(value) && value !== false && !(Array.isArray(value) && value.length === 0);
    if (isSaid && !(owners as readonly number[]).includes(option.type)) {
      const message = `This field does not belong to an option of type ${option.type}.`;
      report(context, [...path, field], "APPLICATION_COMMAND_OPTIONS_FIELD_INVALID", message);
    }
  }
  const names = new Set<string>();
  for (const [place, { name, value }] of (option.choices ?? []).entries()) {
    const placePath = [...path, "choices", place];
    if (names.has(name)) {
      const code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS";
      report(context, [...placePath, "name"], code, "Option choice name already exists");
    }
    names.add(name);
    if (!fitsType(value, option.type)) {
      report(
        context,
        [...placePath, "value"],
        "BASE_TYPE_BAD_TYPE",
        "The value is not of the option's type.",
      );
    }
  }
  for (const [least, most] of [
    ["min_value", "max_value"],
    ["min_length", "max_length"],
  ] as const) {
    if ((option[least] ?? -Infinity) > (option[most] ?? Infinity)) {
      const message = `Must be greater than or equal to ${least}.`;
      report(context, [...path, most], "NUMBER_TYPE_MIN", message);
    }
  }
}

/** Whether a choice or a completion may be the value of an option of this type. */
function fitsType(value: string | number, type: number): boolean {
  return type === OPTION_TYPES.string
    ? typeof value === "string"
    : typeof value === "number" && (type === OPTION_TYPES.number || Number.isInteger(value));
}

/**
 * Checks the options of one level and of those below it. Groups contain subcommands, and subcommands contain plain
 * options; plain options are never on the same level as groups or subcommands.
 */
function checkOptions(
  options: readonly Option[],
  allowed: "any" | "subcommands" | "plain",
  context: z.core.$RefinementCtx,
  base: readonly (string | number)[] = [],
): void {
  const names = new Set<string>();
  let optionalSeen = false;
  const hasBranches = options.some(({ type }) => type <= OPTION_TYPES.group);
  for (const [index, one] of options.entries()) {
    const { type, name, required, choices, autocomplete, options: below } = one;
    const path = [...base, index];
    checkFields(one, path, context);
    if (names.has(name)) {
      const message = "Option name already exists";
      report(context, [...path, "name"], "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message);
    }
    names.add(name);
    if (required && optionalSeen) {
      const message = "Required options must be placed before non-required options";
      report(context, path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
    optionalSeen ||= !required;
    if (autocomplete && (choices ?? []).length > 0) {
      const message = "Choices and autocomplete are mutually exclusive";
      report(context, [...path, "autocomplete"], "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message);
    }
    const isWrong =
      (allowed === "plain" && type <= OPTION_TYPES.group) ||
      (allowed === "subcommands" && type !== OPTION_TYPES.subcommand) ||
      (allowed === "any" && hasBranches && type > OPTION_TYPES.group);
    if (isWrong) {
      const message =
        "Sub-command and sub-command group option types are mutually exclusive to all other types";
      report(context, [...path, "type"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
    if (type === OPTION_TYPES.group && (below ?? []).length === 0) {
      report(context, [...path, "options"], "BASE_TYPE_REQUIRED", "This field is required");
    }
    const isGroup = type === OPTION_TYPES.group;
    checkOptions(below ?? [], isGroup ? "subcommands" : "plain", context, [...path, "options"]);
  }
}

export const chatOptions = z
  .array(optionForm)
  .max(25)
  .superRefine((options, context) => checkOptions(options, "any", context));

/**
 * Parses the choices of an autocomplete answer. `optionType` is 3 string, 4 integer or 10 number; if it is `undefined`,
 * all values are valid. Throws 50035.
 */
export function parseChoices(data: unknown, optionType: number | undefined): readonly Choice[] {
  const schema = z.object({ choices: z.array(choice).max(25) }).superRefine(({ choices }, context) => {
    for (const [index, { value }] of choices.entries()) {
      if (optionType !== undefined && !fitsType(value, optionType)) {
        const message = "The value is not of the option's type.";
        report(context, ["choices", index, "value"], "BASE_TYPE_BAD_TYPE", message);
      }
    }
  });
  return problemsUnder("data", () => parseForm(schema, data).choices);
}
