// Threads: created in a channel or from a message, archived after a time without messages, reopened by a new message
// unless locked.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Guild, Message, ThreadState } from "../entities.ts";
import { refusal } from "../errors.ts";
import { channelPermissions, hasPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { MESSAGE_FLAGS } from "../serialise/message.ts";
import { guildOf } from "../state.ts";
import type { ThreadForm } from "../validate/thread.ts";
import { isArchived } from "./archived.ts";

/** Three days, the default of most clients. */
const DEFAULT_ARCHIVE_MINUTES = 4320;

const ANNOUNCEMENT = 5;

/** Creates a thread in a text (0), announcement (5) or forum (15) channel. Throws 50024, 160004, 10004. */
export function startThread(
  platform: Platform,
  parent: Channel,
  form: ThreadForm,
  {
    ownerId,
    kind,
    starter,
  }: { readonly ownerId: string; readonly kind: 11 | 12; readonly starter?: Message },
): Channel {
  const { state, ids, clock, changes } = platform;
  const guild = guildOf(state, parent.guildId ?? "");
  if (parent.thread !== undefined) {
    throw refusal("wrongChannelKind");
  }
  if (starter !== undefined && guild.threads.has(starter.id)) {
    throw refusal("threadExists");
  }
  const thread: Channel = {
    id: starter?.id ?? ids.next(),
    kind: parent.kind === ANNOUNCEMENT ? 10 : kind,
    guildId: guild.id,
    name: form.name,
    position: 0,
    overwrites: [],
    recipientIds: [],
    thread: {
      ownerId,
      parentId: parent.id,
      name: form.name,
      isArchived: false,
      isLocked: false,
      archiveAfterMinutes: form.auto_archive_duration ?? DEFAULT_ARCHIVE_MINUTES,
      activeAtMs: clock.now(),
      archiveChangedAtMs: clock.now(),
      memberIds: new Set([ownerId]),
    },
    messages: new Map(),
  };
  guild.threads.set(thread.id, thread);
  state.channels.set(thread.id, thread);
  if (starter !== undefined) {
    starter.flags |= MESSAGE_FLAGS.hasThread;
    changes.tell({ type: "message-updated", message: starter });
  }
  changes.tell({ type: "thread-created", channel: thread });
  return thread;
}

/** Throws 50083 for a message in an archived thread, where nothing can be changed. */
export function refuseArchived(platform: Platform, channel: Channel): void {
  if (channel.thread !== undefined && isArchived(platform, channel.thread)) {
    throw refusal("archivedThread");
  }
}

/** Call this when somebody writes: it reopens an archived thread. Throws 160005 if the thread is locked. */
export function openForWriting(platform: Platform, channel: Channel, authorId: string): void {
  const { thread } = channel;
  if (thread === undefined) {
    return;
  }
  const wasArchived = isArchived(platform, thread);
  if (thread.isLocked && !managesThreads(platform, channel, authorId)) {
    throw refusal("threadLocked");
  }
  thread.activeAtMs = platform.clock.now();
  thread.memberIds.add(authorId);
  if (wasArchived) {
    setArchived(platform, thread, false);
    platform.changes.tell({ type: "thread-updated", channel });
  }
}

/** The fields of a thread that can be changed. */
export interface ThreadChange {
  readonly name?: string | null | undefined;
  readonly archived?: boolean | null | undefined;
  readonly locked?: boolean | null | undefined;
  readonly auto_archive_duration?: number | null | undefined;
}

/**
 * Changes a thread. Its owner may rename and archive it, and anyone who may write in it may reopen it; everything
 * else needs MANAGE_THREADS. Throws 50013, 50083.
 */
export function changeThread(
  platform: Platform,
  channel: Channel,
  userId: string,
  change: ThreadChange,
): void {
  const { thread } = channel;
  if (thread === undefined) {
    throw refusal("wrongChannelKind");
  }
  const manages = managesThreads(platform, channel, userId);
  const wasArchived = isArchived(platform, thread);
  const opens = change.archived === false;
  const isAllowed = manages || (opens && !thread.isLocked) || (thread.ownerId === userId && !thread.isLocked);
  if (!isAllowed || (typeof change.locked === "boolean" && !manages)) {
    throw refusal("missingPermissions");
  }
  if (wasArchived && !opens) {
    throw refusal("archivedThread");
  }
  thread.name = change.name ?? thread.name;
  thread.isLocked = change.locked ?? thread.isLocked;
  thread.archiveAfterMinutes = change.auto_archive_duration ?? thread.archiveAfterMinutes;
  if (typeof change.archived === "boolean") {
    setArchived(platform, thread, change.archived);
  }
  platform.changes.tell({ type: "thread-updated", channel });
}

/** Deletes a thread with all its messages. */
export function deleteThread(platform: Platform, guild: Guild, channel: Channel): void {
  guild.threads.delete(channel.id);
  platform.state.channels.delete(channel.id);
  platform.changes.tell({ type: "thread-deleted", channel });
}

function setArchived(platform: Platform, thread: ThreadState, isNowArchived: boolean): void {
  thread.isArchived = isNowArchived;
  thread.archiveChangedAtMs = platform.clock.now();
  if (!isNowArchived) {
    thread.activeAtMs = platform.clock.now();
  }
}

function managesThreads(platform: Platform, channel: Channel, userId: string): boolean {
  const guild = platform.state.guilds.get(channel.guildId ?? "");
  return hasPermissions(channelPermissions(guild, channel, userId), PermissionFlagsBits.ManageThreads);
}
