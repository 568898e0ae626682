// When the outcome of an upload is unknown, the bot shows what it finds, and a person says whether that is it. The ids
// on posted messages contain `video/doubt`, so the file keeps its name.
import { defineComponents } from "../../src/discord/define.ts";
import type { Reply } from "../../src/core/reply.ts";
import { againArgs, foundArgs } from "../../src/videos/video-args.ts";
import { findingView, settledView } from "../../src/videos/publication-answers-view.ts";
import {
  findPublication,
  type FoundPublication,
  onPublication,
  onPublicationBeside,
  PUBLICATION_NEEDS,
  type PublicationContext,
} from "../../src/videos/video-command.ts";

async function showFinding(
  { services }: PublicationContext,
  { publication, by }: FoundPublication,
): Promise<Reply> {
  const { guildId, id } = publication;
  await services.videoRules.checkPublisher(guildId, by, "find out whether a video was published");
  return findingView(publication, await services.publish.candidate(id));
}

const lookAgain = onPublication("find out whether a video was published", showFinding);

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    look: onPublicationBeside("find out whether a video was published", showFinding),
    this: {
      args: foundArgs,
      async run({ args: { id, videoId }, ...context }) {
        const { by } = await findPublication(context, id, "say whether a video was published");
        return settledView(await context.services.publish.resolveOutcome(id, { videoId }, by));
      },
    },
    again: {
      args: againArgs,
      async run({ args: { id, otherThan }, ...context }) {
        const { by } = await findPublication(context, id, "send a video again");
        return settledView(await context.services.publish.resolveOutcome(id, "absent", by, otherThan));
      },
    },
    leave: onPublication("say whether a video was published", async ({ services }, { id, by }) =>
      settledView(await services.publish.resolveOutcome(id, "given-up", by)),
    ),
    // Messages of earlier versions had these, and the menu.
    absent: lookAgain,
    back: lookAgain,
  },
  selects: { settle: lookAgain },
});
