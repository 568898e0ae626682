// Finds styles by what people type: an id, label or alias, or its beginning, even with a typing mistake.
import { UserError } from "../core/errors.ts";
import { listOr, quoteText } from "../core/text.ts";
import { allowedMistakes, typingDistance } from "../core/search-text.ts";
import type { Catalogue, Style } from "./catalogue.ts";

const NEAR = 3;
/** Only this many characters of a message are read. */
const LONGEST_SENTENCE = 500;

/** Among equal matches, `recent` ids come first, then the catalogue's order decides. Empty without a catalogue. */
export function suggestStyles(
  { styles }: Catalogue,
  text: string,
  limit: number,
  recent: readonly string[] = [],
): readonly Style[] {
  const typed = foldStyleName(text);
  return styles
    .map((style) => ({ style, rank: typed === "" ? 0 : rankOf(style, typed) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank || placeIn(recent, a.style) - placeIn(recent, b.style))
    .slice(0, limit)
    .map(({ style }) => style);
}

function placeIn(recent: readonly string[], { id }: Style): number {
  const place = recent.indexOf(id);
  return place === -1 ? recent.length : place;
}

/** The style of this name, or the only one with a similar name. Without a catalogue, any word is one. Throws a UserError. */
export function resolveStyle(catalogue: Catalogue, text: string): Style {
  if (catalogue.styles.length === 0) {
    return freeStyle(text);
  }
  const typed = foldStyleName(text);
  const limit = allowedMistakes(typed);
  const isNear = (name: string): boolean =>
    typed !== "" && typingDistance(typed, name, limit).whole < Infinity;
  const exact = catalogue.styles.find((style) => namesOf(style).includes(typed));
  const [found, ...others] = exact
    ? [exact]
    : catalogue.styles.filter((style) => namesOf(style).some(isNear));
  if (!found || others.length > 0) {
    throw unknownStyle(catalogue, text);
  }
  return found;
}

/** Names of styles have at most this many words. */
const MAX_WORDS = 4;

/** Finds the style that a sentence names, e.g. "watercolour please". If it names several, the longest name wins. */
export function findStyleIn({ styles }: Catalogue, text: string): Style | undefined {
  const words = text
    .slice(0, LONGEST_SENTENCE)
    .split(/\s+/)
    .map(foldStyleName)
    .filter((word) => word !== "");
  for (let length = MAX_WORDS; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const said = words.slice(start, start + length).join("");
      const named = styles.find((style) => namesOf(style).includes(said));
      if (named) {
        return named;
      }
    }
  }
  return undefined;
}

function freeStyle(text: string): Style {
  const id = text.trim().toLowerCase();
  if (!STYLE_WORD.test(id)) {
    throw new UserError("A style is one word of up to 32 letters, digits, - or _, such as cartoon.");
  }
  return { id, label: id, group: undefined, description: "", aliases: [] };
}

function unknownStyle(catalogue: Catalogue, text: string): UserError {
  const quote = quoteText(text);
  const near = suggestStyles(catalogue, text, NEAR);
  const labels = (near.length > 0 ? near : catalogue.styles.slice(0, NEAR)).map(({ label }) => label);
  const choice = listOr(labels);
  const start = quote === "" ? "Which style?" : `I don't know a style called “${quote}”.`;
  const advice = near.length > 0 ? `Did you mean ${choice}?` : `Try ${choice}, for example.`;
  return new UserError(`${start} ${advice} Pick one from the list as you type, or look at \`/styles\`.`);
}

function namesOf({ id, label, aliases }: Style): readonly string[] {
  return [id, label, ...aliases].map(foldStyleName);
}

/** From best to worst: a whole name, its beginning, a part of it, the group's beginning, a mistake; -1 for no match. */
function rankOf(style: Style, typed: string): number {
  const names = namesOf(style);
  const limit = allowedMistakes(typed);
  const matches = [
    () => names.includes(typed),
    () => names.some((name) => name.startsWith(typed)),
    () => names.some((name) => name.includes(typed)),
    () => style.group !== undefined && foldStyleName(style.group).startsWith(typed),
    () => limit > 0 && names.some((name) => typingDistance(typed, name, limit).prefix < Infinity),
  ];
  return matches.findIndex((isMatch) => isMatch());
}

/** The id of a style. Two ids of 32 characters fit into a custom id beside a button's other arguments. */
export const STYLE_WORD = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Longer than any name; the rest is ignored. */
const LONGEST_NAME = 80;

/** For comparing names: lower-case letters and digits without accents, e.g. `oilpaint` for "Oil paint". */
export function foldStyleName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
