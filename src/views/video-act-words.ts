import type { VideoAct } from "../services/video-settings/video-settings.ts";

/** A new act does not compile without words. They follow a name, or "I". */
const WORDS: Readonly<Record<VideoAct, string>> = {
  submitted: "submitted a video",
  approved: "approved a video",
  refused: "refused a video",
  "approval-voided": "changed a video, so that it needs approval anew",
  published: "published a video",
  scheduled: "scheduled a video",
  "put-off": "put a video off, since I was removed from the server",
  "put-back": "put a video back to its time, since I am here again",
  failed: "could not publish a video",
  cancelled: "cancelled a video",
  expired: "let go of a video whose link ended",
  settled: "said what became of a video",
  edited: "edited a video",
  deleted: "deleted a video",
  "out-of-sight": "saw a published video no more",
  "in-sight": "saw a published video again",
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

/** A failure of which nobody knows whether it was one. */
const UNKNOWN = "outcome-unknown";

/** What somebody did, in words. */
export function videoActWords(act: VideoAct, note?: string): string {
  return act === "failed" && note === UNKNOWN
    ? "could not find out whether a video was published"
    : WORDS[act];
}

/** What failures are called where there is room for a few words. */
const FAILURES: Readonly<Record<string, string>> = {
  unavailable: "the service could not be reached",
  timeout: "the service took too long",
  rejected: "the service did not take it",
  "not-permitted": "a permission is missing",
  unauthorised: "the service does not know the account any more",
  "token-dead": "its access token is no longer good",
  "page-token-needed": "it needs a Page's access token",
  "no-account": "the account is no longer linked",
  "not-found": "it is gone, or no longer visible to me",
  unpublished: "it was taken back at the service",
  unreadable: "what I had noted about it cannot be read",
  session: "the service gave up the upload",
  bug: "something went wrong on my side",
};

const IS_FAILURE: ReadonlySet<VideoAct> = new Set(["failed", "account-broken", "out-of-sight"]);

/** What is noted beside it, in words; `undefined` for nothing. */
export function videoActNote(act: VideoAct, note: string | undefined): string | undefined {
  if (!IS_FAILURE.has(act)) {
    return note;
  }
  return note === undefined || note === UNKNOWN ? undefined : (FAILURES[note] ?? note.replaceAll("-", " "));
}
