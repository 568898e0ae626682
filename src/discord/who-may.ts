// Who may press what. Discord itself enforces a command's permission for slash and menus, but anyone who sees
// a message may press its buttons: those are checked again here, for commands that are not for everyone.
// https://discord.com/developers/docs/interactions/application-commands#permissions
import { DiscordAPIError, PermissionFlagsBits, Routes, type REST } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Part } from "./command.ts";
import { commandKey, SLASH, type CommandIds } from "./command-ids.ts";
import type { Interaction } from "./interaction.ts";

export interface WhoMay {
  /** Whether the command behind a component, a form or a message is open to the person who used it. */
  mayUse(
    use: Pick<Interaction, "application_id" | "guild_id" | "member">,
    part: Pick<Part, "command" | "permission">,
  ): boolean | Promise<boolean>;
  /** A guild changed its rules: ask again. */
  forget(guildId: string): void;
}

/** Rules change rarely, and a change is announced by an event that may be missed while reconnecting. */
const REMEMBER_MS = 5 * 60_000;
/** Guilds remembered at most; the oldest go first. */
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
}): WhoMay {
  const remembered = new Map<
    string,
    { readonly untilMs: number; readonly rules: Promise<readonly Rule[]> }
  >();

  function rulesOf(applicationId: string, guildId: string, commandId: string): Promise<readonly Rule[]> {
    const key = `${guildId}:${commandId}`;
    const known = remembered.get(key);
    if (known && known.untilMs > clock.elapsed()) {
      return known.rules;
    }
    const rules = fetchRules(applicationId, guildId, commandId).catch((error: unknown) => {
      remembered.delete(key);
      log.warn({ error, guild: guildId }, "a server's command permissions could not be read");
      return [];
    });
    remembered.delete(key);
    remembered.set(key, { untilMs: clock.elapsed() + REMEMBER_MS, rules });
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBER_LIMIT && oldest !== undefined) {
      remembered.delete(oldest);
    }
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
      if (error instanceof DiscordAPIError && error.code === NO_RULES) {
        return [];
      }
      throw error;
    }
  }

  return {
    mayUse(use, { command, permission }) {
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
    forget(guildId) {
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
