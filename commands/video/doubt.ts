// When the outcome of an upload is unknown, a person looks and says: it is this one, or it is not there. Posted messages
// have `video/doubt` in their ids, so the file keeps its name.
import { defineComponents } from "../../src/discord/define.ts";
import type { Reply } from "../../src/core/reply.ts";
import { publicationArgs } from "../../src/videos/publication-args.ts";
import {
  candidatesView,
  sendAgainQuestionView,
  settledView,
} from "../../src/videos/publication-answers-view.ts";
import {
  findPublication,
  type FoundPublication,
  onPublication,
  onPublicationBeside,
  PUBLICATION_NEEDS,
  type PublicationContext,
} from "../../src/videos/publication-command.ts";

async function showCandidates(
  { services }: PublicationContext,
  { publication, by }: FoundPublication,
): Promise<Reply> {
  const { guildId, id } = publication;
  await services.videoRules.checkPublisher(guildId, by, "look what became of a video");
  return candidatesView(publication, await services.publish.candidates(id));
}

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    look: onPublicationBeside("look what became of a video", showCandidates),
    back: onPublication("look what became of a video", showCandidates),
    absent: onPublication("send a video again", (_, { publication }) => sendAgainQuestionView(publication)),
    again: onPublication("send a video again", async ({ services }, { id, by }) =>
      settledView(await services.publish.resolveOutcome(id, "absent", by)),
    ),
    leave: onPublication("say what became of a video", async ({ services }, { id, by }) =>
      settledView(await services.publish.resolveOutcome(id, "given-up", by)),
    ),
  },
  selects: {
    settle: {
      args: publicationArgs,
      async run({ args: { id }, chosen, ...context }) {
        const { by } = await findPublication(context, id, "say what became of a video");
        return settledView(
          await context.services.publish.resolveOutcome(id, { videoId: chosen[0] ?? "" }, by),
        );
      },
    },
  },
});
