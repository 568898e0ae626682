import type { VideoAct } from "../services/video-settings/video-settings.ts";

/** A new act does not compile without words. They follow a name, or "I". */
const WORDS: Readonly<Record<VideoAct, string>> = {
  submitted: "submitted a video",
  approved: "approved a video",
  refused: "refused a video",
  "approval-voided": "changed a video, so that it needs approval anew",
  published: "published a video",
  scheduled: "scheduled a video",
  failed: "could not publish a video",
  cancelled: "cancelled a video",
  expired: "let go of a video whose link ended",
  settled: "said what became of a video",
  edited: "edited a video",
  deleted: "deleted a video",
  commented: "wrote a comment",
  "comment-edited": "edited a comment",
  "comment-hidden": "hid a comment",
  "comment-shown": "showed a hidden comment again",
  "comment-deleted": "deleted a comment",
  "account-linked": "linked an account",
  "account-unlinked": "unlinked the account",
  "account-broken": "could no longer use the account",
  "settings-changed": "changed the settings",
  denied: "tried what is not theirs to do",
};

/** What somebody did, in words. */
export function videoActWords(act: VideoAct): string {
  return WORDS[act];
}
