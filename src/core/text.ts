// Shortens texts for people with an ellipsis and never splits a character; also quotes, joins and counts.
import { DIRECTION_CONTROLS, escapeMarkdown } from "./reply.ts";

/** Cuts a text to at most `limit` UTF-16 units. A cut text ends with an ellipsis. */
export function cutText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= limit) {
    return whole;
  }
  return limit < 1 ? "" : `${cutUnits(whole, limit - 1)}…`;
}

/** Cuts a text to one line of at most `limit` UTF-16 units, for labels and titles. The result may be empty. */
export function cutLine(text: string, limit: number): string {
  const line = text.toWellFormed().replace(DIRECTION_CONTROLS, "").replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${cutUnits(line, limit - 1)}…`;
}

/** Returns the first `limit` UTF-16 units, without half a character at the end. It is fast for a text of any length. */
export function cutUnits(text: string, limit: number): string {
  const isHalved = limit < text.length && isHighSurrogate(text.charCodeAt(limit - 1));
  return text.slice(0, Math.max(0, isHalved ? limit - 1 : limit)).toWellFormed();
}

/** Other people's text on one line of at most `limit` characters, without {@link INVISIBLE} ones. */
export function oneLine(text: string, limit: number): string {
  // Cut generously first, so that a very long text costs nothing.
  const line = cutUnits(text, 8 * limit)
    .replace(INVISIBLE, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/** White space, invisible and direction-changing characters, but not those that join emoji and letters. */
export const INVISIBLE = /(?:(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{C}\s])+/gu;

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const LONGEST_QUOTE = 40;

/** A person's text on one line of at most 40 characters, without formatting; empty if nothing in it is visible. */
export function quoteText(text: string): string {
  // Cut generously first, because an emoji may take several units, so that a very long text costs nothing.
  const line = cutUnits(text, 10 * LONGEST_QUOTE)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  const cut = characters.slice(0, LONGEST_QUOTE).join("").trimEnd();
  return escapeMarkdown(cut) + (characters.length > LONGEST_QUOTE ? "…" : "");
}

type Piece = string | undefined | false;

export function joinLines(...texts: readonly Piece[]): string {
  return texts.filter(Boolean).join("\n");
}

export function joinCommas(...texts: readonly Piece[]): string {
  return texts.filter(Boolean).join(", ");
}

export function joinDots(...texts: readonly Piece[]): string {
  return texts.filter(Boolean).join(" · ");
}

/** Capitalises the first letter, even after an emoji or another symbol; but `c2c` and `8 rows` stay unchanged. */
export function upperFirst(text: string): string {
  return text.replace(
    /^([^\p{L}\d]*)(\p{Ll})(?!\d)/u,
    (_, signs: string, letter: string) => signs + letter.toUpperCase(),
  );
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** e.g. `York, Leeds and Hull`. */
export function listAnd(names: readonly string[]): string {
  return list(names, "and");
}

/** e.g. `York, Leeds or Hull`. */
export function listOr(names: readonly string[]): string {
  return list(names, "or");
}

/** Replaces Intl.ListFormat, which takes 18 ms and 6 MB at its first use. */
function list(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** e.g. `1 minute`, `1,204 views`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}

/** As Discord does: a MB has 1,048,576 bytes. `round` should round down for a limit, and up for an excess. */
export function formatSize(bytes: number, round: (value: number) => number = Math.round): string {
  const units = ["KB", "MB", "GB"] as const;
  const power = bytes >= 1024 ** 3 ? 2 : bytes >= 1024 ** 2 ? 1 : 0;
  const value = bytes / 1024 ** (power + 1);
  return `${value >= 100 || power === 0 ? round(value) : round(value * 10) / 10} ${units[power]}`;
}
