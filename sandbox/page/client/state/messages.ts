// The messages of the open channel. Only what changed is drawn anew.
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

/** Whether the open channel's messages have come. */
export const areMessagesLoaded = signal(false);

/** Channels in which something was said that the member has not looked at. */
export const unread = signal<ReadonlySet<string>>(new Set());

/** Messages that came while the page was open. */
const arrived = new Set<string>();

/** Answers that one person alone sees are gone when the page is opened anew, as in Discord's client. */
const withoutOldEphemeral = (all: readonly ChatMessage[]) =>
  all.filter(({ ephemeral, id }) => !ephemeral || arrived.has(id));

const placeNow = () => ({ member: memberName.value, channel: channelId.value });

const isStillAt = ({ member, channel }: ReturnType<typeof placeNow>) =>
  member === memberName.value && channel === channelId.value;

/** Forgets all, for another member or channel. */
export function clearMessages(): void {
  messages.value = [];
  areMessagesLoaded.value = false;
}

/** Fetches the whole channel. */
export const refreshMessages = coalesce(async () => {
  const place = placeNow();
  const fetched = withoutOldEphemeral(await ask<readonly ChatMessage[]>("chat/messages", place));
  if (isStillAt(place)) {
    messages.value = keepUnchanged(messages.value, fetched, nowMs());
    areMessagesLoaded.value = true;
  }
});

/** A message somewhere is new, or another than before, or gone. */
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
    // A break is told of by the stream; when it is over, all is fetched anew.
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
