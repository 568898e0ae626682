// What a person wrote, made fit to be said back to them.
import { escapeMarkdown } from "./reply.ts";

const LONGEST_QUOTE = 40;

/**
 * A person's text on one line, cut to 40 characters and without any formatting of its own; cheap however long it is.
 * Empty when nothing visible was written.
 */
export function quoteText(text: string): string {
  // Cut first, generously (an emoji may take several units), so that a very long text costs nothing.
  const line = text
    .slice(0, 10 * LONGEST_QUOTE)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  const cut = characters.slice(0, LONGEST_QUOTE).join("").trimEnd();
  return escapeMarkdown(cut) + (characters.length > LONGEST_QUOTE ? "…" : "");
}
