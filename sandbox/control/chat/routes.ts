// Routes that the page's chat reads. A member's actions go through ../action.ts.
import { ChannelType, MessageType } from "discord-api-types/v10";
import { Hono } from "hono";
import { isVisibleTo, seeMessage } from "../../discord/actors/see.ts";
import type { Channel, Guild, Message, User } from "../../discord/entities.ts";
import type { Platform } from "../../discord/platform.ts";
import { mayDelete } from "../../discord/rules/member-messages.ts";
import { requireVisibleChannel } from "../../discord/actors/send-interaction.ts";
import { commandsOffered } from "../../discord/rules/commands.ts";
import { channelOf, userOf } from "../../discord/state.ts";
import type { ControlParts } from "../parts.ts";
import type { ChatMessage, OfferedCommand, Person, Scene, SceneChannel, SceneGuild } from "./api.ts";
import { openDirectChannel } from "../../discord/guilds.ts";
import { canSee, isAllowed, permissionToWrite } from "../../discord/permissions.ts";
import { isArchived } from "../../discord/rules/threads.ts";

/** `GET /scene?member=`, `GET /commands?member=&channel=`, `GET /messages?member=&channel=`. */
export function chatRoutes(parts: ControlParts): Hono {
  const { platform, state } = parts.discord;
  const readTarget = ({ member = "", channel = "" }: Record<string, string>) => {
    const user = userOf(state, parts.discord.member(member).id);
    const place = channelOf(state, channel);
    requireVisibleChannel(platform, user, place);
    return { user, channel: place };
  };
  return new Hono()
    .get("/scene", (context) => context.json(formatScene(parts, context.req.query("member") ?? "")))
    .get("/commands", (context) => {
      const { user, channel } = readTarget(context.req.query());
      const commands = commandsOffered(platform, channel, user.id).map(
        ({ kind, name, description, options }): OfferedCommand => ({ kind, name, description, options }),
      );
      return context.json(commands);
    })
    .get("/messages", (context) => {
      const { user, channel } = readTarget(context.req.query());
      // Oldest first.
      const seen = [...channel.messages.values()].filter((message) => isVisibleTo(message, user.id));
      return context.json(seen.map((message) => formatMessage(platform, channel, message, user)));
    });
}

function formatMessage(platform: Platform, channel: Channel, message: Message, user: User): ChatMessage {
  const { origin, kind } = message;
  const command = origin?.commandName;
  const touch = { channel, message, userId: user.id };
  return {
    ...seeMessage(platform, message),
    used:
      origin === undefined || command === undefined
        ? undefined
        : {
            userId: origin.userId,
            command: kind === MessageType.ContextMenuCommand ? command : `/${command}`,
          },
    interactionId: origin?.interactionId,
    mayDelete: mayDelete(platform, touch),
  };
}

/** What the member of this name sees. Throws if nobody has the name. */
function formatScene({ discord }: ControlParts, memberName: string): Scene {
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
      formatChannel(discord, channel, me),
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
      .filter((channel) => canSee(discord.state, channel, me.id))
      .map((channel) => formatChannel(discord, channel, me)),
  };
}

/** A direct conversation is named after its other participants. */
function formatChannel({ state }: ControlParts["discord"], channel: Channel, me: User): SceneChannel {
  const others = channel.recipientIds.filter((id) => id !== me.id);
  return {
    id: channel.id,
    kind: channel.kind,
    name:
      channel.guildId === undefined
        ? others.map((id) => state.users.get(id)?.displayName ?? "?").join(", ")
        : channel.name,
    guildId: channel.guildId,
    parentId: channel.thread?.parentId,
    canWrite:
      channel.kind !== ChannelType.GuildForum && isAllowed(state, channel, me.id, permissionToWrite(channel)),
    recipientIds: others,
  };
}
