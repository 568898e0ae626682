// A video that is not out yet is as others approved it: whoever may use /video cannot simply make it another one.
import type { Video } from "../../clients/video/read-video.ts";
import { UserError } from "../../core/errors.ts";
import type { Actor, VideoRules } from "../video-settings/video-settings.ts";
import type { OwnVideo } from "./own-video.ts";

/**
 * Throws UserError, and writes the attempt down, where videos are approved, this one is not to be seen yet, and the
 * person may not approve or has submitted it. Where it is not known who submitted it, it may have been anybody.
 */
export async function checkUnseen(
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
