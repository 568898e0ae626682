// Posting, editing and deleting, whoever does it and by whichever route.
import { isGiven } from "../validate/is-given.ts";
import type { Channel, Message, MessageOrigin } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { MESSAGE_FLAGS } from "../serialise/message.ts";
import type { MessageForm } from "../validate/message.ts";
import { refuseDraft } from "../validate/message.ts";
import { numberComponents } from "../validate/tree.ts";
import { settleAttachments, type UploadedFile } from "./attachments.ts";
import { findPings } from "./mentions.ts";

/** What a request brings. */
export interface MessageRequest {
  readonly form: MessageForm;
  readonly files: readonly UploadedFile[];
}

/** Who posts, where, and as what. */
export interface Posting {
  readonly channel: Channel;
  readonly authorId: string;
  readonly kind: Message["kind"];
  readonly origin?: MessageOrigin;
  readonly visibleTo?: string | undefined;
}

/** For so long a nonce is remembered: Discord says "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;

const POST_FLAGS = MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.silent | MESSAGE_FLAGS.componentsV2;

function firstByNonce(platform: Platform, key: string): Message | undefined {
  const first = platform.state.nonces.get(key);
  return first !== undefined && first.createdAtMs + NONCE_LIFE_MS > platform.clock.now() ? first : undefined;
}

/** Posts a message, or gives back the first one with an enforced nonce. Throws 50006, 50035, 40005, 10008. */
export function postMessage(platform: Platform, posting: Posting, request: MessageRequest): Message {
  const { state, ids, clock, changes } = platform;
  const { channel, authorId } = posting;
  const { form } = request;
  const nonceKey = `${channel.id}:${authorId}:${form.nonce ?? ""}`;
  const first = form.enforce_nonce && form.nonce ? firstByNonce(platform, nonceKey) : undefined;
  if (first !== undefined) {
    return first;
  }
  const flags =
    ((form.flags ?? 0) & POST_FLAGS) | (posting.visibleTo === undefined ? 0 : MESSAGE_FLAGS.ephemeral);
  const repliesTo = form.message_reference?.message_id;
  const target = repliesTo === undefined ? undefined : channel.messages.get(repliesTo);
  if (
    repliesTo !== undefined &&
    target === undefined &&
    form.message_reference?.fail_if_not_exists !== false
  ) {
    throw refusal("unknownMessage");
  }
  const attachments = settleAttachments(platform, channel.id, request);
  refuseDraft({
    content: form.content ?? "",
    embeds: form.embeds ?? [],
    components: form.components ?? [],
    fileNames: attachments.map(({ filename }) => filename),
    flags,
    hasPoll: isGiven(form.poll),
    hasStickers: (form.sticker_ids ?? []).length > 0,
  });
  const pings = findPings(form, posting.origin === undefined ? "channel" : "webhook", target?.authorId);
  const message: Message = {
    id: ids.next(),
    channelId: channel.id,
    guildId: channel.guildId,
    authorId,
    kind: posting.kind === 0 && target !== undefined ? 19 : posting.kind,
    content: form.content ?? "",
    flags,
    embeds: form.embeds ?? [],
    components: numberComponents(form.components ?? []),
    attachments,
    mentionedUserIds: pings.userIds.filter((id) => state.users.has(id)),
    mentionsEveryone: pings.everyone,
    createdAtMs: clock.now(),
    editedAtMs: undefined,
    nonce: form.nonce ?? undefined,
    repliesTo: target?.id,
    origin: posting.origin,
    visibleTo: posting.visibleTo,
  };
  if (form.nonce) {
    state.nonces.set(nonceKey, message);
  }
  channel.messages.set(message.id, message);
  changes.tell({ type: "message-created", message });
  return message;
}

/** Puts the "thinking…" of a deferred answer into its channel. */
export function postThinking(
  platform: Platform,
  posting: Posting & { readonly origin: MessageOrigin },
): Message {
  const { ids, clock, changes } = platform;
  const isPrivate = posting.visibleTo !== undefined;
  const message: Message = {
    id: ids.next(),
    channelId: posting.channel.id,
    guildId: posting.channel.guildId,
    authorId: posting.authorId,
    kind: posting.kind,
    content: "",
    flags: MESSAGE_FLAGS.loading | (isPrivate ? MESSAGE_FLAGS.ephemeral : 0),
    embeds: [],
    components: [],
    attachments: [],
    mentionedUserIds: [],
    mentionsEveryone: false,
    createdAtMs: clock.now(),
    editedAtMs: undefined,
    nonce: undefined,
    repliesTo: undefined,
    origin: posting.origin,
    visibleTo: posting.visibleTo,
  };
  posting.channel.messages.set(message.id, message);
  changes.tell({ type: "message-created", message });
  return message;
}

/** Edits a message in place. Fields that are absent stay. Throws 50006, 50035, 40005. */
export function editMessage(platform: Platform, message: Message, request: MessageRequest): Message {
  const { form } = request;
  const wasLoading = (message.flags & MESSAGE_FLAGS.loading) !== 0;
  const wanted = form.flags ?? message.flags;
  const flags =
    (message.flags & ~MESSAGE_FLAGS.loading & ~MESSAGE_FLAGS.suppressEmbeds) |
    (wanted & (MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.componentsV2));
  const content = form.content === undefined ? message.content : (form.content ?? "");
  const embeds = form.embeds === undefined ? message.embeds : (form.embeds ?? []);
  const components = form.components === undefined ? message.components : (form.components ?? []);
  const attachments = settleAttachments(platform, message.channelId, request, message.attachments);
  refuseDraft({
    content,
    embeds,
    components,
    fileNames: attachments.map(({ filename }) => filename),
    flags,
    hasPoll: isGiven(form.poll),
    hasStickers: (form.sticker_ids ?? []).length > 0,
  });
  message.content = content;
  message.embeds = embeds;
  message.components = numberComponents(components);
  message.attachments = attachments;
  message.flags = flags;
  // An edit pings nobody; only the first real answer after "thinking…" does.
  message.mentionedUserIds = wasLoading
    ? findPings(form, "webhook", undefined).userIds.filter((id) => platform.state.users.has(id))
    : message.mentionedUserIds;
  message.editedAtMs = wasLoading ? undefined : platform.clock.now();
  platform.changes.tell({ type: "message-updated", message });
  return message;
}

/** Takes a message away, and its files with it. */
export function deleteMessage(platform: Platform, channel: Channel, message: Message): void {
  channel.messages.delete(message.id);
  for (const { id } of message.attachments) {
    platform.state.attachments.delete(id);
  }
  platform.changes.tell({ type: "message-deleted", message });
}
