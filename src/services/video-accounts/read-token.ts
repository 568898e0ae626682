// An access token as people paste it.
import { UserError } from "../../core/errors.ts";

/** Tokens have some 30 to 300 characters. */
const SHORTEST = 20;
const LONGEST = 2_000;
const QUOTES = /^["'`<“”‘’«»]+|["'`>“”‘’«»]+$/g;
/** What stands before it where it was copied out of a request. */
const NAME = /^(?:authorization:\s*)?(?:bearer\s+|oauth\s+|access_token\s*[=:]\s*)/i;

/** Gives the token itself. Throws a UserError, which does not repeat it, for what cannot be one. */
export function readToken(typed: string): string {
  const token = typed.trim().replace(NAME, "").replace(QUOTES, "").trim();
  if (/^https?:\/\//i.test(token)) {
    throw new UserError("That is a web address, not an access token. Paste the token alone.");
  }
  // It travels in a header.
  if (!/^[!-~]+$/.test(token) || token.length < SHORTEST || token.length > LONGEST) {
    throw new UserError(
      "That is not an access token: those are one long word of letters and digits, without spaces. Copy the whole of it and try again.",
    );
  }
  return token;
}
