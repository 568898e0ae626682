// Lets a test or the page arrange the local Discord: people, guilds, channels, roles, permissions.
import type { Channel, CommandPermission, Guild, Overwrite, User } from "./entities.ts";
import { createChannel, removeGuild } from "./guilds.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Platform } from "./platform.ts";
import { userNamed } from "./state.ts";

interface GuildPlan {
  readonly name: string;
  /** User ids; the first is the owner. The bot is added automatically. */
  readonly memberIds: readonly string[];
  /** Whether the application is absent from the guild, so that it acts there only for users who installed it. */
  readonly withoutBot?: boolean;
  /** When it was created, milliseconds since the epoch; determines its shard. Default: now. */
  readonly madeAtMs?: number;
}

interface RolePlan {
  readonly name: string;
  readonly permissions: bigint;
  readonly memberIds: readonly string[];
  /** The bot that the role belongs to. Default: none. */
  readonly botId?: string;
}

/** Discord's limit per command. */
const MAX_COMMAND_PERMISSIONS = 100;

export function createArrangement(platform: Platform) {
  const { state, ids, changes, clock } = platform;
  const idMadeAt = (madeAtMs: number | undefined) => (madeAtMs === undefined ? ids.next() : ids.at(madeAtMs));
  return {
    /** Adds a person who is in no guild yet; `madeAtMs` determines the id. Default: now. */
    addUser(name: string, madeAtMs?: number): User {
      const id = idMadeAt(madeAtMs);
      const user = { id, username: name.toLowerCase(), displayName: name, bot: false, locale: "en-GB" };
      state.users.set(id, user);
      return user;
    },
    /** Creates a guild with an `@everyone` role and the bot in it, and notifies the bot. */
    addGuild({ name, memberIds, withoutBot = false, madeAtMs }: GuildPlan): Guild {
      const id = idMadeAt(madeAtMs);
      const botId = state.application.id;
      const everyone = { id, name: "@everyone", permissions: EVERYONE_PERMISSIONS, position: 0 };
      const joinedAtMs = madeAtMs ?? clock.now();
      const userIds = withoutBot ? memberIds : [...memberIds, botId];
      const guild: Guild = {
        id,
        name,
        ownerId: memberIds[0] ?? botId,
        preferredLocale: "en-GB",
        roles: new Map([[id, everyone]]),
        members: new Map(userIds.map((userId) => [userId, { userId, roleIds: [], joinedAtMs }])),
        channels: new Map(),
        threads: new Map(),
        systemChannelId: undefined,
        areUploadsLimited: false,
        commandPermissions: new Map(),
      };
      state.guilds.set(id, guild);
      if (!withoutBot) {
        changes.emit({ type: "guild-joined", guild });
      }
      return guild;
    },
    /** Creates a channel (`kind` 0 text, 5 announcement, 15 forum), and notifies the bot. */
    addChannel(guild: Guild, name: string, kind: 0 | 5 | 15 = 0, overwrites: Overwrite[] = []): Channel {
      const position = guild.channels.size;
      const channel = createChannel(platform, { kind, guildId: guild.id, name, position, overwrites });
      guild.channels.set(channel.id, channel);
      changes.emit({ type: "channel-created", channel });
      return channel;
    },
    /** Creates a role and gives it to members. Returns its id. */
    addRole(guild: Guild, { name, permissions, memberIds, botId }: RolePlan): string {
      const id = ids.next();
      guild.roles.set(id, { id, name, permissions, position: guild.roles.size, botId });
      for (const userId of memberIds) {
        guild.members.get(userId)?.roleIds.push(id);
      }
      return id;
    },
    removeGuild: (guild: Guild, how?: { readonly unavailable?: boolean }) =>
      removeGuild(platform, guild, how),
    /** Opens a conversation between two people or a group, given by display name, without the bot. */
    openPrivateChannel(...names: readonly string[]): Channel {
      const recipientIds = names.map((name) => userNamed(state, name).id);
      const kind = names.length > 2 ? 3 : 1;
      return createChannel(platform, { kind, guildId: undefined, name: names.join(", "), recipientIds });
    },
    setUserInstall(name: string, isInstalled: boolean) {
      state.userInstalls[isInstalled ? "add" : "delete"](userNamed(state, name).id);
    },
    /** Allows or blocks (50007) direct messages from the bot. At first, everyone allows them. */
    setDirectMessages(name: string, areOpen: boolean) {
      state.closedDirects[areOpen ? "delete" : "add"](userNamed(state, name).id);
    },
    /** Times a member out until a time in milliseconds since the epoch; `undefined` ends the timeout. */
    timeOut(guild: Guild, userId: string, untilMs: number | undefined) {
      const member = guild.members.get(userId);
      if (member === undefined) {
        throw new Error(`${userId} is not a member of ${guild.name}`);
      }
      member.timedOutUntilMs = untilMs;
    },
    /** Sets a guild's permissions for a command, at most 100; an empty list resets them. */
    setCommandPermissions(guild: Guild, command: { readonly id: string }, permissions: CommandPermission[]) {
      if (permissions.length > MAX_COMMAND_PERMISSIONS) {
        throw new Error(`a command can have at most ${MAX_COMMAND_PERMISSIONS} permissions`);
      }
      if (permissions.length === 0) {
        guild.commandPermissions.delete(command.id);
      } else {
        guild.commandPermissions.set(command.id, permissions);
      }
      changes.emit({ type: "command-permissions-changed", guild, commandId: command.id });
    },
  };
}
