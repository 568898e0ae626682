// A video is deleted after two questions: the service cannot bring it back.
import { privateCard, type Reply, textReply } from "../core/reply.ts";
import type { PublishedVideo } from "./videos.ts";
import { videoButton } from "./video-args.ts";
import { countOf, videoTitle } from "./video-words.ts";

/** The first question, or the second. */
export function deleteQuestionView(video: PublishedVideo, isSure: boolean): Reply {
  const { id, title, views, comments } = video;
  // What nobody has seen or said is no loss.
  const counts = [countOf(views || undefined, "view"), countOf(comments || undefined, "comment")].filter(
    (count) => count !== undefined,
  );
  const lost = counts.length === 0 ? "its views and comments" : `its ${counts.join(" and ")}`;
  const text = isSure
    ? `### Delete it for good?\n**${videoTitle(title)}** and ${lost} can't be brought back, either by me or by the video service.`
    : `### Delete this video?\n**${videoTitle(title)}** will disappear from the video service for everybody, with ${lost}.`;
  return privateCard([
    text,
    [
      videoButton(isSure ? "deleteForGood" : "deleteSure", id, { isHere: true }),
      videoButton("show", id, { isHere: true, label: "Keep" }),
    ],
  ]);
}

/** `wasGone`: there was nothing for us to delete. */
export function videoDeletedView(wasGone = false): Reply {
  const what = wasGone
    ? "There was nothing left for me to delete: the video is gone, or no longer visible to me. If others can still see it, delete it on the account's own page."
    : "The video is deleted.";
  return textReply(`${what} If I announced it here, that message says so in a moment.`, "private");
}

// After a write whose outcome is unknown.

/** `what` completes "whether …", e.g. `the title was changed`; `look` is where it would be seen. */
export function unknownOutcomeView(what: string, videoId: string, look: "show" | "comments"): Reply {
  return privateCard([
    `⚠️ The video service never said whether ${what}. I looked and didn't see it, but it may still turn up. Look again in a minute before you repeat it, so it doesn't happen twice.`,
    [videoButton(look, videoId, { isHere: true, label: "Look again" })],
  ]);
}
