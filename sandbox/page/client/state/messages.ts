// The messages of the open channel, and which channels have unread ones.
import { signal } from "@preact/signals";
import type { ChatMessage } from "../../../control/chat/api.ts";
import type { MessageChange } from "../../../control/api/events.ts";
import { ask } from "../api/request.ts";
import { nowMs } from "./clock.ts";
import { coalesce } from "./coalesce.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { scene } from "./scene.ts";
import { channelId, memberName } from "./session.ts";

/** Oldest first. */
export const messages = signal<readonly ChatMessage[]>([]);

export const areMessagesLoaded = signal(false);

/** The ids of channels. */
export const unread = signal<ReadonlySet<string>>(new Set());

/** The ids of messages that arrived while the page was open. */
const arrived = new Set<string>();

/** Ephemeral messages disappear when the page is reloaded, as in Discord's client. */
const withoutOldEphemeral = (all: readonly ChatMessage[]) =>
  all.filter(({ ephemeral, id }) => !ephemeral || arrived.has(id));

const placeNow = () => ({ member: memberName.value, channel: channelId.value });

const isStillAt = ({ member, channel }: ReturnType<typeof placeNow>) =>
  member === memberName.value && channel === channelId.value;

export function clearMessages(): void {
  messages.value = [];
  areMessagesLoaded.value = false;
}

export const refreshMessages = coalesce(async () => {
  const place = placeNow();
  const fetched = withoutOldEphemeral(await ask<readonly ChatMessage[]>("chat/messages", place));
  if (isStillAt(place)) {
    messages.value = keepUnchanged(messages.value, fetched, nowMs());
    areMessagesLoaded.value = true;
  }
});

/** Handles changes in all channels, not only in the open one. */
export function handleMessageChange({
  channelId: channel,
  messageId,
  isNew,
  visibleTo,
}: MessageChange): void {
  if (isNew) {
    arrived.add(messageId);
  }
  if (channel === channelId.value) {
    // If the sandbox is unreachable, the page says so, and fetches everything again after it reconnects.
    void refreshMessages().catch(() => undefined);
  } else if (isNew && (visibleTo === null || visibleTo === scene.value?.me.id)) {
    markUnread(channel, true);
  }
}

export function markUnread(channel: string, isUnread: boolean): void {
  if (unread.value.has(channel) !== isUnread) {
    const next = new Set(unread.value);
    next[isUnread ? "add" : "delete"](channel);
    unread.value = next;
  }
}
