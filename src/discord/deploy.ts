// Registers the commands: compares them with those that Discord has, and overwrites them all if any differ.
// Commands that keep their name keep their id, and only new names count towards Discord's limit of 200 a day.
// https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
import { isDeepStrictEqual } from "node:util";
import { DiscordAPIError, REST, Routes } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { noMeter } from "../core/meter.ts";
import { type Command, createRegistry } from "./registry.ts";
import { type CommandIds, SLASH } from "./directory.ts";
import { type CommandBody, formatCommand } from "./payload.ts";
import type { AccessConfig, DiscordConfig } from "../core/config.ts";
import type { Services } from "./define/context.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { readCommands } from "./read-commands.ts";
import { restOptions } from "./rest.ts";

const registered = z.looseObject({ id: z.string(), type: z.number().default(1), name: z.string() });
type Registered = z.infer<typeof registered>;

/** The type of the entry point that Discord creates for Activities; the bot must not delete it. */
const ENTRY_POINT = 4;

/** Registers the commands only if `write` is true. Throws as discord.js's REST does. */
export async function deployCommands(options: {
  readonly rest: Pick<REST, "get" | "put">;
  readonly applicationId: string;
  readonly commands: readonly Command[];
  readonly userInstall: boolean;
  readonly write: boolean;
  readonly log: Log;
}) {
  const { rest, applicationId, commands, userInstall, write, log } = options;
  const route = Routes.applicationCommands(applicationId);
  let present = z.array(registered).parse(await rest.get(route));
  const wanted = commands.flatMap((command) => formatCommand(command, userInstall));
  const plan = planDeploy(present, wanted);
  if (write) {
    if (Object.values(plan).some((names) => names.length > 0)) {
      const body = [...wanted, ...present.filter(({ type }) => type === ENTRY_POINT)];
      present = z.array(registered).parse(await rest.put(route, { body }));
    }
    log.info(plan, "commands registered");
  }
  const slash = present.filter(({ type }) => type === SLASH);
  return { ...plan, ids: new Map(slash.map(({ name, id }) => [name, id])) };
}

const RETRY_AFTER_MS = 5 * 60_000;
/** A refusal mostly lasts until somebody changes a setting or the program. */
const RETRY_AFTER_REFUSAL_MS = 60 * 60_000;

/** Registers the commands of a running bot. If that fails, the registered ones stay, and it retries later. */
export function createRegistration(deps: {
  readonly client: {
    readonly rest: Pick<REST, "get" | "put">;
    readonly ws: { readonly shards: Pick<ReadonlyMap<number, unknown>, "has"> };
  };
  readonly commands: readonly Command[];
  readonly userInstall: boolean;
  readonly ids: Pick<CommandIds, "note">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}) {
  const { client, commands, userInstall, ids, clock, log } = deps;
  let cancelRetry: (() => void) | undefined;
  let isStopped = false;

  /** Only the process that runs shard 0 writes; the others only look up the ids. Never throws. */
  async function register(applicationId: string): Promise<void> {
    cancelRetry?.();
    try {
      const how = { applicationId, userInstall, write: client.ws.shards.has(0) };
      const result = await deployCommands({ rest: client.rest, commands, log, ...how });
      result.ids.forEach((id, name) => ids.note(name, id));
    } catch (error) {
      const waitMs = error instanceof DiscordAPIError ? RETRY_AFTER_REFUSAL_MS : RETRY_AFTER_MS;
      log.error({ error, waitMs }, "command registration failed, will retry");
      if (!isStopped) {
        cancelRetry = clock.after(waitMs, () => void register(applicationId));
      }
    }
  }

  return {
    register,
    stop(): void {
      isStopped = true;
      cancelRetry?.();
    },
  };
}

export function planDeploy(present: readonly Registered[], wanted: readonly CommandBody[]) {
  const found = new Map(present.map((command) => [keyOf(command), command]));
  const keys = new Set(wanted.map(keyOf));
  const isSame = (body: CommandBody): boolean =>
    isDeepStrictEqual(normalise(found.get(keyOf(body))), normalise(body));
  return {
    created: namesOf(wanted.filter((body) => !found.has(keyOf(body)))),
    edited: namesOf(wanted.filter((body) => found.has(keyOf(body)) && !isSame(body))),
    deleted: namesOf(present.filter((command) => command.type !== ENTRY_POINT && !keys.has(keyOf(command)))),
  };
}

function namesOf(commands: readonly { readonly name: string }[]): readonly string[] {
  return commands.map(({ name }) => name);
}

/** Names are unique among the commands of one type. */
function keyOf({ type, name }: { readonly type: number; readonly name: string }): string {
  return `${type}:${name}`;
}

/** The fields of commands, options and choices that the bot sends. Discord adds other fields, and defaults. */
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

/** Absent, null, false and empty become the same, and the order of a set does not matter. */
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

/** Registers the commands without a running bot. Throws what `explainRefusal` makes of a failure. */
export async function deployOnce(options: {
  readonly config: DiscordConfig;
  readonly access: AccessConfig;
  readonly commandsDir: URL;
  readonly services: Partial<Services>;
  readonly log: Log;
}): Promise<void> {
  const { config, access, commandsDir, services, log } = options;
  const { commands } = createRegistry(await readCommands(commandsDir), services);
  const rest = new REST(restOptions(config, noMeter)).setToken(config.token);
  try {
    const { id } = z.object({ id: z.string() }).parse(await rest.get(Routes.currentApplication()));
    const { userInstall } = access;
    await deployCommands({ rest, applicationId: id, commands, userInstall, write: true, log });
  } catch (error) {
    throw explainRefusal(error);
  }
}
