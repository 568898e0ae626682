// Builds INTERACTION_CREATE.
import type { Channel, Interaction } from "../entities.ts";
import { applicationPermissions, channelPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { contextOf } from "../rules/installs.ts";
import { formatMessage } from "../serialise/message.ts";
import { formatChannel, formatMember, formatUser } from "../serialise/people.ts";
import { messageOf, userOf } from "../state.ts";

/** The whole event; `data` is the part that depends on the action. */
export function formatInteraction(
  platform: Platform,
  interaction: Interaction,
  channel: Channel,
  data: object,
): object {
  const { state, settings } = platform;
  const user = userOf(state, interaction.userId);
  const guild = interaction.guildId === undefined ? undefined : state.guilds.get(interaction.guildId);
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
            permissions: String(channelPermissions(guild, channel, user.id)),
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
    app_permissions: String(applicationPermissions(guild, channel, state.application.id, user.id)),
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
