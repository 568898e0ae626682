// The buttons of a publication's message, and of the one that requests approval. Both outlive the command that created
// them, and show everyone the current state. The person who presses gets a private answer.
import { defineComponents } from "../../src/discord/define.ts";
import { checkAuthor } from "../../src/videos/publishing/change-publication.ts";
import {
  ENTRIES_SHOWN,
  publicationAnswerView,
  publicationDetailsView,
} from "../../src/videos/publication-answers-view.ts";
import { approveArgs, publicationArgs, publicationFormArgs } from "../../src/videos/video-args.ts";
import { publicationForm, readPublicationForm, refuseForm } from "../../src/videos/publication-form.ts";
import {
  findPublication,
  onPublicationPrivately,
  PUBLICATION_NEEDS,
} from "../../src/videos/video-command.ts";
import { publicationView } from "../../src/videos/publication-view.ts";
import { hashTexts } from "../../src/videos/video-words.ts";

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    change: onPublicationPrivately("edit a publication", async ({ services }, { id, by, publication }) => {
      await services.videoRules.checkPublisher(publication.guildId, by, "change a video");
      if (publication.asksApproval) {
        checkAuthor(publication, by);
      }
      const seen = hashTexts(publication, publication.publishAtMs);
      const args = publicationFormArgs.encode({ id, seen });
      return publicationForm(publication, { command: "video/publication", action: "change", args });
    }),
    cancel: onPublicationPrivately("cancel a publication", async ({ services }, { id, by }) =>
      publicationAnswerView(await services.publish.cancel(id, by), "cancelled"),
    ),
    approve: {
      args: approveArgs,
      answers: "private",
      async run({ args: { id, seenAtMs }, ...context }) {
        const { by } = await findPublication(context, id, "approve a video");
        return publicationAnswerView(await context.services.publish.approve(id, by, seenAtMs), "approved");
      },
    },
    refuse: onPublicationPrivately("refuse a video", async ({ services }, { id, by, publication }) => {
      await services.videoRules.checkApprover(publication.guildId, by, publication.submittedBy);
      return refuseForm(id);
    }),
    retry: onPublicationPrivately("send a video again", async ({ services }, { id, by }) =>
      publicationAnswerView(await services.publish.retry(id, by), "retried"),
    ),
    details: onPublicationPrivately("look at a publication", async ({ services }, { id, publication }) => {
      const asked = { limit: ENTRIES_SHOWN, publicationId: id };
      return publicationDetailsView(
        publication,
        await services.videoRules.auditEntries(publication.guildId, asked),
      );
    }),
  },
  selects: {
    open: {
      answers: "private",
      async run({ chosen, ...context }) {
        const { publication } = await findPublication(context, chosen[0] ?? "", "look at a publication");
        return { ...publicationView(publication, { forApprovers: false }), visibility: "private" };
      },
    },
  },
  modals: {
    change: {
      args: publicationFormArgs,
      answers: "private",
      async run({ args: { id, seen }, fields, seenVersion, ...context }) {
        const { publication, by } = await findPublication(context, id, "edit a publication");
        const texts = readPublicationForm(fields, publication);
        const edited = await context.services.publish.edit(id, texts, by, seenVersion ?? seen);
        return publicationAnswerView(edited, "changed");
      },
    },
    refuse: {
      args: publicationArgs,
      answers: "private",
      async run({ args: { id }, fields, ...context }) {
        const { by } = await findPublication(context, id, "refuse a video");
        const refused = await context.services.publish.refuse(id, fields["reason"]?.[0] ?? "", by);
        return publicationAnswerView(refused, "refused");
      },
    },
  },
});
