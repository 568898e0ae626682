// What a test or the page can change in the local Discord: people, guilds, channels, roles, permissions.
import {
  addChannel,
  addGuild,
  addRole,
  openPrivateChannel,
  removeGuild,
  type GuildPlan,
  type RolePlan,
} from "./guilds.ts";
import type { Channel, CommandPermission, Guild, Overwrite, User } from "./entities.ts";
import type { Platform } from "./platform.ts";
import { userNamed } from "./state.ts";

/** Discord's limit per command. */
const MAX_COMMAND_PERMISSIONS = 100;

export function createArrangement(platform: Platform) {
  const { state, ids, changes } = platform;
  return {
    /** Adds a person who is in no guild yet; `madeAtMs` determines the id. Default: now. */
    addUser(name: string, madeAtMs?: number): User {
      const user = {
        id: madeAtMs === undefined ? ids.next() : ids.at(madeAtMs),
        username: name.toLowerCase(),
        displayName: name,
        bot: false,
        locale: "en-GB",
      };
      state.users.set(user.id, user);
      return user;
    },
    /** Creates a guild with the bot in it, and tells the bot. */
    addGuild(plan: GuildPlan): Guild {
      const guild = addGuild(platform, plan);
      if (plan.withoutBot !== true) {
        changes.tell({ type: "guild-joined", guild });
      }
      return guild;
    },
    /** Creates a channel (`kind` 0 text, 5 announcement, 15 forum), and tells the bot. */
    addChannel(guild: Guild, name: string, kind?: 0 | 5 | 15, overwrites?: Overwrite[]): Channel {
      const channel = addChannel(platform, guild, name, kind, overwrites);
      changes.tell({ type: "channel-created", channel });
      return channel;
    },
    /** Creates a role and gives it to members. */
    addRole: (guild: Guild, role: RolePlan) => addRole(platform, guild, role),
    /** Removes the bot from a guild, or makes the guild unavailable. */
    removeGuild: (guild: Guild, how?: { readonly unavailable?: boolean }) =>
      removeGuild(platform, guild, how),
    /** Opens a conversation between people by name, without the bot: two of them, or a group. */
    openPrivateChannel: (...names: readonly string[]) =>
      openPrivateChannel(
        platform,
        names.map((name) => userNamed(state, name).id),
      ),
    /** Installs the application for a user, or removes it. */
    setUserInstall(name: string, isInstalled: boolean) {
      state.userInstalls[isInstalled ? "add" : "delete"](userNamed(state, name).id);
    },
    /** Allows or blocks (50007) direct messages from the bot. At first, everyone allows them. */
    setDirectMessages(name: string, areOpen: boolean) {
      state.closedDirects[areOpen ? "delete" : "add"](userNamed(state, name).id);
    },
    /** Times a member out until then, or ends the timeout. */
    timeOut(guild: Guild, userId: string, untilMs: number | undefined) {
      const member = guild.members.get(userId);
      if (member === undefined) {
        throw new Error(`${userId} is no member of ${guild.name}`);
      }
      member.timedOutUntilMs = untilMs;
    },
    /** Sets a guild's permissions for a command, at most 100; an empty list resets them. */
    setCommandPermissions(guild: Guild, command: { readonly id: string }, permissions: CommandPermission[]) {
      if (permissions.length > MAX_COMMAND_PERMISSIONS) {
        throw new Error(`a command takes ${MAX_COMMAND_PERMISSIONS} decisions at most`);
      }
      if (permissions.length === 0) {
        guild.commandPermissions.delete(command.id);
      } else {
        guild.commandPermissions.set(command.id, permissions);
      }
      changes.tell({ type: "command-permissions-changed", guild, commandId: command.id });
    },
  };
}
