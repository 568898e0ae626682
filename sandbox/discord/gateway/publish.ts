// Sends events to sessions: READY and the guilds first, then every change that their intents allow.
import { GatewayIntentBits } from "discord-api-types/v10";
import type { Change } from "../changes.ts";
import type { Guild, Message } from "../entities.ts";
import type { Platform } from "../platform.ts";
import { isHiddenFromBot } from "../rules/privileged.ts";
import { formatCommandPermissions } from "../serialise/command.ts";
import { formatMessage } from "../serialise/message.ts";
import { formatChannel, formatGuildCreate, formatSelf } from "../serialise/people.ts";
import { canSee } from "../permissions.ts";
import { shardOf } from "../snowflake.ts";
import { guildAround, userOf } from "../state.ts";
import type { Session } from "./session.ts";

/** The sessions that receive a guild's events; events without a guild go to shard 0. */
export function* sessionsFor(
  sessions: ReadonlyMap<string, Session>,
  guildId: string | undefined,
): Generator<Session> {
  for (const session of sessions.values()) {
    const shard = guildId === undefined ? 0 : shardOf(guildId, session.shard.count);
    if (session.shard.id === shard) {
      yield session;
    }
  }
}

const EVENTS = {
  "message-created": "MESSAGE_CREATE",
  "message-updated": "MESSAGE_UPDATE",
  "message-deleted": "MESSAGE_DELETE",
  "channel-created": "CHANNEL_CREATE",
  "channel-deleted": "CHANNEL_DELETE",
  "thread-created": "THREAD_CREATE",
  "thread-updated": "THREAD_UPDATE",
} as const;

export function publish(platform: Platform, sessions: ReadonlyMap<string, Session>, change: Change): void {
  const { application } = platform.state;

  /** Sends to the sessions that have the intent, or to all if `intent` is `undefined`. */
  function dispatch(
    guildId: string | undefined,
    intent: number | undefined,
    name: string,
    data: object,
  ): void {
    for (const session of sessionsFor(sessions, guildId)) {
      if (intent === undefined || (session.intents & intent) !== 0) {
        session.dispatch(name, data);
      }
    }
  }

  switch (change.type) {
    case "message-created":
    case "message-updated":
    case "message-deleted":
      publishMessage(platform, sessions, change.type, change.message);
      return;
    case "guild-joined":
      for (const session of sessionsFor(sessions, change.guild.id)) {
        sendGuild(platform, session, change.guild);
      }
      return;
    case "guild-left": {
      const { guild, unavailable } = change;
      const data = { id: guild.id, ...(unavailable ? { unavailable } : {}) };
      dispatch(guild.id, GatewayIntentBits.Guilds, "GUILD_DELETE", data);
      return;
    }
    case "command-permissions-changed": {
      const { guild, commandId } = change;
      const permissions = guild.commandPermissions.get(commandId) ?? [];
      const data = formatCommandPermissions(platform, guild.id, commandId, permissions);
      dispatch(guild.id, undefined, "APPLICATION_COMMAND_PERMISSIONS_UPDATE", data);
      return;
    }
    case "channel-created":
    case "channel-deleted": {
      // Bots get no events about direct channels.
      const { channel, type } = change;
      if (guildAround(platform.state, channel)?.members.has(application.id)) {
        dispatch(channel.guildId, GatewayIntentBits.Guilds, EVENTS[type], formatChannel(platform, channel));
      }
      return;
    }
    case "thread-created":
    case "thread-updated": {
      const { channel, type } = change;
      if (canSee(platform.state, channel, application.id)) {
        const news = type === "thread-created" ? { newly_created: true } : {};
        dispatch(channel.guildId, GatewayIntentBits.Guilds, EVENTS[type], {
          ...formatChannel(platform, channel),
          ...news,
        });
      }
      return;
    }
    // Bots get no events about commands or other people's interactions.
    case "commands-changed":
    case "interaction-changed":
  }
}

function publishMessage(
  platform: Platform,
  sessions: ReadonlyMap<string, Session>,
  type: "message-created" | "message-updated" | "message-deleted",
  message: Message,
): void {
  if (message.visibleTo !== undefined) {
    return;
  }
  const { state } = platform;
  const channel = state.channels.get(message.channelId);
  if (channel === undefined || !canSee(state, channel, state.application.id)) {
    return;
  }
  const wanted =
    message.guildId === undefined ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
  for (const session of sessionsFor(sessions, message.guildId)) {
    if ((session.intents & wanted) === 0) {
      continue;
    }
    const readsAll = (session.intents & GatewayIntentBits.MessageContent) !== 0;
    const blank = !readsAll && isHiddenFromBot(platform, message);
    session.dispatch(
      EVENTS[type],
      type === "message-deleted"
        ? {
            id: message.id,
            channel_id: message.channelId,
            ...(message.guildId === undefined ? {} : { guild_id: message.guildId }),
          }
        : {
            ...formatMessage(platform, message, { blank, readsAll, withMember: true }),
            channel_type: channel.kind,
          },
    );
  }
}

/** Sends READY, then the shard's guilds one by one. */
export function greet(platform: Platform, session: Session): void {
  const { state, settings } = platform;
  const { application } = state;
  const guilds = [...state.guilds.values()].filter(
    (guild) =>
      guild.members.has(application.id) && shardOf(guild.id, session.shard.count) === session.shard.id,
  );
  session.dispatch("READY", {
    v: 10,
    user: formatSelf(userOf(state, application.id)),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: settings.resumeUrl ?? `${platform.baseUrl.replace("http", "ws")}/gateway`,
    application: { id: application.id, flags: 0 },
    shard: [session.shard.id, session.shard.count],
    private_channels: [],
    relationships: [],
    _trace: [],
  });
  for (const guild of guilds) {
    sendGuild(platform, session, guild);
  }
}

/** Sends GUILD_CREATE with as much as the session's intents allow. */
function sendGuild(platform: Platform, session: Session, guild: Guild): void {
  if ((session.intents & GatewayIntentBits.Guilds) !== 0) {
    const includesMembers = (session.intents & GatewayIntentBits.GuildPresences) !== 0;
    session.dispatch("GUILD_CREATE", formatGuildCreate(platform, guild, includesMembers));
  }
}
