// Sends, edits, deletes and reads messages that answer no interaction: boards, notices, DMs. `rate-limiter.ts` decides
// when requests are sent, `messenger-requests.ts` which of them are retried.
import { MessageFlags, PermissionsBitField, Routes, SnowflakeUtil } from "discord.js";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { LimiterTime } from "./rate-limiter.ts";
import type { Log } from "../core/log.ts";
import type { Reply } from "../core/reply.ts";
import {
  type Messenger,
  MessengerError,
  type OwnMessage,
  type PostOptions,
  type PostedMessage,
} from "../core/ports.ts";
import { isApiError } from "./interaction-api.ts";
import { checkChannel, guildSchema, isTimedOut } from "./guild-rights.ts";
import { findMember } from "./command-permissions.ts";
import { DEFAULT_UPLOAD_LIMIT_BYTES, message as messageSchema, userSchema } from "./interaction.ts";
import { type Read, type RequestOptions, type Requests, createRequests } from "./messenger-requests.ts";
import { createOldEditLimiter } from "./old-edit-limiter.ts";
import type { RateLimitedRest } from "./rate-limited-rest.ts";
import { withFiles } from "./reply-files.ts";
import type { ReplySender } from "./reply-sender.ts";

const CONVERSATIONS_REMEMBERED = 1_000;
/** By then, there is newer content, which a process that was suspended for longer would overwrite. */
const EDIT_EXPIRES_AFTER_MS = 30_000;

/** A refusal is older than the check that follows it, and Discord's clock may be behind. */
const TIMEOUT_TOLERANCE_MS = 60_000;

const ALREADY_CROSSPOSTED = 40_033;
const THREAD_ARCHIVED = 50_083;
/** The bot may write, but not read the message that it replies to. */
const NO_REPLY_WITHOUT_HISTORY = 160_002;

const idSchema = z.object({ id: z.string() });
const guildNameSchema = z.object({ name: z.string() });
/** Discord's own apps use it too; neither discord.js nor Discord's OpenAPI document contains it. */
const REFRESH_LINKS = "/attachments/refresh-urls";
const freshLinksSchema = z.object({
  refreshed_urls: z.array(z.object({ refreshed: z.string().nullish() })),
});

export function createMessenger(deps: {
  readonly limitedRest: RateLimitedRest;
  /** The bot's own id; `undefined` before it has logged in. */
  readonly self: () => string | undefined;
  readonly replies: ReplySender;
  readonly clock: Clock;
  readonly time: LimiterTime;
  readonly log: Log;
}): Messenger {
  const { limitedRest, self, replies, clock, time, log } = deps;
  const { ask, reader } = createRequests({ limitedRest, clock, log });
  const untilOldEdit = createOldEditLimiter(clock, time);
  const conversations = new LRUCache<string, string>({ max: CONVERSATIONS_REMEMBERED });

  function post(
    { verb, urgency }: Pick<RequestOptions, "verb" | "urgency">,
    channelId: string,
    reply: Reply,
    options: PostOptions,
  ): Promise<PostedMessage> {
    const { nonce, silent = true, ping = [], pingRole, replyTo } = options;
    return replies.send(reply, DEFAULT_UPLOAD_LIMIT_BYTES, async ({ body, files }) => {
      const message = {
        ...body,
        flags: silent ? body.flags | MessageFlags.SuppressNotifications : body.flags,
        // Discord refuses a list of users beside `parse: ["users"]`, but accepts it beside an empty `parse`.
        allowed_mentions: {
          parse: [],
          users: ping,
          roles: pingRole === undefined ? undefined : [pingRole],
          replied_user: false,
        },
        nonce,
        enforce_nonce: true,
        message_reference:
          replyTo === undefined ? undefined : { message_id: replyTo, fail_if_not_exists: false },
      };
      const request = withFiles(message, files);
      const { id } = await ask({ verb, urgency, once: true, files }, async (rest) =>
        idSchema.parse(await rest.post(Routes.channelMessages(channelId), request)),
      );
      return { channelId, messageId: id };
    });
  }

  async function conversationWith(userId: string): Promise<string> {
    const known = conversations.get(userId);
    if (known !== undefined) {
      return known;
    }
    const { id } = await ask({ verb: "open a conversation", urgency: "prompt" }, async (rest) =>
      idSchema.parse(await rest.post(Routes.userChannels(), { body: { recipient_id: userId } })),
    );
    conversations.set(userId, id);
    return id;
  }

  function requireSelf(): string {
    const id = self();
    if (id === undefined) {
      throw new MessengerError("unavailable", "not logged in");
    }
    return id;
  }

  return {
    async post(channelId, reply, { replyTo, ...options }) {
      // Silent messages can wait.
      const how = { verb: "post", urgency: options.silent === false ? "prompt" : "bulk" } as const;
      const replied =
        replyTo === undefined
          ? undefined
          : await undefinedIf(post(how, channelId, reply, { ...options, replyTo }), ({ cause }) =>
              isApiError(cause, NO_REPLY_WITHOUT_HISTORY),
            );
      return replied ?? post(how, channelId, reply, options);
    },
    async edit(message, reply, isWanted) {
      const route = Routes.channelMessage(message.channelId, message.messageId);
      await replies.send(reply, DEFAULT_UPLOAD_LIMIT_BYTES, ({ body, files }) =>
        changeInThread(ask, message.channelId, () =>
          ask(
            { verb: "edit", urgency: "bulk", files, expiresAfterMs: EDIT_EXPIRES_AFTER_MS, isWanted },
            async (rest) => {
              await untilOldEdit(message, limitedRest.leaving);
              return rest.patch(route, withFiles(body, files));
            },
          ),
        ),
      );
    },
    async delete({ channelId, messageId }) {
      const deleting = changeInThread(ask, channelId, () =>
        ask({ verb: "delete", urgency: "bulk" }, (rest) =>
          rest.delete(Routes.channelMessage(channelId, messageId)),
        ),
      );
      await undefinedIf(deleting, isGone);
    },
    conversation: conversationWith,
    async dm(userId, reply, options) {
      return post({ verb: "dm", urgency: "prompt" }, await conversationWith(userId), reply, options);
    },
    async publish({ channelId, messageId }) {
      const publishing = ask({ verb: "publish", urgency: "bulk" }, (rest) =>
        rest.post(Routes.channelMessageCrosspost(channelId, messageId)),
      );
      await undefinedIf(publishing, ({ cause }) => isApiError(cause, ALREADY_CROSSPOSTED));
    },
    async ownMessages(channelId, sinceMs) {
      return fetchOwnMessages(reader("read own messages"), { channelId, authorId: requireSelf(), sinceMs });
    },
    async personMessage({ channelId, messageId }, authorId) {
      const reading = reader("read a message")(Routes.channelMessage(channelId, messageId), messageSchema);
      const found = await undefinedIf(reading, isGone);
      return found?.author.id === authorId
        ? { content: found.content, attachments: found.attachments }
        : undefined;
    },
    async freshLink(url) {
      const asking = ask({ verb: "refresh a link", urgency: "prompt" }, async (rest) =>
        freshLinksSchema.parse(await rest.post(REFRESH_LINKS, { body: { attachment_urls: [url] } })),
      );
      return (await asking).refreshed_urls[0]?.refreshed ?? undefined;
    },
    async noticeChannel(guildId) {
      const guild = await reader("find a channel for notices")(Routes.guild(guildId), guildSchema);
      return guild.system_channel_id ?? undefined;
    },
    async guildName(guildId) {
      const reading = reader("name a server")(Routes.guild(guildId), guildNameSchema);
      return (await undefinedIf(reading, ({ problem }) => problem === "channel-gone"))?.name;
    },
    async check(channelId, personId) {
      const nowMs = clock.now() - TIMEOUT_TOLERANCE_MS;
      const people = { userId: requireSelf(), personId };
      const checking = checkChannel(reader("check a channel"), { channelId, ...people, nowMs });
      return undefinedIf(checking, ({ problem }) => problem === "channel-gone");
    },
    async mayManage(guildId, userId) {
      const member = await findMember(reader("look up a member"), guildId, userId);
      return (
        member !== undefined &&
        new PermissionsBitField(BigInt(member.permissions)).has("ManageGuild") &&
        !isTimedOut(member, clock.now())
      );
    },
  };
}

function isGone({ problem }: MessengerError): boolean {
  return problem === "message-gone" || problem === "channel-gone";
}

/** The result of a request; `undefined` if Discord refuses it in the expected way. */
async function undefinedIf<T>(
  asking: Promise<T>,
  isExpected: (error: MessengerError) => boolean,
): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof MessengerError && isExpected(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Changes something in a channel, and opens an archived thread again for that. Discord archives threads without recent
 * messages, which edits do not prevent, and allows no changes in archived threads. Opening needs no more permissions
 * than writing. A locked thread throws MessengerError `not-allowed`.
 * https://discord.com/developers/docs/topics/threads#active--archived-threads
 */
async function changeInThread<T>(
  ask: Requests["ask"],
  channelId: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof MessengerError && isApiError(error.cause, THREAD_ARCHIVED))) {
      throw error;
    }
    await ask({ verb: "open a thread again", urgency: "bulk" }, (rest) =>
      rest.patch(Routes.channel(channelId), { body: { archived: false } }),
    );
    return change();
  }
}

/** Discord's limit for one response. */
const PAGE_SIZE = 100;
/** Enough for the messages that a busy channel gets between a slot and the search for its message. */
const MAX_PAGES = 10;
const MAX_OWN = 100;

/** The content is left out, because Discord hides it from the bot unless the message is its own. */
const messagesSchema = z.array(
  z.object({
    id: z.string(),
    author: userSchema,
    components: z.array(z.unknown()).default([]),
  }),
);

/** The first 100 messages of `authorId` since `sinceMs`, newest first. Throws as `read` does. */
async function fetchOwnMessages(
  read: Read,
  { channelId, authorId, sinceMs }: { channelId: string; authorId: string; sinceMs: number },
): Promise<readonly OwnMessage[]> {
  const found: OwnMessage[] = [];
  const firstId = SnowflakeUtil.generate({ timestamp: sinceMs, increment: 0n, processId: 0n, workerId: 0n });
  let after = String(firstId - 1n);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ after, limit: String(PAGE_SIZE) });
    const messages = await read(Routes.channelMessages(channelId), messagesSchema, query);
    for (const { id, author, components } of messages.toReversed()) {
      if (author.id === authorId) {
        const sentAtMs = SnowflakeUtil.timestampFrom(id);
        found.push({ channelId, messageId: id, sentAtMs, componentIds: customIdsIn(components) });
      }
    }
    const [newest] = messages;
    if (newest === undefined || messages.length < PAGE_SIZE) {
      break;
    }
    after = newest.id;
  }
  return found.slice(0, MAX_OWN).toReversed();
}

function customIdsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const own = "custom_id" in value && typeof value.custom_id === "string" ? [value.custom_id] : [];
  return [...own, ...Object.values(value).flatMap(customIdsIn)];
}
