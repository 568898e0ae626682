// The stations nearest to a text that is no station's name, however far off it is.
import { normaliseWords } from "./normalise.ts";
import { searchStations } from "./search-stations.ts";
import type { StationEntry } from "./station-index.ts";
import type { Station } from "./stations.ts";
import { typingDistance } from "./typing-distance.ts";

/**
 * Always `count` stations: what the search finds, then the names with the fewest differences, then well-known ones.
 * Compares whole names, some milliseconds for all of them, so it is for an error and not for every keystroke.
 */
export function nearestStations(
  index: readonly StationEntry[],
  wellKnown: readonly Station[],
  text: string,
  count: number,
): readonly Station[] {
  const nearest = new Set(searchStations(index, text, count));
  const typed = normaliseWords(text).join("");
  if (nearest.size < count && typed !== "") {
    for (const station of byDistance(index, typed)) {
      nearest.add(station);
    }
  }
  for (const station of wellKnown) {
    nearest.add(station);
  }
  return [...nearest].slice(0, count);
}

/** At least half of what was typed has to be right, or the likeness is chance. */
function byDistance(index: readonly StationEntry[], typed: string): readonly Station[] {
  const limit = Math.max(1, Math.floor(typed.length / 2));
  return index
    .map(({ station, words, rank }) => ({
      station,
      rank: rank ?? Infinity,
      distance: typingDistance(typed, words.join(""), limit).whole,
    }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance || (a.rank < b.rank ? -1 : 1))
    .map(({ station }) => station);
}
