// Registrations of commands.
import { Locale } from "discord-api-types/v10";
import { z } from "zod";
import type { Command, CommandOption } from "../entities.ts";
import { DiscordError, invalidForm, problemsUnder, refuseProblems, type Problem } from "../errors.ts";
import { fileTypes } from "./file-types.ts";
import { isGiven } from "./is-given.ts";
import { parseForm, report } from "./problems.ts";

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
/** Names, descriptions and values of one command, the longest localisation counting. */
const MAX_CHARACTERS = 8000;

const chatName = z
  .string()
  .min(1)
  .max(32)
  .superRefine((name, context) => {
    if (!NAME.test(name) || name !== name.toLowerCase()) {
      report(context, [], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    }
  });

const locales: readonly string[] = Object.values(Locale);

/** By locale; en-GB and en-US are two. */
const localisations = (text: z.ZodType<string>) =>
  z
    .record(z.string(), text)
    .superRefine((texts, context) => {
      for (const locale of Object.keys(texts)) {
        if (!locales.includes(locale)) {
          report(context, [locale], "BASE_TYPE_CHOICES", `Value must be one of (${locales.join(", ")}).`);
        }
      }
    })
    .nullish();

const upTo = (length: number) => z.string().min(1).max(length);

const choice = z.object({
  name: upTo(100),
  name_localizations: localisations(upTo(100)),
  value: z.union([z.string().max(100), z.number()]),
});

const optionBase = z.object({
  type: z.int().min(1).max(11),
  name: chatName,
  name_localizations: localisations(chatName),
  description: upTo(100),
  description_localizations: localisations(upTo(100)),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z.array(choice).max(25).nullish(),
  channel_types: z.array(z.int()).nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
  min_length: z.int().min(0).max(6000).nullish(),
  max_length: z.int().min(1).max(6000).nullish(),
  file_types: fileTypes,
});

type Option = z.output<typeof optionBase> & { readonly options?: Options | null | undefined };
type Options = readonly Option[];

const SUBCOMMAND = 1;
const GROUP = 2;
/** String, integer and number. */
const TYPED: readonly number[] = [3, 4, 10];

/** Which types of options a field belongs to. */
const FIELD_OWNERS = {
  choices: TYPED,
  autocomplete: TYPED,
  min_value: [4, 10],
  max_value: [4, 10],
  min_length: [3],
  max_length: [3],
  channel_types: [7],
  file_types: [11],
  options: [SUBCOMMAND, GROUP],
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
      option.type === 3
        ? typeof value === "string"
        : typeof value === "number" && (option.type === 10 || Number.isInteger(value));
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
function checkNesting(
  options: Options,
  allowed: "any" | "subcommands" | "plain",
  context: z.core.$RefinementCtx,
  base: readonly string[] = [],
): void {
  const hasBranches = options.some(({ type }) => type <= GROUP);
  for (const [index, { type, options: below }] of options.entries()) {
    const isWrong =
      (allowed === "plain" && type <= GROUP) ||
      (allowed === "subcommands" && type !== SUBCOMMAND) ||
      (allowed === "any" && hasBranches && type > GROUP);
    if (isWrong) {
      report(
        context,
        [...base, index, "type"],
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        "Sub-command and sub-command group option types are mutually exclusive to all other types",
      );
    }
    if (type === GROUP && (below ?? []).length === 0) {
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
      checkNesting(options, type === GROUP ? "subcommands" : "plain", context, ["options"]);
    }
  });

const shared = {
  id: z.string().nullish(),
  default_member_permissions: z
    .union([z.string().regex(/^\d+$/), z.int().nonnegative().transform(String)])
    .nullish(),
  dm_permission: z.boolean().nullish(),
  integration_types: z.array(z.int().min(0).max(1)).min(1).nullish(),
  contexts: z.array(z.int().min(0).max(2)).min(1).nullish(),
  nsfw: z.boolean().nullish(),
};

const chatCommand = z.object({
  type: z.literal(1).nullish(),
  ...shared,
  name: chatName,
  name_localizations: localisations(chatName),
  description: upTo(100),
  description_localizations: localisations(upTo(100)),
  options: z
    .array(topOption)
    .max(25)
    .superRefine((options, context) => {
      checkOptions(options, context);
      checkNesting(options, "any", context);
    })
    .nullish(),
});

const menuCommand = z.object({
  type: z.union([z.literal(2), z.literal(3)]),
  ...shared,
  name: upTo(32),
  name_localizations: localisations(upTo(32)),
  description: z.literal("").nullish(),
  options: z.array(z.unknown()).max(0).nullish(),
});

// An entry point (4) is for Activities only.
const kindForm = z.object({ type: z.literal([1, 2, 3]).nullish() });

/** A registration that is right: a command before it is one. */
export type CommandForm = Omit<Command, "id" | "guildId" | "version">;

/** Throws 50035. */
export function parseCommandForm(body: unknown): CommandForm {
  const kind = parseForm(kindForm, body).type ?? 1;
  if (kind === 1) {
    const form = parseForm(chatCommand, body);
    refuseLongCommand(form);
    return {
      ...commonParts(form),
      kind: 1,
      description: form.description,
      // The schema lets only options of this form through; null in it stands for absent.
      options: withoutNulls(form.options ?? []) as CommandOption[],
      descriptionLocalisations: form.description_localizations ?? undefined,
    };
  }
  const form = parseForm(menuCommand, body);
  return {
    ...commonParts(form),
    kind: form.type,
    description: "",
    options: [],
    descriptionLocalisations: undefined,
  };
}

/** A bulk overwrite: problems are named by the command's index, as Discord does. Throws 50035. */
export function parseCommandForms(body: unknown): CommandForm[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  const forms = parseForm(z.array(z.unknown()), body).flatMap((item, index) => {
    try {
      const form = problemsUnder(index, () => parseCommandForm(item));
      if (names.has(`${form.kind} ${form.name}`)) {
        const message = "Application command names must be unique";
        problems.push({ path: [index], code: "APPLICATION_COMMANDS_DUPLICATE_NAME", message });
      }
      names.add(`${form.kind} ${form.name}`);
      return [form];
    } catch (error) {
      if (!(error instanceof DiscordError)) {
        throw error;
      }
      problems.push(...error.problems);
      return [];
    }
  });
  refuseProblems(problems);
  return forms;
}

type Common = z.output<z.ZodObject<typeof shared>> & {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
};

function commonParts(form: Common) {
  return {
    name: form.name,
    defaultMemberPermissions: form.default_member_permissions ?? undefined,
    integrationTypes: form.integration_types ?? [0],
    contexts: form.contexts ?? undefined,
    nsfw: form.nsfw ?? false,
    nameLocalisations: form.name_localizations ?? undefined,
  };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null && child !== undefined)
      .map(([key, child]) => [key, withoutNulls(child)]),
  );
}

function refuseLongCommand(form: z.output<typeof chatCommand>): void {
  const characters = countCharacters(form);
  if (characters > MAX_CHARACTERS) {
    throw invalidForm([
      {
        path: [],
        code: "APPLICATION_COMMAND_TOO_LARGE",
        message: `Command exceeds maximum size (${MAX_CHARACTERS})`,
      },
    ]);
  }
}

interface Counted {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly value?: string | number | undefined;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly options?: readonly Counted[] | null | undefined;
  readonly choices?: readonly Counted[] | null | undefined;
}

function countCharacters(part: Counted): number {
  const own =
    longest(part.name, part.name_localizations) +
    longest(part.description ?? "", part.description_localizations) +
    String(part.value ?? "").length;
  return [...(part.options ?? []), ...(part.choices ?? [])].reduce(
    (total, child) => total + countCharacters(child),
    own,
  );
}

function longest(text: string, others: Readonly<Record<string, string>> | null | undefined): number {
  return Math.max(text.length, ...Object.values(others ?? {}).map(({ length }) => length));
}
