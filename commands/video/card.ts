// The buttons of a draft's card, which only the person who sent the video may use. Nothing is sent before they press
// Publish.
import { textReply } from "../../src/core/reply.ts";
import { defineComponents, defineButton } from "../../src/discord/define.ts";
import type { ArgsOf } from "../../src/core/component-id.ts";
import type { Answer } from "../../src/discord/define/context.ts";
import { retryWithoutTime } from "../../src/videos/publishing/draft-publication.ts";
import {
  findOwnDraft,
  type FoundPublication,
  PUBLICATION_NEEDS,
  type PublicationContext,
  showCard,
} from "../../src/videos/video-command.ts";
import { publicationAnswerView, publicationSentView } from "../../src/videos/publication-answers-view.ts";
import { draftArgs } from "../../src/videos/video-args.ts";
import { publicationForm, readPublicationForm } from "../../src/videos/publication-form.ts";

function onDraft(
  press: (
    context: PublicationContext,
    found: FoundPublication,
    args: ArgsOf<typeof draftArgs>,
  ) => Answer | Promise<Answer>,
) {
  return defineButton(draftArgs, async (context: PublicationContext, args) =>
    press(context, await findOwnDraft(context, args.id), args),
  );
}

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    go: onDraft(async (context, { id, by, publication }, { asksApproval }) => {
      const { services, where } = context;
      if (asksApproval && !publication.asksApproval) {
        // The person expected approval first, but the video would now go out at once.
        return showCard(context, publication, "public", { wasAskingApproval: true });
      }
      await services.publish.submit(id, by);
      return publicationSentView(await services.publish.shown(id), where);
    }),
    edit: onDraft(({ where }, { publication }, args) =>
      publication.state === "draft"
        ? publicationForm(publication, {
            command: "video/card",
            action: "edit",
            args: draftArgs.encode(args),
          })
        : publicationSentView(publication, where),
    ),
    discard: onDraft(async ({ services }, { id, by, publication }) => {
      const discarded = await services.publish.cancel(id, by);
      return publication.state === "draft"
        ? textReply("Discarded. Nothing was sent.")
        : publicationAnswerView(discarded, "cancelled");
    }),
  },
  selects: {
    pick: {
      answers: "private",
      async run({ chosen, ...context }) {
        const { publication } = await findOwnDraft(context, chosen[0] ?? "");
        return showCard(context, publication, "private");
      },
    },
  },
  modals: {
    edit: {
      args: draftArgs,
      answers: "update",
      async run({ args: { id }, fields, ...context }) {
        const { publication, by } = await findOwnDraft(context, id);
        const texts = readPublicationForm(fields, publication);
        const { draft, problem } = await retryWithoutTime(texts, (kept) =>
          context.services.publish.edit(id, kept, by),
        );
        return showCard(context, draft, "public", { problem });
      },
    },
  },
});
