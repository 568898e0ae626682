// The styles in the operator's catalogue, and how they are found. Without a catalogue, any word is accepted as a style.
import { z } from "zod";
import { ConfigError, UserError } from "../core/errors.ts";
import { answerPlacesSchema } from "./client/answer-places.ts";
import { listOr, quoteText } from "../core/text.ts";
import { allowedMistakes, typingDistance } from "../core/search-text.ts";

/** The service does not state its limits. Most accept 8 MB or more, and 2,048 pixels (about 1 MB) fill a screen. */
const DEFAULT_LIMITS = { maxBytes: 8_000_000, maxSide: 2_048 };

/** The id of a style. Two ids of 32 characters fit into a custom id beside a button's other arguments. */
export const STYLE_WORD = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MAX_STYLES = 500;
/** Discord's lists show 100 characters, and the group may be added to the label. */
const LONGEST_LABEL = 60;
/** Discord's limit for the description of a menu's option. */
const LONGEST_DESCRIPTION = 100;

const line = (longest: number) => z.string().trim().min(1).max(longest);

/** The form always has the fields `image` and `style`. */
const fieldName = z
  .string()
  .regex(/^[A-Za-z][\w.[\]-]{0,63}$/, "must be the name of a form field")
  .refine((name) => name !== "image" && name !== "style", "must be a field other than image and style");

const parameter = z
  .strictObject({ name: fieldName, none: z.number().default(0), full: z.number().default(1) })
  .refine(({ none, full }) => none !== full, "must have different numbers for none and full");

const styleSchema = z
  .strictObject({
    /** The service's name for it. */
    id: z.string().regex(STYLE_WORD, "must be a lower-case word of letters, digits, - and _"),
    label: line(LONGEST_LABEL).optional(),
    /** e.g. `Painted`; styles of a group are listed together. */
    group: line(LONGEST_LABEL).optional(),
    /** One sentence; empty if none is given. */
    description: z.string().trim().max(LONGEST_DESCRIPTION).default(""),
    aliases: z.array(line(LONGEST_LABEL)).max(20).default([]),
  })
  .transform(({ label, group, ...style }) => ({ ...style, label: label ?? capitalise(style.id), group }));

export type Style = z.output<typeof styleSchema>;

const catalogueSchema = z.strictObject({
  /** Empty without a catalogue: any word is then a style. */
  styles: z.array(styleSchema).min(1).max(MAX_STYLES).check(rejectSharedNames).readonly(),
  /** The form field for the strength, with its values for 0% and 100%; `undefined` if the bot blends pictures instead. */
  intensity: parameter.optional(),
  /** Form fields for a second style and its share (if absent, half); `undefined` if the bot blends two results. */
  mix: z.strictObject({ style: fieldName, share: parameter.optional() }).optional(),
  /** `maxSide` is the limit of the longer side, in pixels. */
  limits: z
    .strictObject({
      maxBytes: z.int().min(65_536).max(100_000_000).default(DEFAULT_LIMITS.maxBytes),
      maxSide: z.int().min(64).max(16_383).default(DEFAULT_LIMITS.maxSide),
    })
    .default(DEFAULT_LIMITS),
  answer: answerPlacesSchema.default({}),
});

export type Catalogue = z.output<typeof catalogueSchema>;

/** Without a catalogue, any word is a style and the bot blends pictures itself. Throws a ConfigError with each problem. */
export function readCatalogue(text: string | undefined): Catalogue {
  if (text === undefined) {
    return { styles: [], limits: DEFAULT_LIMITS, answer: {} };
  }
  const result = catalogueSchema.safeParse(parse(text));
  if (!result.success) {
    throw new ConfigError(result.error.issues.map(describe));
  }
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(["STYLE_CATALOGUE names a file that is not JSON."]);
  }
}

function describe({ path, message }: z.core.$ZodIssue): string {
  const place = path.length === 0 ? "as a whole" : path.map(String).join(".");
  // zod begins its own sentences with a capital, e.g. "Invalid input: expected string, received number".
  const rest = message.startsWith("must") ? message : `is wrong: ${message}`;
  return `STYLE_CATALOGUE ${place} ${rest}.`;
}

/** Two styles must not share a name, because it would be ambiguous. One style may repeat its own names. */
function rejectSharedNames(
  payload: z.core.ParsePayload<{ id: string; label: string; aliases: readonly string[] }[]>,
): void {
  if (payload.issues.length > 0) {
    // zod also runs this check if an entry is invalid; the entries are then not parsed.
    return;
  }
  const owners = new Map<string, string>();
  const ids = new Set<string>();
  for (const [index, { id, label, aliases }] of payload.value.entries()) {
    const isTaken = [id, label, ...aliases].some((name) => {
      const folded = foldStyleName(name);
      // A label of symbols alone folds to nothing and cannot be typed, so it cannot be ambiguous.
      const owner = folded === "" ? undefined : owners.get(folded);
      owners.set(folded, owner ?? id);
      return owner !== undefined && owner !== id;
    });
    if (isTaken || ids.has(id)) {
      payload.issues.push({
        code: "custom",
        input: id,
        path: [index],
        message: "must not share its id, its label or an alias with another style",
      });
    }
    ids.add(id);
  }
}

function capitalise(id: string): string {
  const words = id.replace(/[_-]+/g, " ").trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

// Finds styles by what people type: an id, label or alias, or its beginning, even with a typing mistake.

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

/** Longer than any name; the rest is ignored. */
const LONGEST_NAME = 80;

/** For comparing names: lower-case letters and digits without accents, e.g. `oilpaint` for "Oil paint". */
function foldStyleName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
