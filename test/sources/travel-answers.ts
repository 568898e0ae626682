// Answers about places, bus stops and the network in the shape of the real ones, written for these tests.
type Fields = Readonly<Record<string, unknown>>;

/** An answer of the public service's search. */
export function placesAnswer(member: readonly unknown[], more: Fields = {}): Fields {
  return {
    request_time: "2026-03-04T17:20:00+00:00",
    source: "Network Rail, NaPTAN",
    acknowledgements: "Contains rail data, , Contains DfT NaPTAN bus stops data",
    member,
    ...more,
  };
}

/** A train station among places. */
export const YORK_STATION = {
  type: "train_station",
  name: "York",
  latitude: 53.958,
  longitude: -1.093,
  accuracy: 100,
  station_code: "YRK",
  tiploc_code: "YORK",
};

/** A bus stop among places. */
export const MILL_LANE = {
  type: "bus_stop",
  name: "Mill Lane - N-bound",
  latitude: 53.9501,
  longitude: -1.1,
  accuracy: 20,
  atcocode: "3290EX001",
  description: "York",
};

/** An answer of the older path for stops near a point. */
export function nearAnswer(stops: readonly unknown[], more: Fields = {}): Fields {
  return { page: 1, rpp: 25, total: stops.length, request_time: "2026-03-04T17:20:00+00:00", stops, ...more };
}

/** A row of a bus stop. */
export function busRow(more: Fields = {}): Fields {
  return {
    mode: "bus",
    line: "4A",
    direction: "City Centre",
    operator: "EXBU",
    date: "2026-03-04",
    aimed_departure_time: "17:25",
    expected_departure_time: null,
    best_departure_estimate: "17:25",
    dir: "inbound",
    source: "tnds",
    ...more,
  };
}

/** A bus stop with its departures, by line or under `all`. */
export function busAnswer(departures: unknown, more: Fields = {}): Fields {
  return {
    atcocode: "3290EX001",
    request_time: "2026-03-04T17:20:00+00:00",
    name: "Mill Lane",
    location: { type: "Point", coordinates: [-1.1, 53.95] },
    departures,
    ...more,
  };
}

/** The public service's answer about disruptions on buses, as far as it is known. */
export function situationsAnswer(member: readonly unknown[]): Fields {
  return { request_time: "2026-03-04T17:20:00+00:00", member };
}
