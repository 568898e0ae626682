// Threads, by the bot's token.
import type { Channel, Guild } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { publicMessage, requireBotPermissions, visibleChannel } from "../rules/bot-access.ts";
import { changeThread, deleteThread, startThread } from "../rules/threads.ts";
import { formatChannel } from "../serialise/people.ts";
import { guildOf } from "../state.ts";
import { parseThreadChange, parseThreadForm } from "../validate/thread.ts";
import { createRoutes, type Routes } from "./environment.ts";

const PRIVATE = 12;
/** What may have threads here: text and announcements. */
const PARENTS: ReadonlySet<number> = new Set([0, 5]);

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

  return createRoutes()
    .post("/channels/:channel/threads", (context) => {
      const parent = parentIn(context.req.param("channel"));
      const form = parseThreadForm(context.var.body.json);
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
    });
}
