// Checks a server's own rules for who may use which command. Discord enforces them for slash commands and menus, but
// anyone can press a message's buttons or mention the bot, so those are checked here, as Discord's client does.
// https://discord.com/developers/docs/interactions/application-commands#permissions
// https://support.discord.com/hc/en-us/articles/10952896421783-Updates-to-Command-Permissions
import { Constants, PermissionsBitField, type REST, Routes } from "discord.js";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Command, CommandFile } from "./registry.ts";
import type { CommandIds } from "./directory.ts";
import { UserError } from "../core/errors.ts";
import { type Interaction, isUserInstall } from "./interaction.ts";
import { type CommandRights, MessengerError } from "../core/ports.ts";
import { guildSchema, isTimedOut, memberSchema, rightsIn } from "./guild-rights.ts";
import type { Read } from "./messenger-requests.ts";
import { isApiError } from "./interaction-api.ts";

export type CommandPermissions = ReturnType<typeof createCommandPermissions>;

/** Rules rarely change. Discord announces changes by an event, which may be missed while reconnecting. */
const REMEMBER_MS = 5 * 60_000;
/** If Discord does not answer, the last known rules count for this long. */
const LAST_KNOWN_MS = 24 * 3_600_000;
const REMEMBER_LIMIT = 500;

const ROLE = 1;
const USER = 2;
const CHANNEL = 3;
const rulesSchema = z.array(
  z.object({
    id: z.string(),
    permissions: z.array(z.object({ id: z.string(), type: z.number(), permission: z.boolean() })),
  }),
);
type Rule = z.infer<typeof rulesSchema>[number]["permissions"][number];
/** Rules by command id; those for all commands are under the application's id. */
type GuildRules = ReadonlyMap<string, readonly Rule[]>;

interface KnownRules {
  readonly rules: GuildRules;
  readonly readAtMs: number;
  /** Whether Discord has announced a change since. */
  readonly isOutdated: boolean;
}

type CommandUse = Pick<Interaction, "application_id" | "guild_id"> &
  Partial<Pick<Interaction, "channel_id" | "channel" | "authorizing_integration_owners" | "member">>;

const THREADS: ReadonlySet<number> = new Set(Constants.ThreadChannelTypes);

const RULES_UNKNOWN =
  "I can't check at the moment whether this server lets you use that. Please try again in a minute.";

export function createCommandPermissions(deps: {
  readonly rest: Pick<REST, "get">;
  readonly clock: Clock;
  readonly ids: Pick<CommandIds, "all">;
  readonly log: Log;
}) {
  const { rest, clock, ids, log } = deps;
  const known = new LRUCache<string, KnownRules>({ max: REMEMBER_LIMIT });
  const reading = new Map<string, Promise<GuildRules>>();

  async function rulesOf(applicationId: string, guildId: string): Promise<GuildRules> {
    const last = known.get(guildId);
    if (last && !last.isOutdated && clock.elapsed() < last.readAtMs + REMEMBER_MS) {
      return last.rules;
    }
    const underWay =
      reading.get(guildId) ?? readRules(applicationId, guildId).finally(() => reading.delete(guildId));
    reading.set(guildId, underWay);
    return underWay;
  }

  /** Throws a UserError if Discord does not answer and the last known rules are too old. */
  async function readRules(applicationId: string, guildId: string): Promise<GuildRules> {
    const before = known.get(guildId);
    try {
      const route = Routes.guildApplicationCommandsPermissions(applicationId, guildId);
      const found = rulesSchema.parse(await rest.get(route));
      const rules = new Map(found.map(({ id, permissions }) => [id, permissions]));
      // Discord may have announced a change while it answered.
      const isOutdated = known.get(guildId) !== before;
      known.set(guildId, { rules, readAtMs: clock.elapsed(), isOutdated });
      return rules;
    } catch (error) {
      log.warn({ error, guild: guildId }, "command permissions not read");
      const last = known.get(guildId);
      if (last && clock.elapsed() < last.readAtMs + LAST_KNOWN_MS) {
        return last.rules;
      }
      throw new UserError(RULES_UNKNOWN);
    }
  }

  /** `undefined` if it is unknown whether the person may use the command. Throws a UserError if no rules are known. */
  async function prepareCheck(
    use: CommandUse,
  ): Promise<(command: Pick<Command, "name" | "permission">) => boolean | undefined> {
    const { application_id: applicationId, guild_id: guildId, member } = use;
    // Permissions exist in servers only; in DMs, Discord offers a command to everyone.
    if (guildId === undefined) {
      return () => true;
    }
    if (!member) {
      return () => false;
    }
    const rights = new PermissionsBitField(BigInt(member.permissions));
    const isOpenByDefault = ({ permission }: Pick<Command, "permission">) =>
      permission === undefined || rights.has(permission);
    if (rights.has("Administrator")) {
      return () => true;
    }
    if (isUserInstall(use)) {
      // The bot is not in that server, and cannot read its rules.
      return isOpenByDefault;
    }
    if (!rights.has("UseApplicationCommands")) {
      return () => false;
    }
    const rules = await rulesOf(applicationId, guildId);
    const forAll = rules.get(applicationId) ?? [];
    const place = {
      guildId,
      channelId: rulingChannel(use),
      // The id that rules use for all channels of a server.
      allChannelsId: String(BigInt(guildId) - 1n),
      userId: member.user.id,
      roleIds: member.roles,
    };
    return (command) => {
      const commandId = ids.all().get(command.name);
      if (commandId === undefined && [...rules.keys()].some((id) => id !== applicationId)) {
        // Some rules apply to a single command, possibly to this one.
        return undefined;
      }
      const own = rules.get(commandId ?? "") ?? [];
      return decide({ own, forAll }, place, isOpenByDefault(command));
    };
  }

  return {
    /** For a component, a form or a message in that place. Throws a UserError if it is not known. */
    async mayUse(
      use: CommandUse,
      { command, permission }: Pick<CommandFile, "command" | "permission">,
    ): Promise<boolean> {
      const isOpen = await prepareCheck(use);
      const may = isOpen({ name: command, permission });
      if (may === undefined) {
        throw new UserError(RULES_UNKNOWN);
      }
      return may;
    },
    /** Names of the commands that a person may use in that place. Leaves out commands for which that is not known. */
    async usableCommands(use: CommandUse, commands: readonly Command[]): Promise<ReadonlySet<string>> {
      const context = isUserInstall(use)
        ? "private-channel"
        : use.guild_id === undefined
          ? "bot-dm"
          : "guild";
      const isOpen = await prepareCheck(use).catch(() => () => false);
      const usable = commands.filter(
        (command) => command.contexts.includes(context) && isOpen(command) === true,
      );
      return new Set(usable.map(({ name }) => name));
    },
    /** Call it when a server has changed its rules; they are read again. */
    forget(guildId: string): void {
      // Also if nothing is known yet, because the rules may be on their way.
      const last = known.get(guildId) ?? { rules: new Map(), readAtMs: -Infinity };
      known.set(guildId, { ...last, isOutdated: true });
    },
  };
}

/** The channel whose rules apply. A thread follows those of its parent. */
function rulingChannel({ channel, channel_id: channelId }: CommandUse): string | undefined {
  return (channel && THREADS.has(channel.type) ? channel.parent_id : undefined) ?? channelId;
}

interface Place {
  readonly guildId: string;
  /** `undefined` if the person is not in one of the server's channels; then only rules for all channels apply. */
  readonly channelId: string | undefined;
  readonly allChannelsId: string;
  readonly userId: string;
  readonly roleIds: readonly string[];
}

/**
 * Decides by the rules. A rule for the channel can forbid the command. A command's own rules take precedence over those
 * for all commands. The latter can forbid a command to people, but allow nobody more than its default does.
 */
function decide(
  { own, forAll }: { readonly own: readonly Rule[]; readonly forAll: readonly Rule[] },
  place: Place,
  byDefault: boolean,
): boolean {
  const isInChannel = ruleForChannel(own, place) ?? ruleForChannel(forAll, place) ?? true;
  const isForPerson =
    ruleForPerson(own, place) ?? (ruleForPerson(forAll, place) === false ? false : byDefault);
  return isInChannel && isForPerson;
}

function findRule(rules: readonly Rule[], type: number, id: string | undefined): boolean | undefined {
  return rules.find((rule) => rule.type === type && rule.id === id)?.permission;
}

function ruleForChannel(rules: readonly Rule[], { channelId, allChannelsId }: Place): boolean | undefined {
  return findRule(rules, CHANNEL, channelId) ?? findRule(rules, CHANNEL, allChannelsId);
}

/** A rule for the person decides; without one, those for their roles (one that allows is enough), then everyone's. */
function ruleForPerson(rules: readonly Rule[], { guildId, userId, roleIds }: Place): boolean | undefined {
  const forRoles = rules.filter(({ type, id }) => type === ROLE && id !== guildId && roleIds.includes(id));
  const byRole = forRoles.length === 0 ? undefined : forRoles.some(({ permission }) => permission);
  // The role of everyone has the server's id.
  return findRule(rules, USER, userId) ?? byRole ?? findRule(rules, ROLE, guildId);
}

/** In a DM, Discord sends no server and no permissions, so a press there is checked like one in the server. */
export function createCommandRights(deps: {
  readonly commands: readonly Command[];
  readonly read: Read;
  readonly commandPermissions: Pick<CommandPermissions, "mayUse">;
  /** `undefined` before the bot has logged in; then nobody may use a command. */
  readonly applicationId: () => string | undefined;
  readonly clock: Pick<Clock, "now">;
}): CommandRights {
  const { commands, read, commandPermissions, applicationId, clock } = deps;
  return {
    async findAllowedMember(guildId, userId, name) {
      const command = commands.find((each) => each.name === name);
      const application = applicationId();
      const found = command && application ? await findMember(read, guildId, userId) : undefined;
      if (!command || !application || !found) {
        return undefined;
      }
      const member = { ...found, user: { id: userId } };
      const use = { application_id: application, guild_id: guildId, member };
      const may =
        !isTimedOut(member, clock.now()) &&
        (await commandPermissions.mayUse(use, { command: name, permission: command.permission }));
      return may ? { roleIds: member.roles } : undefined;
    },
  };
}

/** Unknown Member, Unknown User. */
const UNKNOWN_PERSON = [10_007, 10_013];

/** By REST, for servers of other processes too. `undefined` if they or the bot are not there; throws as `read` does. */
export async function findMember(read: Read, guildId: string, userId: string) {
  try {
    const [guild, member] = await Promise.all([
      read(Routes.guild(guildId), guildSchema),
      read(Routes.guildMember(guildId, userId), memberSchema),
    ]);
    return { ...member, permissions: String(rightsIn({ guild, userId, member }).bitfield) };
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
