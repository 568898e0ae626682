// Brings what people type into a schedule to one plain form.
import { UserError } from "../../core/errors.ts";

/** Twenty-four times, each written at length, are shorter. */
const LONGEST = 400;

/** Lower case, on one line, with plain spaces, digits and hyphens. Throws a UserError for more than 400 characters. */
export function plainText(text: string): string {
  if (text.length > LONGEST) {
    throw new UserError("That is more text than I can read. Keep it short, e.g. 07:30, 17:15.");
  }
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‐-―−]/g, "-")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
}
