// The places and people that a member sees.
import { PermissionFlagsBits } from "discord-api-types/v10";
import { openDirectChannel } from "../../discord/guilds.ts";
import type { Channel, Guild, User } from "../../discord/entities.ts";
import { canSee, channelPermissions, hasPermissions, permissionToWrite } from "../../discord/permissions.ts";
import { isArchived } from "../../discord/rules/threads.ts";
import { userOf } from "../../discord/state.ts";
import type { ControlParts } from "../parts.ts";
import type { Person, Scene, SceneChannel, SceneGuild } from "./api.ts";

const FORUM = 15;

/** By name of the member. Throws for a name that nobody has. */
export function formatScene({ discord }: ControlParts, memberName: string): Scene {
  const { platform, state, settings, applicationId } = discord;
  const me = userOf(state, discord.member(memberName).id);
  const first = openDirectChannel(platform, me.id);
  const directs = [...state.channels.values()].filter(
    (channel) => channel.guildId === undefined && channel.recipientIds.includes(me.id),
  );
  return {
    me: formatPerson(me),
    botId: applicationId,
    guilds: [...state.guilds.values()]
      .filter(({ members }) => members.has(me.id))
      .map((guild) => formatGuild(discord, guild, me)),
    directs: [first, ...directs.filter((channel) => channel !== first)].map((channel) =>
      formatChannel(discord, undefined, channel, me),
    ),
    people: [...state.users.values()].map(formatPerson),
    uploadLimitBytes: settings.attachmentSizeLimitBytes,
  };
}

function formatPerson({ id, displayName, bot }: User): Person {
  return { id, name: displayName, bot };
}

function formatGuild(discord: ControlParts["discord"], guild: Guild, me: User): SceneGuild {
  const threads = [...guild.threads.values()].filter(
    ({ thread }) => thread !== undefined && !isArchived(discord.platform, thread),
  );
  return {
    id: guild.id,
    name: guild.name,
    ownerId: guild.ownerId,
    roles: [...guild.roles.values()]
      .filter(({ id }) => id !== guild.id)
      .map(({ id, name, position }) => ({ id, name, position }))
      .toSorted((a, b) => b.position - a.position),
    members: [...guild.members.values()].map(({ userId, roleIds }) => ({ userId, roleIds: [...roleIds] })),
    channels: [...guild.channels.values(), ...threads]
      .filter((channel) => canSee(guild, channel, me.id))
      .map((channel) => formatChannel(discord, guild, channel, me)),
  };
}

/** A conversation is called after the others in it. */
function formatChannel(
  { state }: ControlParts["discord"],
  guild: Guild | undefined,
  channel: Channel,
  me: User,
): SceneChannel {
  const others = channel.recipientIds.filter((id) => id !== me.id);
  const wanted = PermissionFlagsBits[permissionToWrite(channel)];
  return {
    id: channel.id,
    kind: channel.kind,
    name:
      guild === undefined
        ? others.map((id) => state.users.get(id)?.displayName ?? "?").join(", ")
        : channel.name,
    guildId: channel.guildId,
    parentId: channel.thread?.parentId,
    canWrite: channel.kind !== FORUM && hasPermissions(channelPermissions(guild, channel, me.id), wanted),
    recipientIds: others,
  };
}
