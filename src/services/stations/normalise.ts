// Brings names and what people type to one plain form, so that case, accents and punctuation never matter.

/** Longest text that is looked at; the longest name has 35 characters. Anything beyond costs nothing. */
const LONGEST_TEXT = 60;

/**
 * The words of a text in plain form: lower case, a to z and digits, without accents or apostrophes, "&" as "and",
 * "saint" as "st". Empty for a text without letters or digits, e.g. an emoji.
 */
export function normaliseWords(text: string): readonly string[] {
  return text
    .slice(0, LONGEST_TEXT)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[\p{M}'’‘`]/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => (word === "saint" ? "st" : word));
}

/** One bit for each letter a text holds (digits share one), to rule out most names before they are compared. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index) - FIRST_LETTER;
    mask |= 1 << (code < 0 ? DIGIT_BIT : code);
  }
  return mask;
}

const FIRST_LETTER = "a".charCodeAt(0);
const DIGIT_BIT = 26;

/** How many letters of the first mask the second lacks. */
export function missingLetters(mask: number, other: number): number {
  let rest = mask & ~other;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}
