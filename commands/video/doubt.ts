// If the outcome of an upload is unknown, the bot shows what it finds, and a person decides whether that is the video.
// The ids on posted messages contain `video/doubt`, so the file keeps its name.
import { defineComponents } from "../../src/discord/define.ts";
import type { Reply } from "../../src/core/reply.ts";
import { againArgs, foundArgs } from "../../src/videos/video-args.ts";
import { findingView } from "../../src/videos/publication-answers-view.ts";
import type { OutcomeDecision } from "../../src/videos/publishing/publish.ts";
import {
  findPublication,
  type FoundPublication,
  onPublication,
  onPublicationPrivately,
  PUBLICATION_NEEDS,
  type PublicationContext,
} from "../../src/videos/video-command.ts";

async function showFinding(
  { services }: PublicationContext,
  { publication, by }: FoundPublication,
): Promise<Reply> {
  const { guildId, id } = publication;
  await services.videoRules.checkPublisher(guildId, by, "find out whether a video was published");
  return findingView(publication, await services.publish.findCandidate(id));
}

const SAY = "say whether a video was published";

async function resolve(
  { services }: PublicationContext,
  { id, by }: FoundPublication,
  outcome: OutcomeDecision,
  seen?: readonly string[],
): Promise<Reply> {
  const { publication, candidate } = await services.publish.resolveOutcome(id, outcome, by, seen);
  return findingView(publication, { candidate, seen });
}

const lookAgain = onPublication("find out whether a video was published", showFinding);

export default defineComponents({
  needs: PUBLICATION_NEEDS,
  buttons: {
    look: onPublicationPrivately("find out whether a video was published", showFinding),
    this: {
      args: foundArgs,
      async run({ args: { id, videoId }, ...context }) {
        return resolve(context, await findPublication(context, id, SAY), { videoId });
      },
    },
    again: {
      args: againArgs,
      async run({ args: { id, seen }, ...context }) {
        const found = await findPublication(context, id, "send a video again");
        return resolve(context, found, "absent", seen);
      },
    },
    leave: onPublication(SAY, (context, found) => resolve(context, found, "given-up")),
    back: lookAgain,
    // Messages of earlier versions have this button, and the menu.
    absent: lookAgain,
  },
  selects: { settle: lookAgain },
});
