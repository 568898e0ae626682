// Finds the stations that a person may mean while they are still typing. MiniSearch 7 was tried first, but it allows
// mistakes only in whole words: it found 55 % of half-typed names with a mistake ("manchst"), and this finds 99 %.
// Comparing every name is cheap once a mask of letters has excluded most; bench/station-search.ts has the figures.
import {
  allowedMistakes,
  lacksAtMost,
  letterMask,
  normaliseWords,
  typingDistance,
} from "../core/search-text.ts";
import { HEAD, type StationEntry, type StationKey } from "./station-index.ts";
import { isLondonCode } from "./london.ts";
import type { Station } from "./stations.ts";

/** The stations that match `text`, best first; `recent` ones come first among equals. Empty if none is similar. */
export function searchStations<S extends Station>(
  index: readonly StationEntry<S>[],
  text: string,
  limit: number,
  recent: readonly string[] = [],
): readonly S[] {
  return rankStations(index, text, recent)
    .slice(0, limit)
    .map(({ entry }) => entry.station);
}

/**
 * The station that a person certainly means despite typing mistakes; `undefined` if another one is as similar. A London
 * stop never competes with a railway station, because a stop of the same name is next to the station.
 */
export function unambiguousMatch<S extends Station>(
  index: readonly StationEntry<S>[],
  text: string,
): S | undefined {
  const [best, ...others] =
    normaliseWords(text).join("").length < SHORTEST_GUESS ? [] : rankStations(index, text);
  const next = others.find(
    ({ entry }) =>
      best === undefined || isLondonCode(best.entry.station.crs) || !isLondonCode(entry.station.crs),
  );
  return best && (next?.score ?? Infinity) - best.score > UNFINISHED / 2 ? best.entry.station : undefined;
}

/** Three letters are a code, or too few to guess from. */
const SHORTEST_GUESS = 4;

function rankStations<S extends Station>(
  index: readonly StationEntry<S>[],
  text: string,
  recent: readonly string[] = [],
) {
  const words = normaliseWords(text);
  const typed = words.join("");
  if (typed === "") {
    return [];
  }
  const mask = letterMask(typed);
  const headMask = letterMask(typed.slice(0, HEAD));
  const mistakes = allowedMistakes(typed);
  const found: { readonly entry: StationEntry<S>; readonly score: number }[] = [];
  const code = typed.toUpperCase();
  for (const entry of index) {
    const score = Math.min(
      entry.station.crs === code ? -1 : Infinity,
      keysScore(entry, typed, { mask, headMask }, mistakes),
      wordsScore(entry, words, mask, mistakes),
    );
    if (score < Infinity) {
      // Among matches with as many mistakes, and as complete, recent stations come first.
      const isRecent = recent.includes(entry.station.crs);
      found.push({ entry, score: isRecent ? Math.floor(score / UNFINISHED) * UNFINISHED - 0.5 : score });
    }
  }
  return found.toSorted(
    (a, b) =>
      a.score - b.score ||
      Number(isLondonCode(a.entry.station.crs)) - Number(isLondonCode(b.entry.station.crs)) ||
      // Shorter names come first among equals, because less is left to type.
      a.entry.station.name.length - b.entry.station.name.length ||
      (a.entry.station.name < b.entry.station.name ? -1 : 1),
  );
}

// The digits of a score, from left to right: mistakes, whether the name is incomplete, how well known the station is,
// and the kind of match. Lower is better.
const PER_MISTAKE = 10_000;
const UNFINISHED = 1_000;
const NOT_WELL_KNOWN = 100;
const KIND = { name: 0, alias: 100, part: 200, words: 300 } as const;

function scoreOf(entry: StationEntry, distance: number, whole: boolean, kind: keyof typeof KIND): number {
  return distance * PER_MISTAKE + (whole ? 0 : UNFINISHED) + (entry.rank ?? NOT_WELL_KNOWN + KIND[kind]);
}

/** "Cross" finds London Kings Cross, but one or two letters can only be the beginning of a name. */
const SHORTEST_PART = 3;

function keysScore(
  entry: StationEntry,
  typed: string,
  { mask, headMask }: Pick<StationKey, "mask" | "headMask">,
  mistakes: number,
): number {
  let best = Infinity;
  for (const key of entry.keys) {
    if (
      lacksAtMost(mistakes, headMask, key.headMask) &&
      lacksAtMost(mistakes, mask, key.mask) &&
      (key.kind !== "part" || typed.length >= SHORTEST_PART)
    ) {
      best = Math.min(best, keyScore(entry, key, typed, mistakes));
    }
  }
  return best;
}

function keyScore(entry: StationEntry, key: StationKey, typed: string, mistakes: number): number {
  if (key.text.startsWith(typed)) {
    return scoreOf(entry, 0, key.kind !== "part" && key.text.length === typed.length, key.kind);
  }
  if (mistakes === 0) {
    return Infinity;
  }
  const { whole, prefix } = typingDistance(typed, key.text, mistakes);
  return Math.min(
    whole === Infinity || key.kind === "part" ? Infinity : scoreOf(entry, whole, true, key.kind),
    prefix === Infinity ? Infinity : scoreOf(entry, prefix, false, key.kind),
  );
}

/** The score of several words in any order, each the beginning of a word of the name, e.g. "piccadilly man". */
function wordsScore(entry: StationEntry, words: readonly string[], mask: number, mistakes: number): number {
  if (words.length < 2 || words.length > entry.words.length || !lacksAtMost(mistakes, mask, entry.mask)) {
    return Infinity;
  }
  const free = [...entry.words];
  let distance = 0;
  for (const word of words) {
    const { at, off } = nearestWord(free, word, Math.min(allowedMistakes(word), mistakes - distance));
    if (off === Infinity) {
      return Infinity;
    }
    distance += off;
    free.splice(at, 1);
  }
  return scoreOf(entry, distance, false, "words");
}

function nearestWord(free: readonly string[], word: string, mistakes: number): { at: number; off: number } {
  let nearest = { at: -1, off: Infinity };
  for (const [at, candidate] of free.entries()) {
    const off = candidate.startsWith(word) ? 0 : typingDistance(word, candidate, mistakes).prefix;
    if (off < nearest.off) {
      nearest = { at, off };
    }
  }
  return nearest;
}
