// Everything that a member sees, for the page to draw.
import type { Channel } from "../discord/entities.ts";
import { canSee } from "../discord/permissions.ts";
import { openDirectChannel } from "../discord/community.ts";
import type { ControlParts } from "./parts.ts";

/** What stands for a person's place in the guild, e.g. `Moderator`. */
function roleName({ discord }: ControlParts, userId: string): string {
  const { guild } = discord.community;
  if (guild.ownerId === userId) {
    return "Owner";
  }
  const [roleId] = guild.members.get(userId)?.roleIds ?? [];
  return guild.roles.get(roleId ?? "")?.name ?? "Member";
}

/** By name of the member and id of the channel; without a known one, the member's first. */
export function formatView(parts: ControlParts, memberName: string, channelId: string): object {
  const { discord, clock } = parts;
  const { platform, state, community } = discord;
  const { guild } = community;
  const member = discord.member(memberName);
  const channels = [...guild.channels.values(), openDirectChannel(platform, member.id)].filter((channel) =>
    canSee(channel.guildId === undefined ? undefined : guild, channel, member.id),
  );
  const known = channels.find(({ id }) => id === channelId) ?? channels[0];
  if (known === undefined) {
    throw new Error(`${memberName} sees no channel`);
  }
  return {
    guild: guild.name,
    members: [...state.users.values()]
      .filter(({ id, bot }) => !bot && guild.members.has(id))
      .map(({ id, displayName }) => ({ id, name: displayName, role: roleName(parts, id) })),
    users: [...state.users.values()].map(({ id, displayName }) => ({ id, name: displayName })),
    channels: channels.map((channel) => formatPlace(discord.applicationId, channel, state.users)),
    channel: formatPlace(discord.applicationId, known, state.users),
    messages: member.messages(known),
    commands: member.commands(known),
    clock: { nowMs: clock.now(), mode: clock.mode },
  };
}

/** A direct channel is called after the bot: the member is the one who looks. */
function formatPlace(
  botId: string,
  { id, kind, name }: Channel,
  users: ReadonlyMap<string, { readonly displayName: string }>,
): object {
  return { id, kind, name: kind === 1 ? (users.get(botId)?.displayName ?? name) : name };
}
