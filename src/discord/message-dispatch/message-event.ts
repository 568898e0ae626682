// Messages that are meant for the bot, from the gateway's events. In a busy server nearly none is, so the cheapest
// checks come first and nothing is parsed before them.
// https://discord.com/developers/docs/events/gateway-events#message-create
import { z } from "zod";
import type { Client } from "discord.js";
import { type Interaction, message, userSchema } from "../interaction.ts";
import { FILE_TYPES, type FileType } from "../define.ts";
import type { Attachment } from "../define/context.ts";
import { memberSchema, rightsInChannel } from "../guild-rights.ts";

/** The bot, as messages name it. */
export interface Self {
  readonly userId: string;
  readonly applicationId: string;
  /** The role that a server gave the bot when it came; `undefined` where it has none. */
  readonly roleIn: (guildId: string) => string | undefined;
}

/** What people write; any other type is a notice, e.g. that somebody pinned a message. */
const PLAIN = 0;
const REPLY = 19;

const sentMessage = message.extend({
  type: z.union([z.literal(PLAIN), z.literal(REPLY)]),
  guild_id: z.string().optional(),
  author: userSchema,
  member: memberSchema.optional(),
  mention_roles: z.array(z.string()).default([]),
  referenced_message: z.object({ author: z.object({ id: z.string() }) }).nullish(),
});

/** A person's message. `guild_id` is `undefined` in DMs. */
export type SentMessage = z.infer<typeof sentMessage>;

/** Reads a message that is meant for the bot; `undefined` for all others and for a shape we do not know. */
export function parseSentMessage(payload: unknown, self: Self): SentMessage | undefined {
  return isMeantFor(payload, self) ? sentMessage.safeParse(payload).data : undefined;
}

/** Whether a person wrote it, in a DM or with a mention of the bot. Nothing is known of the payload's shape. */
function isMeantFor(payload: unknown, { userId, roleIn }: Self): boolean {
  const glance: Readonly<Record<string, unknown>> = Object(payload);
  const { guild_id: guildId, mentions, mention_roles: roles } = glance;
  const isMentioned =
    typeof guildId !== "string" ||
    (Array.isArray(mentions) && mentions.some((each: unknown) => Object(each).id === userId)) ||
    (Array.isArray(roles) && roles.length > 0 && roles.includes(roleIn(guildId)));
  return isMentioned && glance["webhook_id"] === undefined && Object(glance["author"]).bot !== true;
}

/** Whether its words call the bot; otherwise it is a reply, of which Discord notifies the bot by itself. */
export function isCalledByName(sent: SentMessage, self: Self): boolean {
  const { guild_id: guildId, content } = sent;
  return (
    guildId === undefined ||
    content.includes(`<@${self.userId}>`) ||
    content.includes(`<@!${self.userId}>`) ||
    isRoleMention(sent, self)
  );
}

/**
 * Whether Discord keeps the words and files from the bot: a mention of its role alone does not open them, and a message
 * that mentions anybody has words.
 */
export function isHidden(sent: SentMessage, self: Self): boolean {
  return sent.content === "" && isRoleMention(sent, self);
}

/** Whether it replies to somebody's message in a server: of that one the bot is shown neither words nor files. */
export function isReplyToOthers(sent: SentMessage, self: Self): boolean {
  const repliedTo = sent.referenced_message?.author.id;
  return sent.guild_id !== undefined && repliedTo !== undefined && repliedTo !== self.userId;
}

function isRoleMention({ guild_id: guildId, mention_roles: roles }: SentMessage, { roleIn }: Self): boolean {
  const role = guildId === undefined ? undefined : roleIn(guildId);
  return role !== undefined && roles.includes(role);
}

/** Where Discord has no guess, the name decides. */
const ENDINGS: Readonly<Record<FileType, RegExp>> = {
  image: /\.(?:png|gif|jpe?g|jfif|webp|avif)$/i,
  video: /\.(?:mp4|m4v|mov|qt|webm)$/i,
};
/** Says no more than no guess at all. */
const UNKNOWN = "application/octet-stream";

/** `undefined` for a file of any other kind. */
export function fileTypeOf({
  name,
  contentType = UNKNOWN,
}: Pick<Attachment, "name" | "contentType">): FileType | undefined {
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

// What the author of a message may do there. Interactions carry that themselves, messages carry roles only.

/** As interactions have it. */
export interface AuthorRights {
  /** As Discord writes them, e.g. `"2048"`; none where the server is not, or not yet, known. */
  readonly permissions: string;
  readonly channel?: Interaction["channel"];
}

export function findAuthorRights(client: Client, sent: SentMessage): AuthorRights {
  const guild = client.guilds.cache.get(sent.guild_id ?? "");
  if (!guild) {
    return { permissions: "0" };
  }
  const channel = guild.channels.cache.get(sent.channel_id);
  // A thread has no exceptions of its own.
  const ruling = channel?.isThread() ? channel.parent : channel;
  const overwrites =
    ruling && "permissionOverwrites" in ruling ? [...ruling.permissionOverwrites.cache.values()] : [];
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
