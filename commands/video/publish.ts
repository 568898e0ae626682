// Publishes a video: by command, from a message's menu, or by sending the bot a video. All of them only make a draft.
// card.ts has the buttons of its card, and publication.ts those of its message once it is submitted.
import { UserError } from "../../src/core/errors.ts";
import type { Reply, Visibility } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Context, MessageReference } from "../../src/discord/define/context.ts";
import type { MessageFile, PersonMessage } from "../../src/core/ports.ts";
import { draftVideos, proposeDescription, proposeTitle } from "../../src/videos/publishing/draft-videos.ts";
import { retryWithoutTime } from "../../src/videos/publishing/draft-publication.ts";
import { guildOf } from "../../src/videos/settings/video-rules.ts";
import { serverArgs } from "../../src/videos/video-args.ts";
import { whichServerView, whichVideoView } from "../../src/videos/publication-answers-view.ts";
import { showCard } from "../../src/videos/video-command.ts";

const NEEDS = ["personMessages", "publish", "videoActors", "videoRules", "videoServers"] as const;
type PublishContext = Context<(typeof NEEDS)[number]>;

async function draftRequest(context: PublishContext, guildId: string) {
  const { services, where, progress } = context;
  const by = await services.videoActors.of(guildId, context, "publish a video");
  progress("Checking the file…");
  return { guildId, channelId: where.channelId ?? "", isConversation: where.guildId === undefined, by };
}

async function offer(
  context: PublishContext,
  asked: {
    readonly guildId: string;
    readonly files: readonly MessageFile[];
    readonly description?: string | undefined;
    readonly visibility: Visibility;
  },
): Promise<Reply> {
  const { guildId, files, description, visibility } = asked;
  const request = { ...(await draftRequest(context, guildId)), description };
  const { drafts, refused } = await draftVideos(context.services.publish, request, files);
  const [first, ...others] = drafts;
  return first !== undefined && others.length + refused.length === 0
    ? showCard(context, first, visibility)
    : whichVideoView(drafts, refused, visibility);
}

/** Drafts it for the only server where the person may publish, or asks for which one. */
async function offerFromConversation(context: PublishContext, message: MessageReference): Promise<Reply> {
  const servers = await context.services.videoServers(context.caller.id);
  const [only] = servers;
  if (only === undefined) {
    throw new UserError(
      "From here, I can only publish to a server where videos are set up and you can use `/video`, and I couldn't find one. Please try `/video publish` in your server.",
    );
  }
  return servers.length === 1
    ? offer(context, { guildId: only.guildId, ...pointedAt(message), visibility: "public" })
    : whichServerView(servers, message.id);
}

function pointedAt({ attachments, content }: PersonMessage) {
  return { files: attachments, description: proposeDescription(content) };
}

export default defineCommand({
  description: "Publish a video (you see a preview first)",
  needs: NEEDS,
  defer: "private",
  options: {
    // Accepts any file name, because Discord's client knows few kinds of videos by name. The file's first bytes decide.
    file: { type: "attachment", description: "The video to publish", required: true },
    title: {
      type: "string",
      description: "Title (default: the file's name)",
      maxLength: 255,
    },
    description: { type: "string", description: "Description", maxLength: 4_000 },
    publish_at: {
      type: "string",
      description: "Publish time, e.g. tomorrow 18:00, Friday 9:30 or in 2 hours (default: now)",
      maxLength: 60,
    },
  },
  async run(context) {
    const { file, title, description, publish_at: publishAt } = context.options;
    const request = { ...(await draftRequest(context, guildOf(context.where))), file };
    const texts = { title: title ?? proposeTitle(file.title ?? file.name), description, publishAt };
    const { draft, problem } = await retryWithoutTime(texts, (kept) =>
      context.services.publish.draft({ ...request, ...kept }),
    );
    return showCard(context, draft, "private", { problem });
  },
  messageMenu: {
    name: "Publish video",
    run: (context) =>
      offer(context, {
        guildId: guildOf(context.where),
        files: context.message.media,
        visibility: "private",
      }),
  },
  messages: {
    fileTypes: ["video"],
    contexts: ["guild", "bot-dm"],
    run({ message, ...context }) {
      const { guildId } = context.where;
      return guildId === undefined
        ? offerFromConversation(context, message)
        : offer(context, { guildId, ...pointedAt(message), visibility: "public" });
    },
  },
  selects: {
    server: {
      args: serverArgs,
      async run({ args: { messageId }, chosen, ...context }) {
        const { services, where, caller } = context;
        const place = { channelId: where.channelId ?? "", messageId };
        const sent = await services.personMessages.personMessage(place, caller.id);
        const { files, description } = pointedAt(sent ?? { attachments: [], content: "" });
        return offer(context, { guildId: chosen[0] ?? "", files, description, visibility: "public" });
      },
    },
  },
});
