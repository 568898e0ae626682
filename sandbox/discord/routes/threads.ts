// Threads, by the bot's token.
import type { Channel, Guild } from "../entities.ts";
import { invalidForm, problemsUnder, refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { isArchived } from "../rules/archived.ts";
import { joinedGuild, publicMessage, requireBotPermissions, visibleChannel } from "../rules/bot-access.ts";
import { postMessage } from "../rules/messages.ts";
import { changeThread, deleteThread, refuseArchived, startThread } from "../rules/threads.ts";
import { formatMessage } from "../serialise/message.ts";
import { formatChannel, formatThreadMember } from "../serialise/people.ts";
import { guildOf } from "../state.ts";
import { parseMessageForm } from "../validate/message.ts";
import { parseThreadChange, parseThreadForm } from "../validate/thread.ts";
import { createRoutes, noContent, type RequestBody, type Routes } from "./environment.ts";

const FORUM = 15;
const PRIVATE = 12;
/** What may have threads: text, announcements, forums. */
const PARENTS: ReadonlySet<number> = new Set([0, 5, FORUM]);

export function threadRoutes(platform: Platform): Routes {
  const botId = platform.state.application.id;

  function parentIn(id: string): Channel {
    const parent = visibleChannel(platform, id);
    if (!PARENTS.has(parent.kind)) {
      throw refusal("wrongChannelKind");
    }
    return parent;
  }

  function threadIn(id: string): { readonly guild: Guild; readonly channel: Channel } {
    const channel = visibleChannel(platform, id);
    if (channel.thread === undefined) {
      throw refusal("wrongChannelKind");
    }
    return { guild: guildOf(platform.state, channel.guildId ?? ""), channel };
  }

  /** Threads of a guild that the bot sees. */
  const threadsOf = (guild: Guild, parent?: Channel) =>
    [...guild.threads.values()].filter(
      ({ kind, thread }) =>
        (parent === undefined || thread?.parentId === parent.id) &&
        (kind !== PRIVATE || thread?.memberIds.has(botId)),
    );

  const listOf = (threads: readonly Channel[]) => ({
    threads: threads.map((thread) => formatChannel(platform, thread)),
    members: threads
      .filter(({ thread }) => thread?.memberIds.has(botId))
      .map((thread) => formatThreadMember(thread, botId)),
  });

  return createRoutes()
    .post("/channels/:channel/threads", (context) => {
      const parent = parentIn(context.req.param("channel"));
      const form = parseThreadForm(context.var.body.json);
      if (parent.kind === FORUM) {
        requireBotPermissions(platform, parent, "SendMessages");
        return context.json(startForumPost(platform, parent, context.var.body), 201);
      }
      // Without a type Discord makes a private one; an announcement channel has none of those.
      const kind = (form.type ?? PRIVATE) === PRIVATE ? 12 : 11;
      requireBotPermissions(
        platform,
        parent,
        kind === PRIVATE ? "CreatePrivateThreads" : "CreatePublicThreads",
      );
      const thread = startThread(platform, parent, form, { ownerId: botId, kind });
      return context.json(formatChannel(platform, thread), 201);
    })
    .post("/channels/:channel/messages/:message/threads", (context) => {
      const parent = parentIn(context.req.param("channel"));
      const form = parseThreadForm(context.var.body.json);
      const starter = publicMessage(parent, context.req.param("message"));
      requireBotPermissions(platform, parent, "CreatePublicThreads");
      const thread = startThread(platform, parent, form, { ownerId: botId, kind: 11, starter });
      return context.json(formatChannel(platform, thread), 201);
    })
    .get("/channels/:channel/threads/archived/public", (context) => {
      const parent = parentIn(context.req.param("channel"));
      requireBotPermissions(platform, parent, "ReadMessageHistory");
      const guild = guildOf(platform.state, parent.guildId ?? "");
      const archived = threadsOf(guild, parent).filter(
        ({ kind, thread }) => kind !== PRIVATE && thread !== undefined && isArchived(platform, thread),
      );
      return context.json({ ...listOf(archived), has_more: false });
    })
    .get("/guilds/:guild/threads/active", (context) => {
      const guild = joinedGuild(platform, context.req.param("guild"));
      const active = threadsOf(guild).filter(
        ({ thread }) => thread !== undefined && !isArchived(platform, thread),
      );
      return context.json({ ...listOf(active), has_more: false });
    })
    .patch("/channels/:channel", (context) => {
      const { channel } = threadIn(context.req.param("channel"));
      changeThread(platform, channel, botId, parseThreadChange(context.var.body.json));
      return context.json(formatChannel(platform, channel));
    })
    .delete("/channels/:channel", (context) => {
      const { guild, channel } = threadIn(context.req.param("channel"));
      requireBotPermissions(platform, channel, "ManageThreads");
      deleteThread(platform, guild, channel);
      return context.json(formatChannel(platform, channel));
    })
    .put("/channels/:channel/thread-members/@me", (context) => {
      const { channel } = threadIn(context.req.param("channel"));
      refuseArchived(platform, channel);
      channel.thread?.memberIds.add(botId);
      return noContent(context);
    })
    .delete("/channels/:channel/thread-members/@me", (context) => {
      const { channel } = threadIn(context.req.param("channel"));
      refuseArchived(platform, channel);
      channel.thread?.memberIds.delete(botId);
      return noContent(context);
    });
}

/** In a forum a thread begins with its first message, under the thread's own id. */
function startForumPost(platform: Platform, parent: Channel, body: RequestBody): object {
  const form = parseThreadForm(body.json);
  if (form.message === undefined) {
    throw invalidForm([{ path: ["message"], code: "BASE_TYPE_REQUIRED", message: "This field is required" }]);
  }
  const ownerId = platform.state.application.id;
  const first = problemsUnder("message", () => parseMessageForm(form.message));
  const thread = startThread(platform, parent, form, { ownerId, kind: 11 });
  try {
    const request = { form: first, files: body.files };
    const message = postMessage(platform, { channel: thread, authorId: ownerId, kind: 0 }, request);
    return { ...formatChannel(platform, thread), message: formatMessage(platform, message) };
  } catch (error) {
    deleteThread(platform, guildOf(platform.state, parent.guildId ?? ""), thread);
    throw error;
  }
}
