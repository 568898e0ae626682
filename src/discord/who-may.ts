// Who may press what. Discord itself enforces a command's permission for slash and menus, but anyone who sees
// a message may press its buttons: those are checked again here, for commands that are not for everyone.
// https://discord.com/developers/docs/interactions/application-commands#permissions
import { PermissionFlagsBits, type REST, Routes } from "discord.js";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Command, CommandFile } from "./command.ts";
import { type CommandIds, SLASH, commandKey } from "./directory.ts";
import type { Interaction } from "./interaction.ts";
import { type CommandRights, MessengerError } from "../core/ports.ts";
import { type Membership, guildSchema, isTimedOut, memberSchema, rightsIn } from "./guild-rights.ts";
import type { Read } from "./messenger-requests.ts";
import { rightsOf } from "./payload.ts";
import { isApiError } from "./interaction-api.ts";

export type WhoMay = ReturnType<typeof createWhoMay>;

/** Rules change rarely, and a change is announced by an event that may be missed while reconnecting. */
const REMEMBER_MS = 5 * 60_000;
/** Commands of guilds remembered at most; those not asked for longest go first. */
const REMEMBER_LIMIT = 500;
/** Discord's answer for a command nobody made rules for: Unknown Application Command Permissions. */
const NO_RULES = 10_066;

const ROLE = 1;
const USER = 2;
const rulesSchema = z.object({
  permissions: z.array(z.object({ id: z.string(), type: z.number(), permission: z.boolean() })),
});
type Rule = z.infer<typeof rulesSchema>["permissions"][number];

export function createWhoMay({
  rest,
  clock,
  ids,
  log,
}: {
  readonly rest: Pick<REST, "get">;
  readonly clock: Clock;
  readonly ids: CommandIds;
  readonly log: Log;
}) {
  interface Remembered {
    readonly untilMs: number;
    readonly rules: Promise<readonly Rule[]>;
  }
  // Its own time to live would not end for what is set at an elapsed time of 0.
  const remembered = new LRUCache<string, Remembered>({ max: REMEMBER_LIMIT });

  function rulesOf(applicationId: string, guildId: string, commandId: string): Promise<readonly Rule[]> {
    const key = `${guildId}:${commandId}`;
    const known = remembered.get(key);
    if (known && known.untilMs > clock.elapsed()) {
      return known.rules;
    }
    const rules = fetchRules(applicationId, guildId, commandId).catch((error: unknown) => {
      remembered.delete(key);
      log.warn({ error, guild: guildId }, "command permissions not read");
      return [];
    });
    remembered.set(key, { untilMs: clock.elapsed() + REMEMBER_MS, rules });
    return rules;
  }

  async function fetchRules(
    applicationId: string,
    guildId: string,
    commandId: string,
  ): Promise<readonly Rule[]> {
    try {
      const route = Routes.applicationCommandPermissions(applicationId, guildId, commandId);
      return rulesSchema.parse(await rest.get(route)).permissions;
    } catch (error) {
      if (isApiError(error, NO_RULES)) {
        return [];
      }
      throw error;
    }
  }

  return {
    /** Whether the command behind a component, a form or a message is open to the person who used it. */
    mayUse(
      use: Pick<Interaction, "application_id" | "guild_id" | "member">,
      { command, permission }: Pick<CommandFile, "command" | "permission">,
    ): boolean | Promise<boolean> {
      const { guild_id: guildId, member } = use;
      // Permissions exist in guilds only; in DMs Discord offers a command to everyone.
      if (permission === undefined || guildId === undefined) {
        return true;
      }
      if (!member) {
        return false;
      }
      if (hasPermission(member.permissions, PermissionFlagsBits.Administrator)) {
        return true;
      }
      const byDefault = hasPermission(member.permissions, PermissionFlagsBits[permission]);
      const commandId = ids.get(commandKey(SLASH, command));
      return commandId === undefined
        ? byDefault
        : rulesOf(use.application_id, guildId, commandId).then(
            (rules) => decide(rules, member.user.id, member.roles, guildId) ?? byDefault,
          );
    },
    /** A guild changed its rules: ask again. */
    forget(guildId: string): void {
      for (const key of remembered.keys()) {
        if (key.startsWith(`${guildId}:`)) {
          remembered.delete(key);
        }
      }
    },
  };
}

function hasPermission(permissions: string, bit: bigint): boolean {
  return (BigInt(permissions) & bit) !== 0n;
}

/**
 * A rule for the person goes before those for their roles, where one role that may is enough, and those before the
 * rule for everyone, whose role has the server's id. `undefined` where none of them speaks.
 */
function decide(
  rules: readonly Rule[],
  userId: string,
  roleIds: readonly string[],
  guildId: string,
): boolean | undefined {
  const own = rules.find((rule) => rule.type === USER && rule.id === userId);
  const forRoles = rules.filter(
    (rule) => rule.type === ROLE && rule.id !== guildId && roleIds.includes(rule.id),
  );
  const forEveryone = rules.find((rule) => rule.type === ROLE && rule.id === guildId);
  const byRole = forRoles.length === 0 ? undefined : forRoles.some(({ permission }) => permission);
  return own?.permission ?? byRole ?? forEveryone?.permission;
}

/** A press in a conversation, which names no server and so no rights in one, is judged as one in the server would be. */
export function createCommandRights({
  commands,
  read,
  whoMay,
  applicationId,
  clock,
}: {
  readonly commands: readonly Command[];
  readonly read: Read;
  readonly whoMay: Pick<WhoMay, "mayUse">;
  /** `undefined` before the bot has logged in: then nobody may. */
  readonly applicationId: () => string | undefined;
  readonly clock: Pick<Clock, "now">;
}): CommandRights {
  return {
    async mayUse(guildId, userId, name) {
      const command = commands.find((each) => each.name === name);
      const application = applicationId();
      const found = command && application ? await findMembership(read, guildId, userId) : undefined;
      if (!command || !application || !found || isTimedOut(found, clock.now())) {
        return false;
      }
      const permissions = String(rightsIn(found).bitfield);
      return whoMay.mayUse(
        {
          application_id: application,
          guild_id: guildId,
          member: { user: { id: userId, username: userId }, roles: found.member.roles, permissions },
        },
        { command: name, permission: rightsOf(command).permission },
      );
    },
  };
}

/** Unknown Member, Unknown User. */
const UNKNOWN_PERSON = [10_007, 10_013];

/**
 * Asks REST, which also works for servers of another process. `undefined` if the person or the bot is not in the server.
 * Otherwise throws as `read` does.
 */
export async function findMembership(
  read: Read,
  guildId: string,
  userId: string,
): Promise<Membership | undefined> {
  try {
    const [guild, member] = await Promise.all([
      read(Routes.guild(guildId), guildSchema),
      read(Routes.guildMember(guildId, userId), memberSchema),
    ]);
    return { guild, userId, member };
  } catch (error) {
    if (error instanceof MessengerError && isNoMember(error)) {
      return undefined;
    }
    throw error;
  }
}

function isNoMember({ problem, cause }: MessengerError): boolean {
  return problem === "channel-gone" || UNKNOWN_PERSON.some((code) => isApiError(cause, code));
}
