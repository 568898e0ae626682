// Turns a member's action into an interaction, and checks what the member can see and use.
import type { Channel, Command, InstallOwners, Interaction, User } from "../entities.ts";
import type { Gateway } from "../gateway/server.ts";
import { applicationPermissions, canSee, channelPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { commandsOffered } from "../rules/commands.ts";
import { contextOf, guestRules, ownersOf } from "../rules/installs.ts";
import { createInteraction } from "../rules/interactions.ts";
import { formatMessage } from "../serialise/message.ts";
import { formatChannel, formatMember, formatUser } from "../serialise/people.ts";
import { channelOf, guildAround, messageOf, userOf } from "../state.ts";
import type { SeenMessage } from "./member-types.ts";
import { isVisibleTo } from "./see.ts";

export interface ActorContext {
  readonly platform: Platform;
  readonly gateway: Gateway;
}

/** Creates an interaction and sends it to the bot's shard. Throws if no bot is logged in there. */
export function sendInteraction(
  { platform, gateway }: ActorContext,
  user: User,
  channel: Channel,
  what: Pick<Interaction, "kind"> &
    Partial<Pick<Interaction, "command" | "commandName" | "messageId" | "owners" | "focusedType">>,
  data: object,
): Interaction {
  const { guildId } = channel;
  if (!gateway.hasSession(guildId)) {
    throw new Error("no bot is logged in to receive this interaction");
  }
  const interaction = createInteraction(platform, {
    kind: what.kind,
    command: what.command,
    commandName: what.commandName ?? what.command?.name,
    owners: what.owners ?? ownersHere(platform, user, channel, what),
    ...guestRules(platform, channel, user.id),
    messageId: what.messageId,
    focusedType: what.focusedType,
    userId: user.id,
    channelId: channel.id,
    guildId,
  });
  gateway.dispatch("INTERACTION_CREATE", guildId, formatInteraction(platform, interaction, channel, data));
  return interaction;
}

/**
 * The installs under which an interaction happens: for a command, its own; for a component, those of the interaction
 * that its message answers, or the guild's if the bot posted the message without one.
 */
function ownersHere(
  platform: Platform,
  user: User,
  channel: Channel,
  { command, messageId }: Partial<Pick<Interaction, "command" | "messageId">>,
): InstallOwners {
  if (command !== undefined) {
    return ownersOf(platform, channel, user.id, command.integrationTypes);
  }
  return channel.messages.get(messageId ?? "")?.origin?.owners ?? { "0": channel.guildId ?? "0" };
}

/** The complete data of INTERACTION_CREATE; `data` is the part that depends on the action. */
function formatInteraction(
  platform: Platform,
  interaction: Interaction,
  channel: Channel,
  data: object,
): object {
  const { state, settings } = platform;
  const user = userOf(state, interaction.userId);
  const guild = guildAround(state, interaction);
  const member = guild?.members.get(user.id);
  const who =
    guild === undefined || member === undefined
      ? { user: formatUser(user) }
      : {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.preferredLocale, features: [] },
          guild_locale: guild.preferredLocale,
          member: {
            ...formatMember(platform, member),
            permissions: String(channelPermissions(state, channel, user.id)),
          },
        };
  return {
    id: interaction.id,
    application_id: state.application.id,
    type: interaction.kind,
    token: interaction.token,
    version: 1,
    channel_id: channel.id,
    channel: formatChannel(platform, channel),
    ...who,
    app_permissions: String(applicationPermissions(state, channel, user.id)),
    locale: user.locale,
    entitlements: [],
    authorizing_integration_owners: interaction.owners,
    context: contextOf(platform, channel),
    attachment_size_limit: settings.attachmentSizeLimitBytes,
    ...(interaction.messageId === undefined
      ? {}
      : { message: formatMessage(platform, messageOf(channel, interaction.messageId)) }),
    data,
  };
}

export function requireVisibleChannel(platform: Platform, user: User, channel: Channel): void {
  if (!canSee(platform.state, channel, user.id)) {
    throw new Error(`${user.displayName} does not see ${channel.name}`);
  }
}

/** A command by name and kind (1 slash, 2 user menu, 3 message menu). Throws if the client would not offer it. */
export function requireCommand(
  platform: Platform,
  user: User,
  channel: Channel,
  kind: Command["kind"],
  name: string,
): Command {
  const offered = commandsOffered(platform, channel, user.id).filter((command) => command.kind === kind);
  const command = offered.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const exists = [...platform.state.commands.values()].some(
      (candidate) => candidate.kind === kind && candidate.name === name,
    );
    const why = exists
      ? `${user.displayName} may not use ${name} in ${channel.name}`
      : `there is no ${name}: ${offered.map((candidate) => candidate.name).join(", ") || "no commands at all"}`;
    throw new Error(why);
  }
  return command;
}

/** The channel and message that a user sees. Throws if they do not see them, or no longer do. */
export function requireMessage(platform: Platform, user: User, seen: SeenMessage) {
  const channel = channelOf(platform.state, seen.channelId);
  requireVisibleChannel(platform, user, channel);
  const message = messageOf(channel, seen.id);
  if (!isVisibleTo(message, user.id)) {
    throw new Error(`${user.displayName} does not see this message`);
  }
  return { channel, message };
}
