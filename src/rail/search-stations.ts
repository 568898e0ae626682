// Finds the stations a person may mean while they are still typing.
//
// MiniSearch 7 was tried first. On whole names with one mistake it does well (99.99 % in the first five, p99 0.9 ms),
// but it matches mistakes only against whole words: of half-typed names with a
// mistake ("manchst") it found 55 %, this finds 99 %.
// Comparing every name is cheap once a mask of letters has ruled most of them out; bench/station-search.ts has the figures.
import { lacksAtMost, letterMask, normaliseWords, typingDistance } from "../core/search-text.ts";
import { HEAD, MOST_MISTAKES, type StationEntry, type StationKey } from "./station-index.ts";
import { isLondonCode } from "./london.ts";
import type { Station } from "./stations.ts";

/** The stations that fit `text`, best first, of equals the `recent` ones; empty if nothing is near. */
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
 * The one station that a person surely means although they typed something else; `undefined` if another is as near. A London
 * stop never competes with a railway station: stops of the same name are next to the station, and are offered as well.
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

/** Three letters are a code, or too little to guess from. */
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
      // Before any size of station and kind of match.
      const isRecent = recent.includes(entry.station.crs);
      found.push({ entry, score: isRecent ? Math.floor(score / UNFINISHED) * UNFINISHED - 0.5 : score });
    }
  }
  return found.toSorted(
    (a, b) =>
      a.score - b.score ||
      Number(isLondonCode(a.entry.station.crs)) - Number(isLondonCode(b.entry.station.crs)) ||
      // Shorter names first among equals: less is left to type.
      a.entry.station.name.length - b.entry.station.name.length ||
      (a.entry.station.name < b.entry.station.name ? -1 : 1),
  );
}

/** In three letters a mistake makes any name of any other; a long name survives two. */
function allowedMistakes(typed: string): number {
  if (typed.length < 4) {
    return 0;
  }
  return typed.length < 8 ? 1 : MOST_MISTAKES;
}

// A score is read from the left: mistakes, then whether all is typed, then size of the station, then kind of match.
const PER_MISTAKE = 10_000;
const UNFINISHED = 1_000;
const NOT_WELL_KNOWN = 100;
const KIND = { name: 0, alias: 100, part: 200, words: 300 } as const;

function scoreOf(entry: StationEntry, distance: number, whole: boolean, kind: keyof typeof KIND): number {
  return distance * PER_MISTAKE + (whole ? 0 : UNFINISHED) + (entry.rank ?? NOT_WELL_KNOWN + KIND[kind]);
}

/** "Cross" finds London Kings Cross, but one or two letters mean the beginning of a name. */
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

/** Several words in any order, each the beginning of one of the name's, e.g. "piccadilly man". */
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
