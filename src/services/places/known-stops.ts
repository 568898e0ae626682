// Bus stops that came along in answers, so that they can be offered while somebody types: the service itself may not be
// asked for every letter. Gone after a restart.
import type { Place } from "../../clients/transport/transport-place.ts";
import { normaliseWords } from "../stations/normalise.ts";

/** Stops remembered lately. */
export interface KnownStops {
  remember(places: readonly Place[]): void;
  /** Stops whose words begin as those of the text do, the latest first; none for fewer than three letters. */
  suggest(text: string, limit: number): readonly Place[];
}

/** A town has a few hundred. */
const MOST_STOPS = 2_000;
const FEWEST_LETTERS = 3;

/** Makes an empty memory. */
export function createKnownStops(mostStops = MOST_STOPS): KnownStops {
  const known = new Map<string, { readonly place: Place; readonly words: readonly string[] }>();
  return {
    remember(places) {
      for (const place of places) {
        if (place.kind === "bus-stop" && place.atco !== undefined) {
          known.delete(place.atco);
          known.set(place.atco, { place, words: normaliseWords(`${place.name} ${place.locality ?? ""}`) });
        }
      }
      for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - mostStops))) {
        known.delete(oldest);
      }
    },
    suggest(text, limit) {
      const typed = normaliseWords(text);
      if (typed.join("").length < FEWEST_LETTERS) {
        return [];
      }
      return [...known.values()]
        .toReversed()
        .filter(({ words }) => typed.every((one) => words.some((word) => word.startsWith(one))))
        .slice(0, limit)
        .map(({ place }) => place);
    },
  };
}
