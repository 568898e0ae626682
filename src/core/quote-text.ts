// What a person wrote, made fit to be said back to them.
import { cutUnits } from "./cut-text.ts";
import { escapeMarkdown } from "./reply.ts";

const LONGEST_QUOTE = 40;

/**
 * A person's text on one line, cut to 40 characters and without any formatting of its own; cheap however long it is.
 * Empty when nothing visible was written.
 */
export function quoteText(text: string): string {
  // Cut first, generously (an emoji may take several units), so that a very long text costs nothing.
  const line = cutUnits(text, 10 * LONGEST_QUOTE)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  const cut = characters.slice(0, LONGEST_QUOTE).join("").trimEnd();
  return escapeMarkdown(cut) + (characters.length > LONGEST_QUOTE ? "…" : "");
}
