// An account that the service no longer takes: how that is kept, and what people are told.
import { z } from "zod";
import type { VideoTrouble } from "../../clients/video/error-codes.ts";
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import type { LinkedAccount } from "./video-accounts.ts";

const brokenSchema = z.enum([
  "token-dead",
  "needs-confirmation",
  "page-token-needed",
  "permission",
  "blocked",
]);

/** Reads why an account is broken; what later versions know is a dead token to this one. */
export function parseBroken(because: string | undefined): VideoTrouble | undefined {
  return because === undefined ? undefined : (brokenSchema.safeParse(because).data ?? "token-dead");
}

/** What to do, beyond a token that is no longer good. `which` begins the sentence. */
const SENTENCES: Partial<Record<VideoTrouble, (which: string) => string>> = {
  "needs-confirmation": (which) =>
    `${which} waits for its owner: they have to log in at the video service and confirm something there. After that, please try again.`,
  "page-token-needed": (which) =>
    `${which} needs a Page's access token. Link one with \`/video account link\`.`,
  permission: (which) =>
    `${which} lacks a permission. Make an access token that has it, and link it with \`/video account link\`.`,
  blocked: (which) =>
    `${which} is barred from acting for some hours, by the video service. Please try again tomorrow.`,
};

/** What stands in the way of whoever wants to act with it, and how to clear it. */
export function explainBroken({
  name,
  brokenBecause = "token-dead",
}: Pick<LinkedAccount, "name" | "brokenBecause">): UserError {
  const which = name === undefined ? "This server's video account" : `The video account “${quoteText(name)}”`;
  const say = SENTENCES[brokenBecause];
  return new UserError(
    say?.(which) ??
      `${which} must be linked again: its access token is no longer good. Make a new one, and use \`/video account link\`.`,
  );
}
