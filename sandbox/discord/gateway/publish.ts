// Turns each change into the gateway events of each session.
import type { Change } from "../changes.ts";
import type { Channel, Message } from "../entities.ts";
import type { Platform } from "../platform.ts";
import { isHiddenFromBot } from "../rules/privileged.ts";
import { formatCommandPermissions } from "../serialise/command.ts";
import { formatMessage } from "../serialise/message.ts";
import { formatChannel } from "../serialise/people.ts";
import { canSee } from "../permissions.ts";
import { shardOf } from "../snowflake.ts";
import { tellGuild } from "./greet.ts";
import { INTENTS } from "./identify.ts";
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

/** Sends a change to the sessions, each as its intents allow. */
export function publish(platform: Platform, sessions: ReadonlyMap<string, Session>, change: Change): void {
  switch (change.type) {
    case "message-created":
    case "message-updated":
    case "message-deleted":
      publishMessage(platform, sessions, change.type, change.message);
      return;
    case "guild-joined":
      for (const session of sessionsFor(sessions, change.guild.id)) {
        tellGuild(platform, session, change.guild);
      }
      return;
    case "guild-left":
      for (const session of sessionsFor(sessions, change.guild.id)) {
        if ((session.intents & INTENTS.guilds) !== 0) {
          const outage = change.unavailable ? { unavailable: true } : {};
          session.dispatch("GUILD_DELETE", { id: change.guild.id, ...outage });
        }
      }
      return;
    case "command-permissions-changed": {
      const { guild, commandId } = change;
      const permissions = guild.commandPermissions.get(commandId) ?? [];
      for (const session of sessionsFor(sessions, guild.id)) {
        session.dispatch(
          "APPLICATION_COMMAND_PERMISSIONS_UPDATE",
          formatCommandPermissions(platform, guild.id, commandId, permissions),
        );
      }
      return;
    }
    case "channel-created":
    case "channel-deleted":
      publishChannel(platform, sessions, change.type, change.channel);
      return;
    case "thread-created":
    case "thread-updated":
      publishThread(platform, sessions, change.type, change.channel);
      return;
    // Bots get no events about commands or other people's interactions.
    case "commands-changed":
    case "interaction-changed":
  }
}

/** Bots get no events about direct channels. */
function publishChannel(
  platform: Platform,
  sessions: ReadonlyMap<string, Session>,
  type: "channel-created" | "channel-deleted",
  channel: Channel,
): void {
  if (channel.guildId === undefined) {
    return;
  }
  const { guilds, application } = platform.state;
  if (!guilds.get(channel.guildId)?.members.has(application.id)) {
    return;
  }
  for (const session of sessionsFor(sessions, channel.guildId)) {
    if ((session.intents & INTENTS.guilds) !== 0) {
      session.dispatch(
        type === "channel-created" ? "CHANNEL_CREATE" : "CHANNEL_DELETE",
        formatChannel(platform, channel),
      );
    }
  }
}

const THREAD_EVENTS = {
  "thread-created": "THREAD_CREATE",
  "thread-updated": "THREAD_UPDATE",
} as const;

function publishThread(
  platform: Platform,
  sessions: ReadonlyMap<string, Session>,
  type: keyof typeof THREAD_EVENTS,
  channel: Channel,
): void {
  const { guilds, application } = platform.state;
  const guild = guilds.get(channel.guildId ?? "");
  if (guild === undefined || !canSee(guild, channel, application.id)) {
    return;
  }
  const news = {
    ...formatChannel(platform, channel),
    ...(type === "thread-created" ? { newly_created: true } : {}),
  };
  for (const session of sessionsFor(sessions, guild.id)) {
    if ((session.intents & INTENTS.guilds) !== 0) {
      session.dispatch(THREAD_EVENTS[type], news);
    }
  }
}

const EVENT_NAMES = {
  "message-created": "MESSAGE_CREATE",
  "message-updated": "MESSAGE_UPDATE",
  "message-deleted": "MESSAGE_DELETE",
} as const;

function publishMessage(
  platform: Platform,
  sessions: ReadonlyMap<string, Session>,
  type: keyof typeof EVENT_NAMES,
  message: Message,
): void {
  if (message.visibleTo !== undefined) {
    return;
  }
  const { state } = platform;
  const channel = state.channels.get(message.channelId);
  const guild = message.guildId === undefined ? undefined : state.guilds.get(message.guildId);
  if (channel === undefined || !canSee(guild, channel, state.application.id)) {
    return;
  }
  const wanted = message.guildId === undefined ? INTENTS.directMessages : INTENTS.guildMessages;
  for (const session of sessionsFor(sessions, message.guildId)) {
    if ((session.intents & wanted) === 0) {
      continue;
    }
    const readsAll = (session.intents & INTENTS.messageContent) !== 0;
    const blank = !readsAll && isHiddenFromBot(platform, message);
    session.dispatch(
      EVENT_NAMES[type],
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
