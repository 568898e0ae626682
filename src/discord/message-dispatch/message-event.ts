// Finds the messages that are meant for the bot among the gateway's events. In a busy server, hardly any is, so the
// cheapest checks come first, and nothing is parsed before them.
// https://discord.com/developers/docs/events/gateway-events#message-create
import { z } from "zod";
import type { Client } from "discord.js";
import { type Interaction, message, userSchema } from "../interaction.ts";
import { FILE_TYPES, type FileType } from "../define.ts";
import type { Media } from "../define/context.ts";
import { memberSchema, rightsInChannel } from "../guild-rights.ts";

/** The ids by which messages mention the bot. */
export interface Self {
  readonly userId: string;
  readonly applicationId: string;
  /** The role that a server gave the bot when it joined; `undefined` if it has none. */
  readonly roleIn: (guildId: string) => string | undefined;
}

/** The types of messages that people write; the others are notices, e.g. that somebody pinned a message. */
const PLAIN = 0;
const REPLY = 19;

const sentMessage = message.extend({
  type: z.union([z.literal(PLAIN), z.literal(REPLY)]),
  guild_id: z.string().optional(),
  member: memberSchema.optional(),
  mention_roles: z.array(z.string()).default([]),
  referenced_message: z.object({ author: userSchema }).nullish(),
});

/** A person's message. `guild_id` is `undefined` in DMs. */
export type SentMessage = z.infer<typeof sentMessage>;

/** Parses a message that is meant for the bot; `undefined` for all others and for an unknown shape. */
export function parseSentMessage(payload: unknown, self: Self): SentMessage | undefined {
  return isMeantFor(payload, self) ? sentMessage.safeParse(payload).data : undefined;
}

/** Whether a person wrote it, in a DM or with a mention of the bot. The payload is not parsed yet and may have any shape. */
function isMeantFor(payload: unknown, { userId, roleIn }: Self): boolean {
  const glance: Readonly<Record<string, unknown>> = Object(payload);
  const { guild_id: guildId, mentions, mention_roles: roles } = glance;
  const isMentioned =
    typeof guildId !== "string" ||
    (Array.isArray(mentions) && mentions.some((each: unknown) => Object(each).id === userId)) ||
    (Array.isArray(roles) && roles.length > 0 && roles.includes(roleIn(guildId)));
  return isMentioned && glance["webhook_id"] === undefined && Object(glance["author"]).bot !== true;
}

/** Whether its text mentions the bot. Otherwise it only replies to the bot, which Discord counts as a mention. */
export function isCalledByName(sent: SentMessage, self: Self): boolean {
  const { guild_id: guildId, content } = sent;
  return (
    guildId === undefined ||
    content.includes(`<@${self.userId}>`) ||
    content.includes(`<@!${self.userId}>`) ||
    isRoleMention(sent, self)
  );
}

/** If only the bot's role is mentioned, Discord hides the content: it arrives empty, although it contained a mention. */
export function isHidden(sent: SentMessage, self: Self): boolean {
  return sent.content === "" && isRoleMention(sent, self);
}

/** Whether it replies to somebody else's message in a server, of which the bot can see neither words nor files. */
export function isReplyToOthers(sent: SentMessage, self: Self): boolean {
  const repliedTo = sent.referenced_message?.author.id;
  return sent.guild_id !== undefined && repliedTo !== undefined && repliedTo !== self.userId;
}

function isRoleMention({ guild_id: guildId, mention_roles: roles }: SentMessage, { roleIn }: Self): boolean {
  const role = guildId === undefined ? undefined : roleIn(guildId);
  return role !== undefined && roles.includes(role);
}

/** The endings of file names, for files whose type Discord did not guess. */
const ENDINGS: Readonly<Record<FileType, RegExp>> = {
  image: /\.(?:png|gif|jpe?g|jfif|webp|avif|heic|heif|svg)$/i,
  video: /\.(?:mp4|m4v|mov|qt|webm)$/i,
};
/** A content type that says as little as none. */
const UNKNOWN = "application/octet-stream";

/** `undefined` for a file of any other kind. */
export function fileTypeOf({
  name,
  contentType = UNKNOWN,
}: Pick<Media, "name" | "contentType">): FileType | undefined {
  return FILE_TYPES.find((type) =>
    contentType === UNKNOWN ? ENDINGS[type].test(name) : contentType.startsWith(`${type}/`),
  );
}

/** `undefined` before the bot has logged in. */
export function findSelf({ user, application, guilds }: Client): Self | undefined {
  return user && application
    ? {
        userId: user.id,
        applicationId: application.id,
        roleIn: (guildId) => guilds.cache.get(guildId)?.roles.botRoleFor(user)?.id,
      }
    : undefined;
}

// The permissions of a message's author. Interactions contain them; messages contain only roles.

export interface AuthorRights {
  /** As Discord writes them, e.g. `"2048"`; `"0"` if the server is not known, or not yet. */
  readonly permissions: string;
  readonly channel?: Interaction["channel"];
}

export function findAuthorRights(client: Client, sent: SentMessage): AuthorRights {
  const guild = client.guilds.cache.get(sent.guild_id ?? "");
  if (!guild) {
    return { permissions: "0" };
  }
  const channel = guild.channels.cache.get(sent.channel_id);
  // A thread has no permission overwrites of its own.
  const source = channel?.isThread() ? channel.parent : channel;
  const overwrites =
    source && "permissionOverwrites" in source ? [...source.permissionOverwrites.cache.values()] : [];
  const rights = rightsInChannel(
    {
      guild: {
        id: guild.id,
        owner_id: guild.ownerId,
        roles: guild.roles.cache.map(({ id, permissions }) => ({ id, permissions: permissions.bitfield })),
      },
      userId: sent.author.id,
      member: { roles: sent.member?.roles ?? [] },
    },
    overwrites.map(({ id, allow, deny }) => ({ id, allow: allow.bitfield, deny: deny.bitfield })),
  );
  return {
    permissions: String(rights.bitfield),
    channel: channel && { type: channel.type, parent_id: channel.parentId },
  };
}
