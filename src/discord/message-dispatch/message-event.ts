// Messages as the gateway tells of them, as far as they are meant for the bot. In a busy server nearly none is, so the
// cheapest questions come first and nothing is parsed before they are answered.
// https://discord.com/developers/docs/events/gateway-events#message-create
import { z } from "zod";
import { message, user } from "../interaction.ts";

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
  author: user,
  member: z.object({ roles: z.array(z.string()) }).optional(),
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

/** Whether its words call the bot; otherwise it is a reply of which Discord has told the bot by itself. */
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
