// What is in the way of a published video being seen, as its publication remembers it. Once it can be seen again, that
// is forgotten.
import type { VideoStage } from "./client/video-status.ts";
import type { PublicationRecord } from "./publications-table.ts";
import { parseProblem, plainProblem } from "./publishing/stored-problem.ts";
import type { PublicationProblem } from "./publishing/publish.ts";
import type { Video } from "./client/read-video.ts";
import { UserError } from "../core/errors.ts";
import type { Actor } from "./settings/video-settings.ts";
import type { VideoRules } from "./settings/video-rules.ts";
import type { OwnVideo } from "./own-video.ts";

/** Gone, or no longer shown to the account: the service answers the same to both. */
export const NOT_VISIBLE = plainProblem("video", "not-found", false);

/** It is there, but the service shows it to nobody: somebody took it back there. */
const UNPUBLISHED = plainProblem("video", "unpublished", false);

/** What is in the way of a video that was published and is at this stage now; `undefined`: nothing. */
export function visibilityProblem(stage: VideoStage): PublicationProblem | undefined {
  return stage === "draft" || stage === "scheduled" ? UNPUBLISHED : undefined;
}

/** Whether its publication says so already. */
export function isVisibilityNoted(
  record: PublicationRecord,
  problem: PublicationProblem | undefined,
): boolean {
  return parseProblem(record)?.kind === problem?.kind;
}

// A video that is not out yet is as others approved it: people who may use /video cannot simply make it another one.

/**
 * Throws UserError, and audits the attempt, where videos are approved, this one is not to be seen yet, and the
 * person may not approve or has submitted it. Where it is not known who submitted it, it may have been anybody.
 */
export async function checkStillApproved(
  rules: Pick<VideoRules, "settings" | "write">,
  { guildId, videoId, publication }: OwnVideo,
  { status }: Pick<Video, "status">,
  by: Actor,
): Promise<void> {
  const { approvalChannelId, approverRoleId } = await rules.settings(guildId);
  if (approvalChannelId === undefined || status.stage === "published") {
    return;
  }
  const mayApprove = approverRoleId === undefined || by.roleIds.includes(approverRoleId);
  const isOthers = publication === undefined || (publication.submittedBy ?? by.userId) !== by.userId;
  if (mayApprove && isOthers) {
    return;
  }
  const what = "change what others approved";
  const publicationId = publication?.id;
  await rules.write({ guildId, actorId: by.userId, act: "denied", publicationId, videoId, note: what });
  const who = approverRoleId === undefined ? "somebody" : `somebody with the role <@&${approverRoleId}>`;
  throw new UserError(
    `Others approve here what goes out, and this video is not out yet: only ${who} who did not submit it can change it. Ask one of them, or delete it with \`/video delete\` and send it in again as it should be.`,
  );
}
