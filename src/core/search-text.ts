export const MAX_MISTAKES = 2;

/** In three letters, a mistake may turn any name into another; a long name stays recognisable with two. */
export function allowedMistakes(typed: string): number {
  if (typed.length < 4) {
    return 0;
  }
  return typed.length < 8 ? 1 : MAX_MISTAKES;
}

/** Distances in mistakes; Infinity if there are more than the limit. */
export interface TypingDistance {
  readonly whole: number;
  /** To the best-matching beginning of the key, because the person may still be typing. */
  readonly prefix: number;
}

const FAR: TypingDistance = { whole: Infinity, prefix: Infinity };

/** Three rows of the table are enough. They are reused, because this runs thousands of times a keystroke. */
const LONGEST = 128;
let beforeLast = new Uint8Array(LONGEST);
let last = new Uint8Array(LONGEST);
let current = new Uint8Array(LONGEST);

/**
 * Counts inserted, missing, wrong and swapped letters (optimal string alignment) between `typed` and `key`. It
 * calculates only the band of the table that `limit` mistakes can reach. For texts of up to 120 characters.
 */
export function typingDistance(typed: string, key: string, limit: number): TypingDistance {
  if (typed.length > key.length + limit || typed.length + limit >= LONGEST) {
    return FAR;
  }
  const width = Math.min(key.length, typed.length + limit);
  const beyond = limit + 1;
  for (let column = 0; column <= width; column += 1) {
    last[column] = column;
  }
  for (let row = 1; row <= typed.length; row += 1) {
    if (fillRow(typed, key, row, Math.max(0, row - limit), Math.min(width, row + limit), beyond) > limit) {
      return FAR;
    }
    const spent = beforeLast;
    beforeLast = last;
    last = current;
    current = spent;
  }
  let prefix = beyond;
  for (let column = Math.max(0, typed.length - limit); column <= width; column += 1) {
    prefix = Math.min(prefix, last[column] ?? beyond);
  }
  const whole = width === key.length ? (last[width] ?? beyond) : beyond;
  return { whole: whole > limit ? Infinity : whole, prefix: prefix > limit ? Infinity : prefix };
}

/** Calculates one row from `first` to `end` and returns its smallest value. Cells beside the band become `beyond`. */
function fillRow(
  typed: string,
  key: string,
  row: number,
  first: number,
  end: number,
  beyond: number,
): number {
  const letter = typed.charCodeAt(row - 1);
  const letterBefore = typed.charCodeAt(row - 2);
  let smallest = beyond;
  let left = beyond;
  for (let column = first; column <= end; column += 1) {
    let value = row;
    if (column > 0) {
      const other = key.charCodeAt(column - 1);
      value = Math.min(
        (last[column] ?? 0) + 1,
        left + 1,
        (last[column - 1] ?? 0) + (letter === other ? 0 : 1),
      );
      if (row > 1 && column > 1 && letterBefore === other && letter === key.charCodeAt(column - 2)) {
        value = Math.min(value, (beforeLast[column - 2] ?? 0) + 1);
      }
    }
    current[column] = value;
    left = value;
    smallest = Math.min(smallest, value);
  }
  if (first > 0) {
    current[first - 1] = beyond;
  }
  current[end + 1] = beyond;
  return smallest;
}

/** The rest of a longer text is ignored and costs nothing. The longest name has 35 characters. */
const LONGEST_TEXT = 60;

/** A normalised text, e.g. `kings cross st pancras`. */
export function plainWords(text: string): string {
  return normaliseWords(text).join(" ");
}

/** Lower case a to z and digits, without accents or apostrophes, "&" as "and", "saint" as "st". May be empty. */
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

/** One bit for each letter that a text contains (digits share one), to exclude most names before they are compared. */
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

/** Whether the second mask lacks at most `limit` letters of the first. */
export function lacksAtMost(limit: number, mask: number, other: number): boolean {
  let missing = mask & ~other;
  for (let left = limit; missing !== 0; left -= 1) {
    if (left === 0) {
      return false;
    }
    missing &= missing - 1;
  }
  return true;
}
