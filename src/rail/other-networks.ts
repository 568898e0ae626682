// Recognises the names of tube, tram and ferry stops, for which there are no boards.
import stationList from "uk-railway-stations" with { type: "json" };
import { UserError } from "../core/errors.ts";
import { plainWords } from "../core/search-text.ts";
import { quoteText } from "../core/text.ts";
import { londonStops } from "../sources/tfl/london-stops.ts";

export interface Networks {
  readonly hasLondon: boolean;
  readonly hasRailway: boolean;
  readonly hasPlaces: boolean;
}

/** The error for a text that must name a train station; `undefined` if the text may name one. */
export function stationRefusal(
  text: string,
  { hasLondon, hasRailway, hasPlaces }: Networks,
): UserError | undefined {
  const named = `“${quoteText(text)}”.`;
  if (!hasRailway) {
    return new UserError(
      `This needs a train station. I only have live data for London's lines, and can't look up ${named} ${USE_INSTEAD}`,
    );
  }
  if (!isOfOtherNetwork(text)) {
    return undefined;
  }
  return new UserError(
    hasLondon
      ? `This needs a train station, and I don't know one called ${named} ${USE_INSTEAD}`
      : `I have boards for train stations, but none for tubes, metros, trams or ferries such as ${named} ${hasPlaces ? WHERE_IT_IS : CHECK_IT}`,
  );
}

/** As {@link stationRefusal}, if one of London's stops is allowed too and the text resembles none of them. */
export function placeRefusal(text: string, { hasRailway, hasPlaces }: Networks): UserError | undefined {
  const named = `“${quoteText(text)}”.`;
  if (!hasRailway) {
    return new UserError(
      `I only have live data for London's lines, and they have no stop called ${named} ${CHECK_IT}`,
    );
  }
  return isOfOtherNetwork(text)
    ? new UserError(
        `I have boards for train stations and London's lines, but none for other metros, trams or ferries such as ${named} ${hasPlaces ? WHERE_IT_IS : CHECK_IT}`,
      )
    : undefined;
}

const WHERE_IT_IS = "`/places` shows where it is and which stations are nearby.";
const CHECK_IT = "Check the spelling, or pick one from the list as you type.";
const USE_INSTEAD =
  "For a stop on one of London's lines, `/departures` shows what leaves now, and `/watch line` tells you of trouble on its lines.";

const OTHER_NETWORK =
  /\b(?:tube|underground|metro|metrolink|subway|tram|supertram|dlr)\b|\b(?:ferry terminal|pier)$/i;

export function isOfOtherNetwork(text: string): boolean {
  const short = text.slice(0, 60).trim();
  return OTHER_NETWORK.test(short) || (tubeNames ??= readTubeNames()).has(plainWords(short));
}

let tubeNames: ReadonlySet<string> | undefined;

/** Names of tube and DLR stations that no train station shares. */
function readTubeNames(): ReadonlySet<string> {
  const ofRailway = new Set(stationList.flatMap(({ stationName }) => spokenNames(stationName)));
  return new Set(
    londonStops
      .filter(({ modes }) => modes.includes("tube") || modes.includes("dlr"))
      .map(({ name }) => spokenNames(name))
      .filter((names) => !names.some((name) => ofRailway.has(name)))
      .flat(),
  );
}

/** Also without a distinguishing end, as in “Queens Park (London)”, “Heathrow Terminal 4 Rail”. */
function spokenNames(name: string): readonly string[] {
  return [plainWords(name), plainWords(name.replace(/ (?:\(.*|Rail)$/, ""))];
}
