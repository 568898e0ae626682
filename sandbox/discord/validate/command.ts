// Parses registrations of commands. Localisations are not supported.
import { ApplicationCommandType } from "discord-api-types/v10";
import { z } from "zod";
import type { Command, CommandOption } from "../entities.ts";
import { DiscordError, problemsUnder, refuseProblems, type Problem } from "../errors.ts";
import { chatOptions } from "./options.ts";
import { commandName, parseForm, report, upTo } from "./problems.ts";

/** How many characters the names, descriptions and values of one command may have together. */
const MAX_CHARACTERS = 8000;

const shared = {
  id: z.string().nullish(),
  name_localizations: z.null().optional(),
  description_localizations: z.null().optional(),
  default_member_permissions: z
    .union([z.string().regex(/^\d+$/), z.int().nonnegative().transform(String)])
    .nullish(),
  integration_types: z.array(z.int().min(0).max(1)).min(1).nullish(),
  contexts: z.array(z.int().min(0).max(2)).min(1).nullish(),
  nsfw: z.boolean().nullish(),
};

const chatCommand = z
  .object({
    type: z.literal(ApplicationCommandType.ChatInput).default(ApplicationCommandType.ChatInput),
    ...shared,
    name: commandName,
    description: upTo(100),
    options: chatOptions.nullish(),
  })
  .superRefine((command, context) => {
    if (countCharacters(command) > MAX_CHARACTERS) {
      const message = `Command exceeds maximum size (${MAX_CHARACTERS})`;
      report(context, [], "APPLICATION_COMMAND_TOO_LARGE", message);
    }
  });

const menuCommand = z.object({
  type: z.literal([ApplicationCommandType.User, ApplicationCommandType.Message]),
  ...shared,
  name: upTo(32),
  description: z.literal("").nullish(),
  options: z.array(z.unknown()).max(0).nullish(),
});

// Entry points (4) are only for Activities, so they are not accepted.
const kindForm = z.object({
  type: z
    .literal([ApplicationCommandType.ChatInput, ApplicationCommandType.User, ApplicationCommandType.Message])
    .default(ApplicationCommandType.ChatInput),
});

/** A valid registration: a command without an id. */
export type CommandForm = Omit<Command, "id" | "version">;

/** Parses the registration of one command. Throws 50035. */
export function parseCommandForm(body: unknown): CommandForm {
  const isMenu = parseForm(kindForm, body).type !== ApplicationCommandType.ChatInput;
  const form = isMenu ? parseForm(menuCommand, body) : parseForm(chatCommand, body);
  return {
    kind: form.type,
    name: form.name,
    description: form.description ?? "",
    // The schema accepts only options of this shape; its null means absent.
    options: withoutNulls(form.options ?? []) as CommandOption[],
    defaultMemberPermissions: form.default_member_permissions ?? undefined,
    integrationTypes: form.integration_types ?? [0],
    contexts: form.contexts ?? undefined,
    nsfw: form.nsfw ?? false,
  };
}

/** Parses a bulk overwrite. Throws 50035; the paths of its problems begin with the command's index, as at Discord. */
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

interface Counted {
  readonly name: string;
  readonly description?: string;
  readonly value?: string | number;
  readonly options?: readonly Counted[] | null | undefined;
  readonly choices?: readonly Counted[] | null | undefined;
}

function countCharacters({ name, description = "", value = "", options, choices }: Counted): number {
  return [...(options ?? []), ...(choices ?? [])].reduce(
    (total, child) => total + countCharacters(child),
    name.length + description.length + String(value).length,
  );
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
