// Options in registrations on their three levels: groups hold subcommands, and these hold plain options.
import { z } from "zod";
import { OPTION_TYPES } from "../option-types.ts";
import { commandName, fileTypes, isGiven, parseForm, report, upTo } from "./problems.ts";
import { problemsUnder } from "../errors.ts";
import type { Choice } from "../entities.ts";

const optionBase = z.object({
  type: z.int().min(1).max(11),
  name: commandName,
  description: upTo(100),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z
    .array(z.object({ name: upTo(100), value: z.union([z.string().max(100), z.number()]) }))
    .max(25)
    .nullish(),
  channel_types: z.array(z.int()).nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
  min_length: z.int().min(0).max(6000).nullish(),
  max_length: z.int().min(1).max(6000).nullish(),
  file_types: fileTypes,
});

type Option = z.output<typeof optionBase> & { readonly options?: Options | null | undefined };
type Options = readonly Option[];

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
    const path = [index, "choices", place];
    if (names.has(name)) {
      const code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS";
      report(context, [...path, "name"], code, "Option choice name already exists");
    }
    names.add(name);
    if (!fitsType(value, option.type)) {
      report(context, [...path, "value"], "BASE_TYPE_BAD_TYPE", "The value is not of the option's type.");
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

/** Whether a choice or a completion may be the value of an option of this type. */
function fitsType(value: string | number, type: number): boolean {
  return type === OPTION_TYPES.string
    ? typeof value === "string"
    : typeof value === "number" && (type === OPTION_TYPES.number || Number.isInteger(value));
}

/** Groups hold subcommands, these hold plain options, and beside either stand no plain ones. */
function checkNesting(
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
      const message =
        "Sub-command and sub-command group option types are mutually exclusive to all other types";
      report(context, [...base, index, "type"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
    if (type === OPTION_TYPES.group && (below ?? []).length === 0) {
      report(context, [...base, index, "options"], "BASE_TYPE_REQUIRED", "This field is required");
    }
  }
}

function checkOptions(options: Options, context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  let optionalSeen = false;
  for (const [index, option] of options.entries()) {
    const { name, required, choices, autocomplete } = option;
    checkOption(option, index, context);
    if (names.has(name)) {
      const message = "Option name already exists";
      report(context, [index, "name"], "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message);
    }
    names.add(name);
    if (required && optionalSeen) {
      const message = "Required options must be placed before non-required options";
      report(context, [index], "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
    optionalSeen ||= !required;
    if (autocomplete && (choices ?? []).length > 0) {
      const message = "Choices and autocomplete exclude each other";
      report(context, [index, "autocomplete"], "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message);
    }
  }
}

const plainOptions = z
  .array(optionBase)
  .max(25)
  .superRefine((options, context) => {
    checkOptions(options, context);
    checkNesting(options, "plain", context);
  });
const subcommandOption = optionBase.extend({ options: plainOptions.nullish() });
const groupOptions = z.array(subcommandOption).max(25).superRefine(checkOptions);
const topOption = optionBase
  .extend({ options: groupOptions.nullish() })
  .superRefine(({ type, options }, context) => {
    if (isGiven(options)) {
      checkNesting(options, type === OPTION_TYPES.group ? "subcommands" : "plain", context, ["options"]);
    }
  });

/** Of a slash command. */
export const chatOptions = z
  .array(topOption)
  .max(25)
  .superRefine((options, context) => {
    checkOptions(options, context);
    checkNesting(options, "any", context);
  });

const choice = z.object({ name: upTo(100), value: z.union([z.string().max(100), z.number()]) });

/** `optionType` 3 string, 4 integer, 10 number; `undefined` asks nothing of the values. Throws 50035. */
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
