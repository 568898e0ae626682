// Publishes a video: a card first, by command, from a message's menu, or by sending the bot a video. What happens then
// stands in a message of its own, whose buttons end here as well.
import { z } from "zod";
import { UserError } from "../../src/core/errors.ts";
import type { Reply, Visibility } from "../../src/core/reply.ts";
import { defineCommand, type Answer, type Context, type MessageReference } from "../../src/discord/define.ts";
import { checkAuthor } from "../../src/services/publish/approval.ts";
import { draftVideos, type PointedFile } from "../../src/services/publish/draft-videos.ts";
import { editDraft } from "../../src/services/publish/edit-draft.ts";
import { proposeDescription, proposeTitle } from "../../src/services/publish/propose-texts.ts";
import type { Publication } from "../../src/services/publish/publish.ts";
import {
  findOwnDraft,
  findPublication,
  type FoundPublication,
} from "../../src/services/video-actors/find-publication.ts";
import { guildOf } from "../../src/services/video-actors/video-actors.ts";
import { publicationAnswerView } from "../../src/views/publication-answers.ts";
import {
  approveArgsSchema,
  draftArgsSchema,
  publicationArgsSchema,
  serverArgsSchema,
} from "../../src/views/publication-args.ts";
import {
  publicationCardView,
  publicationDiscardedView,
  publicationSentView,
  whichServerView,
  whichVideoView,
} from "../../src/views/publication-card-view.ts";
import { publicationDetailsView } from "../../src/views/publication-details-view.ts";
import {
  candidatesView,
  sendAgainQuestionView,
  settledView,
} from "../../src/views/publication-doubt-view.ts";
import { publicationView } from "../../src/views/publication-view.ts";
import { publicationForm, readPublicationForm, refuseForm } from "../../src/views/publication-forms.ts";

const NEEDS = ["messageFiles", "publish", "videoActors", "videoRules"] as const;
type PublishContext = Context<(typeof NEEDS)[number]>;

/** Acts that are looked through for those of one publication. */
const ACTS_SEARCHED = 100;

/** Shows a draft as it is. */
async function showCard(
  { services }: PublishContext,
  draft: Publication,
  visibility: Visibility,
  done?: string,
): Promise<Reply> {
  const settings = await services.videoRules.settings(draft.guildId);
  return publicationCardView(draft, settings, visibility, done);
}

/** Makes drafts of the videos that somebody points at, and shows the card of the only one, or asks for which. */
async function offer(
  context: PublishContext,
  asked: {
    readonly guildId: string;
    readonly files: readonly PointedFile[];
    readonly description?: string | undefined;
    readonly visibility: Visibility;
  },
): Promise<Reply> {
  const { services, where, progress } = context;
  const { guildId, files, description, visibility } = asked;
  const by = await services.videoActors.of(guildId, context, "publish a video");
  progress("Looking at the file…");
  const isConversation = where.guildId === undefined;
  const order = { guildId, channelId: where.channelId ?? "", isConversation, by, description };
  const { drafts, refused } = await draftVideos(services.publish, order, files);
  const [first, ...others] = drafts;
  return first !== undefined && others.length + refused.length === 0
    ? showCard(context, first, visibility)
    : whichVideoView(drafts, refused, visibility);
}

/** A video in a conversation: for the only server where the person may publish, or for the one that they choose. */
async function offerFromConversation(context: PublishContext, message: MessageReference): Promise<Reply> {
  const servers = await context.services.publish.serversOf(context.caller.id);
  const [only] = servers;
  if (only === undefined) {
    throw new UserError(
      "I can publish videos for people who manage a server that I am in. You manage none of mine, or nobody has set up videos there.",
    );
  }
  return servers.length === 1
    ? offer(context, { guildId: only.guildId, ...pointedAt(message), visibility: "public" })
    : whichServerView(servers, message.id);
}

function pointedAt({ attachments, content }: MessageReference) {
  return { files: attachments, description: proposeDescription(content) };
}

async function showCandidates(
  { services }: PublishContext,
  { publication, by }: FoundPublication,
): Promise<Reply> {
  const { guildId, id } = publication;
  await services.videoRules.checkPublisher(guildId, by, "look what became of a video");
  return candidatesView(publication, await services.publish.candidates(id));
}

/** What whoever presses did, in words for them; the publication's message says it to everyone. */
type Press = (context: PublishContext, found: FoundPublication) => Answer | Promise<Answer>;

/** A button of a publication's message. `what` it tries is written down where it is not theirs to try. */
function pressed(what: string, press: Press) {
  return {
    args: publicationArgsSchema,
    async run({ args: { p: id }, ...context }: PublishContext & { readonly args: { readonly p: string } }) {
      return press(context, await findPublication(context, id, what));
    },
  };
}

/** The same, answered beside the message, which others see. */
function pressedBeside(what: string, press: Press) {
  return { ...pressed(what, press), answers: "private" as const };
}

/** A button of a draft's card. */
function pressedOnCard(press: Press) {
  return {
    args: draftArgsSchema,
    async run({ args: { d: id }, ...context }: PublishContext & { readonly args: { readonly d: string } }) {
      return press(context, await findOwnDraft(context, id));
    },
  };
}

export default defineCommand({
  description: "Publish a video; you see a card first, and nothing is sent before you say so",
  needs: NEEDS,
  defer: "private",
  options: {
    // Of any name: Discord's client knows few kinds of videos by theirs. What it is, its first bytes say.
    file: { type: "attachment", description: "The video", required: true },
    title: {
      type: "string",
      description: "Its title; made of the file's name unless you say",
      maxLength: 255,
    },
    description: { type: "string", description: "What is said below it", maxLength: 4_000 },
    publish_at: {
      type: "string",
      description: "When, e.g. tomorrow 18:00, Friday 9:30 or in 2 hours; at once unless you say",
      maxLength: 60,
    },
  },
  async run(context) {
    const { options, services, where } = context;
    const { file, title, description, publish_at: publishAt } = options;
    const guildId = guildOf(where);
    const by = await services.videoActors.of(guildId, context, "publish a video");
    context.progress("Looking at the file…");
    const draft = await services.publish.draft({
      guildId,
      channelId: where.channelId ?? "",
      by,
      file,
      title: title ?? proposeTitle(file.name),
      description,
      publishAt,
    });
    return showCard(context, draft, "private");
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
    places: ["guild", "bot-dm"],
    run({ message, ...context }) {
      const { guildId } = context.where;
      return guildId === undefined
        ? offerFromConversation(context, message)
        : offer(context, { guildId, ...pointedAt(message), visibility: "public" });
    },
  },
  buttons: {
    go: pressedOnCard(async ({ services, where }, { id, by }) =>
      publicationSentView(await services.publish.submit(id, by), where.channelId),
    ),
    edit: pressedOnCard((_, { id, publication }) =>
      publicationForm(publication, { command: "video/publish", action: "edit", args: { d: id } }),
    ),
    discard: pressedOnCard(async ({ services }, { id, by, publication }) => {
      const discarded = await services.publish.cancel(id, by);
      return publication.state === "draft"
        ? publicationDiscardedView()
        : publicationAnswerView(discarded, "cancelled");
    }),
    change: pressedBeside("edit a publication", (_, { id, by, publication }) => {
      if (publication.asksApproval) {
        checkAuthor(publication, by);
      }
      return publicationForm(publication, { command: "video/publish", action: "change", args: { p: id } });
    }),
    cancel: pressedBeside("cancel a publication", async ({ services }, { id, by }) =>
      publicationAnswerView(await services.publish.cancel(id, by), "cancelled"),
    ),
    approve: {
      args: approveArgsSchema,
      answers: "private",
      async run({ args: { p: id, t: seenAtMs }, ...context }) {
        const { by } = await findPublication(context, id, "approve a video");
        return publicationAnswerView(await context.services.publish.approve(id, by, seenAtMs), "approved");
      },
    },
    refuse: pressedBeside("refuse a video", async ({ services }, { id, by, publication }) => {
      await services.videoRules.checkApprover(publication.guildId, by, publication.submittedBy);
      return refuseForm(id);
    }),
    retry: pressedBeside("send a video again", async ({ services }, { id, by }) =>
      publicationAnswerView(await services.publish.retry(id, by), "retried"),
    ),
    details: pressedBeside("look at a publication", async ({ services }, { id, publication }) => {
      const acts = await services.videoRules.acts(publication.guildId, { limit: ACTS_SEARCHED });
      return publicationDetailsView(
        publication,
        acts.filter(({ publicationId }) => publicationId === id),
      );
    }),
    look: pressedBeside("look what became of a video", showCandidates),
    back: pressed("look what became of a video", showCandidates),
    absent: pressed("send a video again", (_, { publication }) => sendAgainQuestionView(publication)),
    again: pressed("send a video again", async ({ services }, { id, by }) =>
      settledView(await services.publish.settle(id, "absent", by)),
    ),
    leave: pressed("say what became of a video", async ({ services }, { id, by }) =>
      settledView(await services.publish.settle(id, "given-up", by)),
    ),
  },
  selects: {
    open: {
      args: z.object({}),
      answers: "private",
      async run({ chosen, ...context }) {
        const { publication } = await findPublication(context, chosen[0] ?? "", "look at a publication");
        return { ...publicationView(publication, { forApprovers: false }), visibility: "private" };
      },
    },
    pick: {
      args: z.object({}),
      answers: "private",
      async run({ chosen, ...context }) {
        const { publication } = await findOwnDraft(context, chosen[0] ?? "");
        return showCard(context, publication, "private");
      },
    },
    server: {
      args: serverArgsSchema,
      async run({ args: { m: messageId }, chosen, ...context }) {
        const { services, where, caller } = context;
        const files = await services.messageFiles.files(
          { channelId: where.channelId ?? "", messageId },
          caller.id,
        );
        return offer(context, { guildId: chosen[0] ?? "", files, visibility: "public" });
      },
    },
    settle: {
      args: publicationArgsSchema,
      async run({ args: { p: id }, chosen, ...context }) {
        const { by } = await findPublication(context, id, "say what became of a video");
        return settledView(await context.services.publish.settle(id, { videoId: chosen[0] ?? "" }, by));
      },
    },
  },
  modals: {
    edit: {
      args: draftArgsSchema,
      answers: "update",
      async run({ args: { d: id }, fields, ...context }) {
        const { publication, by } = await findOwnDraft(context, id);
        const texts = readPublicationForm(fields, publication);
        const { draft, problem } = await editDraft(context.services.publish, id, texts, by);
        const done = problem === undefined ? undefined : `⚠️ ${problem} The rest is kept.`;
        return showCard(context, draft, "public", done);
      },
    },
    change: {
      args: publicationArgsSchema,
      answers: "private",
      async run({ args: { p: id }, fields, ...context }) {
        const { publication, by } = await findPublication(context, id, "edit a publication");
        const edited = await context.services.publish.edit(id, readPublicationForm(fields, publication), by);
        return publicationAnswerView(edited, "changed");
      },
    },
    refuse: {
      args: publicationArgsSchema,
      answers: "private",
      async run({ args: { p: id }, fields, ...context }) {
        const { by } = await findPublication(context, id, "refuse a video");
        const refused = await context.services.publish.refuse(id, fields["reason"]?.[0] ?? "", by);
        return publicationAnswerView(refused, "refused");
      },
    },
  },
});
