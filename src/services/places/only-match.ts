// Which of several places is meant beyond doubt.
import type { Place } from "../../clients/transport/transport-place.ts";
import { normaliseWords } from "../stations/normalise.ts";

/** The only place there is, or the only one of exactly this name; `undefined` where a person has to choose. */
export function onlyMatch(places: readonly Place[], text: string): Place | undefined {
  const wanted = normaliseWords(text).join(" ");
  const exact = places.filter(({ name }) => normaliseWords(name).join(" ") === wanted);
  const meant = exact.length > 0 ? exact : places;
  return meant.length === 1 ? meant[0] : undefined;
}
