// Threads: archived after a time without messages, and reopened by a new message or by the bot, unless they are locked.
// No route creates a thread.
import { ChannelType } from "discord-api-types/v10";
import type { Channel, ThreadState } from "../entities.ts";
import { refusal } from "../errors.ts";
import { createChannel } from "../guilds.ts";
import { isAllowed } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { guildOf } from "../state.ts";

/** Three days, the default of most clients. */
const DEFAULT_ARCHIVE_MINUTES = 4320;

/** Starts a public thread "delays" below a channel on behalf of the guild's owner, and notifies the bot. */
export function startThread(
  platform: Platform,
  parent: Channel,
  archiveAfterMinutes: number = DEFAULT_ARCHIVE_MINUTES,
): Channel & { readonly thread: ThreadState } {
  const { state, clock, changes } = platform;
  const guild = guildOf(state, parent.guildId ?? "");
  const thread: ThreadState = {
    ownerId: guild.ownerId,
    parentId: parent.id,
    isArchived: false,
    isLocked: false,
    archiveAfterMinutes,
    activeAtMs: clock.now(),
    archiveChangedAtMs: clock.now(),
  };
  const kind =
    parent.kind === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread;
  const channel = createChannel(platform, { kind, guildId: guild.id, name: "delays", thread });
  guild.threads.set(channel.id, channel);
  changes.emit({ type: "thread-created", channel });
  return Object.assign(channel, { thread });
}

/** Whether a thread is archived now, by a person or after a time without messages. */
export function isArchived(platform: Platform, thread: ThreadState): boolean {
  return thread.isArchived || thread.activeAtMs + thread.archiveAfterMinutes * 60_000 <= platform.clock.now();
}

/** Throws 50083 if a channel is an archived thread, in which no message can be changed. */
export function refuseArchived(platform: Platform, channel: Channel): void {
  if (channel.thread !== undefined && isArchived(platform, channel.thread)) {
    throw refusal("archivedThread");
  }
}

/** Reopens an archived thread, because somebody writes in it. Throws 160005 if the thread is locked. */
export function openForWriting(platform: Platform, channel: Channel, authorId: string): void {
  if (channel.thread !== undefined) {
    open(platform, channel, channel.thread, authorId, "threadLocked");
  }
}

/** Everyone who sees a thread may reopen it. Throws 50013 for a locked one, 50024 for another channel. */
export function openThread(platform: Platform, channel: Channel, userId: string): void {
  if (channel.thread === undefined) {
    throw refusal("wrongChannelKind");
  }
  open(platform, channel, channel.thread, userId, "missingPermissions");
}

function open(
  platform: Platform,
  channel: Channel,
  thread: ThreadState,
  userId: string,
  whenLocked: "threadLocked" | "missingPermissions",
): void {
  if (thread.isLocked && !isAllowed(platform.state, channel, userId, "ManageThreads")) {
    throw refusal(whenLocked);
  }
  const wasArchived = isArchived(platform, thread);
  thread.activeAtMs = platform.clock.now();
  if (wasArchived) {
    thread.isArchived = false;
    thread.archiveChangedAtMs = platform.clock.now();
    platform.changes.emit({ type: "thread-updated", channel });
  }
}
