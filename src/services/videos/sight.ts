// What is in the way of a published video being seen, as its publication remembers it. Once it can be seen again, that
// is forgotten.
import type { VideoStage } from "../../clients/video/video-status.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";
import { formatProblem, parseProblem, plainProblem } from "../publish/kept-problem.ts";
import type { PublicationProblem } from "../publish/publish.ts";

/** Gone, or no longer shown to the account: the service answers the same to both. */
export const OUT_OF_SIGHT = plainProblem("video", "not-found", false);

/** It is there, but the service shows it to nobody: somebody took it back there. */
const UNPUBLISHED = plainProblem("video", "unpublished", false);

/** What is in the way of a video that was published and is at this stage now; `undefined`: nothing. */
export function sightOf(stage: VideoStage): PublicationProblem | undefined {
  return stage === "draft" || stage === "scheduled" ? UNPUBLISHED : undefined;
}

type Kept = Pick<PublicationRecord, "problem">;

/** Whether its publication says so already. */
export function isSightTold(record: Kept, sight: PublicationProblem | undefined): boolean {
  return parseProblem(record).problem?.kind === sight?.kind;
}

/** What its publication is to remember. */
export function withSight(record: Kept, sight: PublicationProblem | undefined): string | undefined {
  return formatProblem({ ...parseProblem(record), problem: sight });
}
