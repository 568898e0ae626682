// How the application is installed: in a guild for everyone, or by a user for use anywhere.
import type { Channel, Command, InstallOwners } from "../entities.ts";
import { isAllowed } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { guildAround } from "../state.ts";

/** Where an interaction happens: 0 in a guild, 1 in direct messages with the bot, 2 among other people. */
export function contextOf(platform: Platform, channel: Channel): 0 | 1 | 2 {
  if (channel.guildId !== undefined) {
    return 0;
  }
  return channel.recipientIds.includes(platform.state.application.id) ? 1 : 2;
}

/** Whether the application itself is in the guild or conversation, and not only a user who installed it. */
function isApplicationPresent(platform: Platform, channel: Channel): boolean {
  const botId = platform.state.application.id;
  const guild = guildAround(platform.state, channel);
  return guild === undefined ? channel.recipientIds.includes(botId) : guild.members.has(botId);
}

/** The installs that let a user use a command in a channel; if there are none, it is not offered there. */
export function ownersOf(
  platform: Platform,
  channel: Channel,
  userId: string,
  integrationTypes: Command["integrationTypes"],
): InstallOwners {
  const byGuild = integrationTypes.includes(0) && isApplicationPresent(platform, channel);
  const byUser = integrationTypes.includes(1) && platform.state.userInstalls.has(userId);
  return {
    ...(byGuild ? { "0": channel.guildId ?? "0" } : {}),
    ...(byUser ? { "1": userId } : {}),
  };
}

/** The limits of a guest: five follow-ups, and ephemeral answers if the user's roles require them. */
export function guestRules(
  platform: Platform,
  channel: Channel,
  userId: string,
): { readonly isGuest: boolean; readonly isEphemeralOnly: boolean } {
  const isGuest = !isApplicationPresent(platform, channel);
  return {
    isGuest,
    isEphemeralOnly: isGuest && !isAllowed(platform.state, channel, userId, "UseExternalApps"),
  };
}
