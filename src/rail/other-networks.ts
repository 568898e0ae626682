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
  if (!hasRailway) {
    return refusal(text, NO_RAILWAY);
  }
  const refused = hasLondon ? NOT_HERE : { start: NO_BOARDS, end: hasPlaces ? WHERE_IT_IS : CHECK_IT };
  return isOfOtherNetwork(text) ? refusal(text, refused) : undefined;
}

/** As {@link stationRefusal}, if one of London's stops is allowed too and the text resembles none of them. */
export function placeRefusal(text: string, { hasRailway, hasPlaces }: Networks): UserError | undefined {
  if (!hasRailway) {
    return refusal(text, LONDON_ALONE);
  }
  const refused = { start: NO_OTHERS, end: hasPlaces ? WHERE_IT_IS : CHECK_IT };
  return isOfOtherNetwork(text) ? refusal(text, refused) : undefined;
}

const WHERE_IT_IS = "`/places` shows where it is and which stations are nearby.";
const CHECK_IT = "Check the spelling, or pick one from the list as you type.";
const NO_BOARDS = "I have boards for train stations, but none for tubes, metros, trams or ferries such as";
const NO_OTHERS =
  "I have boards for train stations and London's lines, but none for other metros, trams or ferries such as";
const LONDON_ALONE = {
  start: "I only have live data for London's lines, and they have no stop called",
  end: CHECK_IT,
};
const USE_INSTEAD =
  "For a stop on one of London's lines, `/departures` shows what leaves now, and `/watch line` tells you of trouble on its lines.";
const NO_RAILWAY = {
  start: "This needs a train station. I only have live data for London's lines, and can't look up",
  end: USE_INSTEAD,
};
const NOT_HERE = {
  start: "This needs a train station, and I don't know one called",
  end: USE_INSTEAD,
};

function refusal(text: string, { start, end }: typeof NO_RAILWAY): UserError {
  return new UserError(`${start} “${quoteText(text)}”. ${end}`);
}

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
