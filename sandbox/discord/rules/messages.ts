// Posts, edits and deletes messages, for every author and every route.
import { MessageFlags, MessageType } from "discord-api-types/v10";
import type { Channel, Message, MessageOrigin } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { channelOf } from "../state.ts";
import type { MessageForm } from "../validate/message.ts";
import { checkDraft } from "../validate/message.ts";
import { numberComponents } from "../validate/tree.ts";
import { planAttachments, type UploadedFile } from "./attachments.ts";
import { findPings } from "./mentions.ts";
import { openForWriting } from "./threads.ts";

export interface MessageRequest {
  readonly form: MessageForm;
  readonly files: readonly UploadedFile[];
}

export interface Posting {
  readonly channel: Channel;
  readonly authorId: string;
  readonly kind: Message["kind"];
  readonly origin?: MessageOrigin;
  readonly visibleTo?: string | undefined;
  /** Called if an enforced nonce returns an older message. */
  readonly onRepeat?: () => void;
}

/** How long a nonce is remembered: Discord says "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;

const POST_FLAGS =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

/** The author's first message with this nonce, while Discord remembers it. Deletes expired nonces. */
function firstByNonce({ state: { nonces }, clock }: Platform, key: string): Message | undefined {
  for (const [old, { createdAtMs }] of nonces) {
    if (createdAtMs + NONCE_LIFE_MS > clock.now()) {
      break;
    }
    nonces.delete(old);
  }
  return nonces.get(key);
}

/**
 * Posts a message. With an enforced nonce, returns the first message instead; answers to interactions ignore nonces.
 * Throws 50006, 50035, 40005, 10008, 30015, 160005, 400001.
 */
export function postMessage(platform: Platform, posting: Posting, request: MessageRequest): Message {
  const { state, changes } = platform;
  const { channel, authorId } = posting;
  const { form } = request;
  const isWebhook = posting.origin !== undefined;
  const nonceKey = form.nonce && !isWebhook ? `${authorId}:${form.nonce}` : undefined;
  const first = form.enforce_nonce && nonceKey !== undefined ? firstByNonce(platform, nonceKey) : undefined;
  if (first !== undefined) {
    posting.onRepeat?.();
    return first;
  }
  const flags =
    ((form.flags ?? 0) & POST_FLAGS) | (posting.visibleTo === undefined ? 0 : MessageFlags.Ephemeral);
  const repliesTo = form.message_reference?.message_id;
  const target = repliesTo === undefined ? undefined : channel.messages.get(repliesTo);
  if (
    repliesTo !== undefined &&
    target === undefined &&
    form.message_reference?.fail_if_not_exists !== false
  ) {
    throw refusal("unknownMessage");
  }
  const isBot = authorId === state.application.id;
  const plan = planAttachments(platform, { channelId: channel.id, guildId: channel.guildId, isBot }, request);
  const { attachments } = plan;
  checkDraft({
    content: form.content ?? "",
    components: form.components ?? [],
    fileNames: attachments.map(({ filename }) => filename),
    flags,
  });
  openForWriting(platform, channel, authorId);
  plan.apply();
  const pings = findPings(platform, { channel, authorId, isWebhook, repliedUserId: target?.authorId }, form);
  const message = addMessage(platform, posting, {
    kind: posting.kind === MessageType.Default && target !== undefined ? MessageType.Reply : posting.kind,
    content: form.content ?? "",
    flags,
    components: numberComponents(form.components ?? []),
    attachments,
    mentionedUserIds: pings.userIds,
    mentionedRoleIds: pings.roleIds,
    mentionsEveryone: pings.everyone,
    nonce: form.nonce ?? undefined,
    repliesTo: target?.id,
  });
  if (nonceKey !== undefined) {
    // Deleted and inserted again, so that the newest entry is last.
    state.nonces.delete(nonceKey);
    state.nonces.set(nonceKey, message);
  }
  changes.emit({ type: "message-created", message });
  return message;
}

export function postThinking(platform: Platform, posting: Posting): Message {
  const isPrivate = posting.visibleTo !== undefined;
  const flags = MessageFlags.Loading | (isPrivate ? MessageFlags.Ephemeral : 0);
  const message = addMessage(platform, posting, { flags });
  platform.changes.emit({ type: "message-created", message });
  return message;
}

/** Adds a message to its channel without emitting a change. Fields that are not given are empty. */
function addMessage(
  { ids, clock }: Platform,
  { channel, authorId, kind, origin, visibleTo }: Posting,
  given: Partial<Message>,
): Message {
  const message: Message = {
    id: ids.next(),
    channelId: channel.id,
    guildId: channel.guildId,
    authorId,
    kind,
    content: "",
    flags: 0,
    components: [],
    attachments: [],
    mentionedUserIds: [],
    mentionedRoleIds: [],
    mentionsEveryone: false,
    createdAtMs: clock.now(),
    editedAtMs: undefined,
    nonce: undefined,
    repliesTo: undefined,
    origin,
    visibleTo,
    ...given,
  };
  channel.messages.set(message.id, message);
  return message;
}

/** Edits a message. Absent fields do not change. Throws 50006, 50035, 40005, 30015, 400001. */
export function editMessage(platform: Platform, message: Message, request: MessageRequest): Message {
  const { form } = request;
  const wasLoading = (message.flags & MessageFlags.Loading) !== 0;
  const wanted = form.flags ?? message.flags;
  const flags =
    (message.flags & ~MessageFlags.Loading & ~MessageFlags.SuppressEmbeds) |
    (wanted & (MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2));
  const content = form.content === undefined ? message.content : (form.content ?? "");
  const components = form.components === undefined ? message.components : (form.components ?? []);
  const isBot = message.authorId === platform.state.application.id;
  const { channelId, guildId } = message;
  const plan = planAttachments(platform, { channelId, guildId, isBot }, request, message.attachments);
  const { attachments } = plan;
  checkDraft({
    content,
    components,
    fileNames: attachments.map(({ filename }) => filename),
    flags,
  });
  plan.apply();
  message.content = content;
  message.components = numberComponents(components);
  message.attachments = attachments;
  message.flags = flags;
  if (form.content !== undefined || form.components !== undefined) {
    const place = {
      channel: channelOf(platform.state, channelId),
      authorId: message.authorId,
      isWebhook: message.origin !== undefined,
    };
    const pings = findPings(platform, place, form);
    message.mentionedUserIds = pings.userIds;
    message.mentionedRoleIds = pings.roleIds;
    message.mentionsEveryone = pings.everyone;
  }
  message.editedAtMs = wasLoading ? undefined : platform.clock.now();
  platform.changes.emit({ type: "message-updated", message });
  return message;
}

export function deleteMessage(platform: Platform, channel: Channel, message: Message): void {
  channel.messages.delete(message.id);
  for (const { id } of message.attachments) {
    platform.state.attachments.delete(id);
  }
  platform.changes.emit({ type: "message-deleted", message });
}
