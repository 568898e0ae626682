// Text on a dot matrix: which characters the font has, how wide they are, how a name is made to fit.

/** Columns of dots to a letter, the gap after it included. */
export const LETTER_COLUMNS = 6;

/** What Doto's Latin files have, measured letter by letter; Extended-A has gaps, e.g. `ĉ`. */
const DRAWABLE =
  /^[ -~¡-£¥§-«®-°´¶-¸º»¿-ćĊ-đĖ-ěĞ-ģĦ-īĮ-ıĶķĹ-ľŁ-ňŌōŐ-ŕŘ-śŞ-šŤťŨ-ūŮ-žȘ-țẀ-ẅẞỲỳ–—‘-‚“-„…‹›€−]$/u;

/** A text in letters that the font has: `ĉ` loses its accent, a letter of another script becomes a dot. */
export function drawableText(text: string): string {
  return Array.from(text.normalize("NFC"), drawableLetter).join("");
}

function drawableLetter(letter: string): string {
  if (DRAWABLE.test(letter)) {
    return letter;
  }
  if (/\s/u.test(letter)) {
    return " ";
  }
  // Accents of their own and invisible characters leave nothing.
  const base = letter.normalize("NFKD").replace(/[\p{M}\p{C}]/gu, "");
  return Array.from(base).every((part) => DRAWABLE.test(part)) ? base : "·";
}

/** Width in pixels where dots are `pitch` pixels apart, without the gap after the last character. */
export function dotWidth(text: string, pitch: number): number {
  return Math.max(0, text.length * LETTER_COLUMNS - 1) * pitch;
}

/** Cuts to `width` pixels, with an ellipsis where something is lost. */
export function cutToWidth(text: string, pitch: number, width: number): string {
  const room = Math.floor((width / pitch + 1) / LETTER_COLUMNS);
  return text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1)).trimEnd()}…`;
}

/** A text and the distance of its dots. */
export interface FittedText {
  readonly text: string;
  readonly pitch: number;
}

/** The largest of `pitches` (falling) at which the text fits; the smallest and an ellipsis if none does. */
export function fitText(text: string, pitches: readonly number[], width: number): FittedText {
  const smallest = pitches.at(-1) ?? 1;
  const pitch = pitches.find((one) => dotWidth(text, one) <= width) ?? smallest;
  return { text: cutToWidth(text, pitch, width), pitch };
}

/** A text on one line, or on two lines of whole words; the second is cut where both are not enough. */
export function wrapText(text: string, pitch: number, width: number): readonly [string, string] {
  const room = Math.floor((width / pitch + 1) / LETTER_COLUMNS);
  if (text.length <= room) {
    return [text, ""];
  }
  const space = text.lastIndexOf(" ", room);
  const at = space > 0 ? space : room;
  return [text.slice(0, at), cutToWidth(text.slice(at).trim(), pitch, width)];
}
