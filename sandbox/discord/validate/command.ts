// Registrations of commands.
import { z } from "zod";
import type { Command, CommandOption } from "../entities.ts";
import { DiscordError, problemsUnder, refuseProblems, type Problem } from "../errors.ts";
import { refuseLongCommand } from "./command-size.ts";
import { chatName, localisations, upTo } from "./command-text.ts";
import { chatOptions } from "./options.ts";
import { parseForm } from "./problems.ts";

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
  options: chatOptions.nullish(),
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
