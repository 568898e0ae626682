// Registered commands: stores them by name and kind, and offers them to users who may use them.
import {
  ApplicationCommandPermissionType,
  ApplicationCommandType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Channel, Command, CommandKind, CommandPermission, Guild } from "../entities.ts";
import { refusal } from "../errors.ts";
import { guildPermissions, isAllowed, isTimedOut } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { guildAround } from "../state.ts";
import { COMMAND_CREATES, spend } from "./allowances.ts";
import { contextOf, ownersOf } from "./installs.ts";
import type { CommandForm } from "../validate/command.ts";

/** How many commands of each kind may be registered. All are global: the sandbox has no guild commands. */
const MAX_COMMANDS: Readonly<Record<CommandKind, number>> = {
  [ApplicationCommandType.ChatInput]: 100,
  [ApplicationCommandType.User]: 15,
  [ApplicationCommandType.Message]: 15,
};

/** Registers exactly these commands; a command with the same name and kind keeps its id. Throws 30032, 30034. */
export function replaceCommands(platform: Platform, forms: readonly CommandForm[]): Command[] {
  const { state, ids, changes } = platform;
  for (const kind of [
    ApplicationCommandType.ChatInput,
    ApplicationCommandType.User,
    ApplicationCommandType.Message,
  ] as const) {
    if (forms.filter((form) => form.kind === kind).length > MAX_COMMANDS[kind]) {
      throw refusal("tooManyCommands");
    }
  }
  const known = forms.map((form) =>
    state.commands.values().find(({ kind, name }) => kind === form.kind && name === form.name),
  );
  const count = known.filter((command) => command === undefined).length;
  spend(platform, "creates", COMMAND_CREATES, "tooManyCommandCreates", count);
  const commands = forms.map((form, index) => ({
    ...form,
    id: known[index]?.id ?? ids.next(),
    version: ids.next(),
  }));
  state.commands.clear();
  for (const command of commands) {
    state.commands.set(command.id, command);
  }
  changes.emit({ type: "commands-changed" });
  return commands;
}

export function commandsOffered(platform: Platform, channel: Channel, userId: string): Command[] {
  return [...platform.state.commands.values()].filter((command) =>
    isOffered(platform, command, channel, userId),
  );
}

/**
 * Whether a user's client offers a command in a channel. A command without contexts is offered wherever it is
 * installed. An age-restricted one is never offered, because no channel here is age-restricted.
 */
function isOffered(platform: Platform, command: Command, channel: Channel, userId: string): boolean {
  const guild = guildAround(platform.state, channel);
  const isHere = command.contexts === undefined || command.contexts.includes(contextOf(platform, channel));
  const owners = ownersOf(platform, channel, userId, command.integrationTypes);
  return (
    isHere &&
    Object.keys(owners).length > 0 &&
    !command.nsfw &&
    (guild === undefined || mayUse(platform, command, channel, guild, userId))
  );
}

/**
 * Whether a guild lets a user use a command in a channel. A permission for the channel, or for a thread's parent, can
 * deny it. Otherwise the first of these decides: a permission for the user, for their roles, for everyone, the default
 * of the command. The command's own permissions come before those for all commands, which can only deny.
 */
function mayUse(
  { state, clock }: Platform,
  command: Command,
  channel: Channel,
  guild: Guild,
  userId: string,
): boolean {
  if (!isAllowed(state, channel, userId, "UseApplicationCommands")) {
    return false;
  }
  const base = guildPermissions(guild, userId);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) {
    return true;
  }
  const own = guild.commandPermissions.get(command.id) ?? [];
  const forAll = guild.commandPermissions.get(state.application.id) ?? [];
  const channelId = channel.thread?.parentId ?? channel.id;
  const inChannel = decideForChannel(own, guild, channelId) ?? decideForChannel(forAll, guild, channelId);
  if (isTimedOut(guild, userId, clock.now()) || inChannel === false) {
    return false;
  }
  const byCommand = decideForUser(own, guild, userId);
  if (byCommand !== undefined || decideForUser(forAll, guild, userId) === false) {
    return byCommand ?? false;
  }
  const wanted = command.defaultMemberPermissions;
  return wanted === undefined || (wanted !== "0" && (base & BigInt(wanted)) === BigInt(wanted));
}

function decideForChannel(
  decisions: readonly CommandPermission[],
  guild: Guild,
  channelId: string,
): boolean | undefined {
  const ofChannels = decisions.filter(({ kind }) => kind === ApplicationCommandPermissionType.Channel);
  const allChannels = String(BigInt(guild.id) - 1n);
  return (
    ofChannels.find(({ id }) => id === channelId)?.allow ??
    ofChannels.find(({ id }) => id === allChannels)?.allow
  );
}

function decideForUser(
  decisions: readonly CommandPermission[],
  guild: Guild,
  userId: string,
): boolean | undefined {
  const roleIds = guild.members.get(userId)?.roleIds ?? [];
  const forRoles = decisions.filter(
    ({ kind, id }) => kind === ApplicationCommandPermissionType.Role && roleIds.includes(id),
  );
  return (
    decisions.find(({ kind, id }) => kind === ApplicationCommandPermissionType.User && id === userId)
      ?.allow ??
    (forRoles.length > 0
      ? forRoles.some(({ allow }) => allow)
      : decisions.find(({ kind, id }) => kind === ApplicationCommandPermissionType.Role && id === guild.id)
          ?.allow)
  );
}
