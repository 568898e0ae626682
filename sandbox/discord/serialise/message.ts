import { createHash } from "node:crypto";
import { AttachmentFlags, MessageReferenceType } from "discord-api-types/v10";
import type { Attachment, Component, Message } from "../entities.ts";
import { linkTo } from "../links.ts";
import type { Platform } from "../platform.ts";
import { isHiddenFromBot, readsEverything } from "../rules/privileged.ts";
import { guildAround, userOf } from "../state.ts";
import { formatBareMember, formatTime, formatUser } from "./people.ts";

export function formatAttachment(platform: Platform, attachment: Attachment): object {
  const url = linkTo(platform, attachment);
  return {
    id: attachment.id,
    filename: attachment.filename,
    ...(attachment.title === undefined ? {} : { title: attachment.title }),
    size: attachment.bytes.length,
    url,
    proxy_url: url,
    ...(attachment.description === undefined ? {} : { description: attachment.description }),
    ...(attachment.contentType === undefined ? {} : { content_type: attachment.contentType }),
    ...(attachment.width === undefined ? {} : { width: attachment.width, height: attachment.height }),
    ...(attachment.ephemeral ? { ephemeral: true } : {}),
    ...(attachment.spoiler ? { flags: AttachmentFlags.IsSpoiler } : {}),
  };
}

/** Discord does not list files that components show. */
function unshownFiles({ attachments, components }: Message): readonly Attachment[] {
  const shown = JSON.stringify(components);
  return attachments.filter(({ filename }) => !shown.includes(JSON.stringify(`attachment://${filename}`)));
}

/** Components with `attachment://name` resolved to links. */
function formatComponents(
  platform: Platform,
  components: readonly unknown[],
  attachments: readonly Attachment[],
): unknown[] {
  return components.map((component) => resolveMedia(platform, component, attachments));
}

function resolveMedia(platform: Platform, value: unknown, attachments: readonly Attachment[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => resolveMedia(platform, item, attachments));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const url = "url" in value && typeof value.url === "string" ? value.url : undefined;
  if (url?.startsWith("attachment://")) {
    const named = attachments.find(({ filename }) => filename === url.slice("attachment://".length));
    return named === undefined ? value : formatMedia(platform, named);
  }
  if (url !== undefined && !("type" in value)) {
    return formatForeignMedia(url);
  }
  return {
    ...("type" in value ? DEFAULTS[Number(value.type)] : "media" in value ? ITEM_DEFAULTS : {}),
    ...("file" in value ? formatFileFacts(value.file, attachments) : {}),
    ...Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolveMedia(platform, item, attachments)]),
    ),
  };
}

/** The name and the size of a file component's file, which Discord adds to the component. */
function formatFileFacts(file: unknown, attachments: readonly Attachment[]): object {
  const named = attachments.find(
    ({ filename }) =>
      typeof file === "object" && file !== null && "url" in file && file.url === `attachment://${filename}`,
  );
  return named === undefined ? {} : { name: named.filename, size: named.bytes.length };
}

const ITEM_DEFAULTS = { description: null, spoiler: false };

/** The fields that Discord always sends for a component type, with the values that apply if the bot sent none. */
const DEFAULTS: Readonly<Record<number, object>> = {
  3: { min_values: 1, max_values: 1 },
  11: ITEM_DEFAULTS,
  13: { spoiler: false },
  14: { divider: true, spacing: 1 },
  17: { accent_color: null, spoiler: false },
};

/** Media on other servers have an id too. Here it is derived from the URL. */
function formatForeignMedia(url: string): object {
  const id = String(createHash("sha256").update(url).digest().readBigUInt64BE() >> 1n);
  const film = /\.(mp4|mov|webm)(?:\?|$)/i.exec(url)?.[1];
  const contentType = film === undefined ? null : `video/${film === "mov" ? "quicktime" : film}`;
  return { id, url, proxy_url: url, width: null, height: null, content_type: contentType, loading_state: 2 };
}

function formatMedia(platform: Platform, attachment: Attachment): object {
  const url = linkTo(platform, attachment);
  return {
    id: attachment.id,
    url,
    proxy_url: url,
    width: attachment.width ?? null,
    height: attachment.height ?? null,
    content_type: attachment.contentType ?? null,
    attachment_id: attachment.id,
    loading_state: 2,
  };
}

export interface MessageFormat {
  /** Whether content, embeds, attachments and components are empty, as for a bot without the privileged intent. */
  readonly blank?: boolean;
  /**
   * Whether the reader has the privileged intent. Without it, the message that this one replies to may be blank: access
   * to this message, e.g. through a mention, gives no access to the other. Default: whether the portal grants it.
   */
  readonly readsAll?: boolean;
  /** Whether this message is shown as the target of another's reply; the target of its own reply is then omitted. */
  readonly isReferenced?: boolean;
  /** Whether to add the guild's id and the author's member, as the gateway does. */
  readonly withMember?: boolean;
}

/** Formats a message. Whether the message that it replies to is blank does not depend on whether this one is. */
export function formatMessage(platform: Platform, message: Message, format: MessageFormat = {}): object {
  const { state } = platform;
  const blank = format.blank ?? false;
  const guild = guildAround(state, message);
  const member = format.withMember ? guild?.members.get(message.authorId) : undefined;
  return {
    id: message.id,
    channel_id: message.channelId,
    ...(format.withMember && guild !== undefined ? { guild_id: guild.id } : {}),
    ...(member === undefined ? {} : { member: formatBareMember(member) }),
    type: message.kind,
    author: formatUser(userOf(state, message.authorId)),
    content: blank ? "" : message.content,
    timestamp: formatTime(message.createdAtMs),
    edited_timestamp: message.editedAtMs === undefined ? null : formatTime(message.editedAtMs),
    tts: false,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentionedUserIds.map((id) => formatUser(userOf(state, id))),
    mention_roles: message.mentionedRoleIds,
    attachments: blank ? [] : unshownFiles(message).map((file) => formatAttachment(platform, file)),
    embeds: [],
    components: blank ? [] : formatComponents(platform, message.components, message.attachments),
    pinned: false,
    flags: message.flags,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...formatOrigin(platform, message),
    ...formatReference(platform, message, format),
  };
}

function formatOrigin(platform: Platform, message: Message): object {
  const { origin } = message;
  const { application } = platform.state;
  if (origin === undefined) {
    return {};
  }
  return {
    webhook_id: application.id,
    application_id: application.id,
    interaction_metadata: {
      id: origin.interactionId,
      type: origin.interactionKind,
      user: formatUser(userOf(platform.state, origin.userId)),
      authorizing_integration_owners: origin.owners,
      ...(origin.commandName === undefined
        ? {}
        : { name: origin.commandName, command_type: origin.commandKind }),
    },
  };
}

function formatReference(platform: Platform, message: Message, format: MessageFormat): object {
  if (message.repliesTo === undefined) {
    return {};
  }
  const target = platform.state.channels.get(message.channelId)?.messages.get(message.repliesTo);
  const readsAll = format.readsAll ?? readsEverything(platform);
  return {
    message_reference: {
      type: MessageReferenceType.Default,
      message_id: message.repliesTo,
      channel_id: message.channelId,
      ...(message.guildId === undefined ? {} : { guild_id: message.guildId }),
    },
    ...(format.isReferenced
      ? {}
      : {
          referenced_message:
            target === undefined
              ? null
              : formatMessage(platform, target, {
                  blank: !readsAll && isHiddenFromBot(platform, target),
                  readsAll,
                  isReferenced: true,
                }),
        }),
  };
}

/** Every component of a tree, parents first. */
export function* walkComponents(components: readonly unknown[]): Generator<Component> {
  for (const component of components) {
    if (typeof component !== "object" || component === null || !("type" in component)) {
      continue;
    }
    // validate/ has checked the components of messages: an object with a `type` is a component.
    const known = component as Component;
    yield known;
    const children = [known["components"], known["accessory"], known["component"]];
    yield* walkComponents(children.flat());
  }
}
