// After a write of which nobody heard whether it was done.
import type { Reply } from "../core/reply.ts";
import { privateCard } from "./private-card.ts";
import { videoButton } from "./video-buttons.ts";

/** `what` completes "whether …", e.g. `the title was changed`; `look` is where it would be seen. */
export function unknownOutcomeView(what: string, videoId: string, look: "show" | "comments"): Reply {
  return privateCard([
    {
      type: "text",
      text: `⚠️ The video service never said whether ${what}. I looked, and did not see it; it may still turn up. Look again in a minute before you repeat it, so that it does not happen twice.`,
    },
    {
      type: "buttons",
      buttons: [videoButton(look, videoId, { isHere: true, label: "Look again" })],
    },
  ]);
}
