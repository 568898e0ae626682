// Registers the commands: compares with what Discord has and sends only what differs, one by one, since an
// overwrite of all counts against the 200 creates a day and gives nothing to see in the log.
import { isDeepStrictEqual } from "node:util";
import { REST, Routes } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { Command } from "./command.ts";
import { type CommandIds, commandKey } from "./directory.ts";
import { type CommandBody, formatCommand } from "./payload.ts";
import type { AccessConfig, DiscordConfig } from "../core/config.ts";
import type { Services } from "./define/services.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { readCommands } from "./read-commands.ts";
import { createRegistry } from "./registry.ts";

interface DeployResult {
  readonly created: readonly string[];
  readonly edited: readonly string[];
  readonly deleted: readonly string[];
  readonly ids: CommandIds;
}

const registered = z.looseObject({ id: z.string(), type: z.number().default(1), name: z.string() });
type Registered = z.infer<typeof registered>;

/** An entry point that Discord makes for Activities; never ours to delete. */
const ENTRY_POINT = 4;

/** `write` false only looks: what would be done, and the ids of what is registered. Throws as discord.js's REST does. */
export async function deployCommands({
  rest,
  applicationId,
  commands,
  userInstall,
  write,
  log,
}: {
  readonly rest: Pick<REST, "get" | "post" | "patch" | "delete">;
  readonly applicationId: string;
  readonly commands: readonly Command[];
  /** Whether people may install the bot for themselves. */
  readonly userInstall: boolean;
  readonly write: boolean;
  readonly log: Log;
}): Promise<DeployResult> {
  const route = Routes.applicationCommands(applicationId);
  const present = z.array(registered).parse(await rest.get(route));
  const ids = new Map(present.map((command) => [keyOf(command), command.id]));
  const plan = planDeploy(
    present,
    commands.flatMap((command) => formatCommand(command, userInstall)),
  );
  const result = {
    created: plan.create.map(({ name }) => name),
    edited: plan.edit.map(({ body }) => body.name),
    deleted: plan.remove.map(({ name }) => name),
    ids,
  };
  if (!write) {
    return result;
  }
  // Room first: a name in excess of the limit could not be created.
  for (const command of plan.remove) {
    await rest.delete(Routes.applicationCommand(applicationId, command.id));
    ids.delete(keyOf(command));
  }
  for (const { id, body } of plan.edit) {
    await rest.patch(Routes.applicationCommand(applicationId, id), { body });
  }
  for (const body of plan.create) {
    ids.set(keyOf(body), registered.parse(await rest.post(route, { body })).id);
  }
  const { created, edited, deleted } = result;
  log.info({ created, edited, deleted }, "commands registered");
  return result;
}

/** What to send so that `present` becomes `wanted`; nothing at all when they say the same. */
export function planDeploy(
  present: readonly Registered[],
  wanted: readonly CommandBody[],
): {
  readonly create: readonly CommandBody[];
  readonly edit: readonly { readonly id: string; readonly body: CommandBody }[];
  readonly remove: readonly Registered[];
} {
  const byKey = new Map(present.map((command) => [keyOf(command), command]));
  const keys = new Set(wanted.map(keyOf));
  return {
    create: wanted.filter((body) => !byKey.has(keyOf(body))),
    edit: wanted.flatMap((body) => {
      const found = byKey.get(keyOf(body));
      return found && !isDeepStrictEqual(normalise(found), normalise(body)) ? [{ id: found.id, body }] : [];
    }),
    remove: present.filter((command) => command.type !== ENTRY_POINT && !keys.has(keyOf(command))),
  };
}

function keyOf({ type, name }: { readonly type: number; readonly name: string }): string {
  return commandKey(type, name);
}

/** The fields we ever send, of commands, options and choices. Discord adds others, and defaults of its own. */
const COMPARED = [
  "type",
  "name",
  "description",
  "options",
  "default_member_permissions",
  "contexts",
  "integration_types",
  "required",
  "choices",
  "value",
  "autocomplete",
  "min_value",
  "max_value",
  "min_length",
  "max_length",
  "file_types",
  "channel_types",
];

/** The same for two ways of saying the same: absent, null, false, empty and any order of a set are one. */
function normalise(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every(isObject) ? value.map(normalise) : value.map(String).toSorted();
  }
  if (!isObject(value)) {
    return value;
  }
  const fields = new Map(Object.entries(value));
  return COMPARED.map((field) => [field, normalise(fields.get(field))]).filter(([, said]) => !isEmpty(said));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return (
    [undefined, null, false, ""].some((empty) => empty === value) ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Throws a ConfigError where Discord refuses the token or is out of reach, otherwise what discord.js's REST throws. */
export async function deployOnce({
  config,
  access: { userInstall },
  commandsDir,
  services,
  log,
}: {
  readonly config: DiscordConfig;
  readonly access: AccessConfig;
  readonly commandsDir: URL;
  readonly services: Partial<Services>;
  readonly log: Log;
}): Promise<DeployResult> {
  const { commands } = createRegistry(await readCommands(commandsDir), services);
  const rest = new REST({ api: config.apiBaseUrl.href.replace(/\/$/, "") }).setToken(config.token);
  try {
    const { id } = z.object({ id: z.string() }).parse(await rest.get(Routes.currentApplication()));
    return await deployCommands({ rest, applicationId: id, commands, userInstall, write: true, log });
  } catch (error) {
    throw explainRefusal(error);
  } finally {
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
  }
}
