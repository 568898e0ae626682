// Where a question about places goes, in each of the two dialects.
import type { TransportDialect, TransportRequest } from "./ask.ts";
import type { PlaceKind, PlacesQuestion } from "./transport-place.ts";

/** How many places come with one page: what the public service gives whatever is asked, and the most that the older paths allow. */
export const PLACES_PER_PAGE = 25;

/** The service's words for kinds; those for ferries and postcodes are not documented. */
const TYPES: Readonly<Record<Exclude<PlaceKind, "other">, string>> = {
  "train-station": "train_station",
  "bus-stop": "bus_stop",
  "tube-station": "tube_station",
  "tram-stop": "tram_stop",
  ferry: "ferry_terminal",
  settlement: "settlement",
  postcode: "postcode",
};

/** The specification leaves these open, so the public service's older paths serve for what lies near a point. */
const NEAR_PATHS: Partial<Readonly<Record<PlaceKind, string>>> = {
  "train-station": "/v3/uk/train/stations/near.json",
  "bus-stop": "/v3/uk/bus/stops/near.json",
};

/** Writes a question as a request. */
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
