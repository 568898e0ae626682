// The card of a draft, on which only the person who sent the video presses. Until then nothing is sent.
import { z } from "zod";
import { defineComponents } from "../../src/discord/define.ts";
import type { Answer } from "../../src/discord/define/context.ts";
import { editDraft } from "../../src/videos/publishing/draft-publication.ts";
import {
  findOwnDraft,
  type FoundPublication,
  PUBLICATION_NEEDS,
  type PublicationContext,
  showCard,
} from "../../src/videos/publication-command.ts";
import { publicationAnswerView } from "../../src/videos/publication-answers-view.ts";
import { draftArgsSchema, publicationForm, readPublicationForm } from "../../src/videos/publication-args.ts";
import { publicationDiscardedView, publicationSentView } from "../../src/videos/publication-card-view.ts";

function pressed(press: (context: PublicationContext, found: FoundPublication) => Answer | Promise<Answer>) {
  return {
    args: draftArgsSchema,
    async run({
      args: { d: id },
      ...context
    }: PublicationContext & { readonly args: { readonly d: string } }) {
      return press(context, await findOwnDraft(context, id));
    },
  };
}

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    go: pressed(async ({ services, where }, { id, by }) => {
      await services.publish.submit(id, by);
      return publicationSentView(await services.publish.shown(id), where);
    }),
    edit: pressed((_, { id, publication }) =>
      publicationForm(publication, { command: "video/card", action: "edit", args: { d: id } }),
    ),
    discard: pressed(async ({ services }, { id, by, publication }) => {
      const discarded = await services.publish.cancel(id, by);
      return publication.state === "draft"
        ? publicationDiscardedView()
        : publicationAnswerView(discarded, "cancelled");
    }),
  },
  selects: {
    pick: {
      args: z.object({}),
      answers: "private",
      async run({ chosen, ...context }) {
        const { publication } = await findOwnDraft(context, chosen[0] ?? "");
        return showCard(context, publication, "private");
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
  },
});
