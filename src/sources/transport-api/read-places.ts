import { z } from "zod";
import { CRS, readEach, unexpectedAnswer } from "../ask.ts";
import { looseList, looseNumber, looseTexts, readInstant } from "../read-values.ts";
import type { TransportDialect, TransportRequest } from "./transport-client.ts";
import type { Place, PlaceKind, PlacesPage, PlacesQuestion } from "../transport-data.ts";

/** `member` is the public service's list; `stations` and `stops` are those of the older paths. */
export const placesSchema = z.object({
  ...looseTexts("request_time", "acknowledgements"),
  total: looseNumber,
  member: looseList,
  places: looseList,
  stations: looseList,
  stops: looseList,
});

/** Degrees between -`most` and `most`; other values count as absent. */
const degrees = (most: number) =>
  looseNumber.transform((value) => (value !== undefined && Math.abs(value) <= most ? value : undefined));

const placeSchema = z.object({
  ...looseTexts("type", "mode", "name", "stop_name", "station_code", "atcocode", "description", "locality"),
  latitude: degrees(90),
  longitude: degrees(180),
  distance: looseNumber,
});

/** Skips entries without a name or a point. Throws `unexpected-answer` if none is usable, or there is no list. */
export function readPlaces(
  answer: z.infer<typeof placesSchema>,
  question: PlacesQuestion,
  now: Temporal.Instant,
): PlacesPage {
  const given = answer.member ?? answer.places ?? answer.stations ?? answer.stops;
  if (given === undefined) {
    throw unexpectedAnswer("transport", "member is missing");
  }
  const places = readEach(
    "transport",
    given,
    (entry) => readPlace(entry, question),
    "no member has both a name and a point",
  );
  const { page, kinds } = question;
  return {
    // The filter is repeated here, because the service may not know every word for a kind.
    places: kinds === undefined ? places : places.filter(({ kind }) => kinds.includes(kind)),
    dataAt: readInstant(answer.request_time) ?? now,
    hasMore:
      answer.total === undefined
        ? given.length >= PLACES_PER_PAGE
        : given.length > 0 && page * PLACES_PER_PAGE < answer.total,
    acknowledgements: answer.acknowledgements,
  };
}

function readPlace(entry: unknown, question: PlacesQuestion): Place | undefined {
  const { data } = placeSchema.safeParse(entry);
  const name = data?.name ?? data?.stop_name;
  if (data?.latitude === undefined || data.longitude === undefined || name === undefined) {
    return undefined;
  }
  const crs = data.station_code?.replace(/^crs:/i, "").toUpperCase();
  const isCrs = crs !== undefined && CRS.test(crs);
  return {
    kind: kindOf(data.type ?? data.mode, isCrs, data.atcocode, question),
    name,
    crs: isCrs ? crs : undefined,
    atco: data.atcocode && /^[0-9A-Z]{4,12}$/i.test(data.atcocode) ? data.atcocode : undefined,
    latitude: data.latitude,
    longitude: data.longitude,
    distanceMetres: data.distance,
    locality: data.locality ?? data.description,
  };
}

/** Words that name a kind, the more specific first: “light rail” is a tram stop, but “rail” is a train station. */
const KIND_WORDS: readonly (readonly [RegExp, PlaceKind])[] = [
  [/tram|light.?rail/, "tram-stop"],
  [/tube|underground|metro|subway/, "tube-station"],
  [/ferry|boat|pier/, "ferry"],
  [/bus|coach/, "bus-stop"],
  [/train|rail/, "train-station"],
  [/settlement|city|town|village|hamlet|suburb/, "settlement"],
  [/post.?code/, "postcode"],
];

/** A place's kind. The older paths have only places of one kind each, and do not name it. */
function kindOf(
  type: string | undefined,
  isStation: boolean,
  atco: string | undefined,
  { kinds }: PlacesQuestion,
): PlaceKind {
  const word = type?.toLowerCase();
  const named = word && KIND_WORDS.find(([words]) => words.test(word))?.[1];
  if (named) {
    return named;
  }
  const [onlyKind, ...others] = kinds ?? [];
  if (word === undefined && onlyKind && others.length === 0) {
    return onlyKind;
  }
  return word !== undefined ? "other" : isStation ? "train-station" : atco ? "bus-stop" : "other";
}

/** The number of places on a page: the public service ignores any other limit, and the older paths allow no more. */
const PLACES_PER_PAGE = 25;

/** The service's words for kinds. Those for ferries and postcodes are not documented. */
const TYPES: Readonly<Record<Exclude<PlaceKind, "other">, string>> = {
  "train-station": "train_station",
  "bus-stop": "bus_stop",
  "tube-station": "tube_station",
  "tram-stop": "tram_stop",
  ferry: "ferry_terminal",
  settlement: "settlement",
  postcode: "postcode",
};

/** Searches near a point, with the public service's older paths, because the specification has no path for them. */
const NEAR_PATHS: Partial<Readonly<Record<PlaceKind, string>>> = {
  "train-station": "/v3/uk/train/stations/near.json",
  "bus-stop": "/v3/uk/bus/stops/near.json",
};

export function formatPlacesRequest(question: PlacesQuestion, dialect: TransportDialect): TransportRequest {
  const { text, near, kinds = [], page } = question;
  const point = near && { lat: String(near.latitude), lon: String(near.longitude) };
  const [onlyKind, ...otherKinds] = kinds;
  const nearPath = onlyKind && otherKinds.length === 0 ? NEAR_PATHS[onlyKind] : undefined;
  if (dialect === "specification" && point && text === undefined && nearPath !== undefined) {
    return { path: nearPath, query: { ...point, page: String(page), rpp: String(PLACES_PER_PAGE) } };
  }
  const types = kinds.flatMap((kind) => (kind === "other" ? [] : [TYPES[kind]]));
  return {
    path: "/v3/uk/places.json",
    query: {
      ...(text !== undefined && { query: text }),
      ...point,
      ...(types.length > 0 && { type: types.join(",") }),
      page: String(page),
      limit: String(PLACES_PER_PAGE),
    },
  };
}
