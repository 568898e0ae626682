// A journey and a train in the shape of the real answers, written for these tests.
type Json = Readonly<Record<string, unknown>>;

/** A part of a route in the public service's format, with dates. */
export function publicPart(more: Json = {}): Json {
  return {
    mode: "train",
    from_point_name: "York",
    from_point: { place: null },
    to_point_name: "Leeds",
    to_point: { place: null },
    destination: "Hull",
    destination_point: { place: null },
    line_name: "1234",
    service: { id: null },
    duration: "00:58:00",
    departure_time: "23:32",
    arrival_time: "00:30",
    departure_datetime: "2026-03-04T23:32:00+00:00",
    arrival_datetime: "2026-03-05T00:30:00+00:00",
    steps: [],
    coordinates: [],
    ...more,
  };
}

/** An answer of the public service. */
export function publicJourney(routes: readonly unknown[], more: Json = {}): Json {
  return { request_time: "2026-03-04T17:20:00+00:00", routes, ...more };
}

/** A route in the format of the specification: minutes, perhaps a price, times without dates. */
export function specificationRoute(parts: readonly Json[], more: Json = {}): Json {
  return { duration: 58, price: 12.4, route_parts: parts, ...more };
}

/** A part in the format of the specification. */
export function specificationPart(departs: string, arrives: string, more: Json = {}): Json {
  return { mode: "train", line_name: "Northern", departure_time: departs, arrival_time: arrives, ...more };
}

/** A calling point of a train; only aimed times by default. */
export function stop(name: string, arrives: string | null, departs: string | null, more: Json = {}): Json {
  return {
    station_code: name.slice(0, 3).toUpperCase(),
    tiploc_code: null,
    station_name: name,
    stop_type: arrives === null ? "LO" : departs === null ? "LT" : "LI",
    platform: null,
    aimed_departure_date: departs === null ? null : "2026-03-04",
    aimed_departure_time: departs,
    aimed_arrival_date: arrives === null ? null : "2026-03-04",
    aimed_arrival_time: arrives,
    expected_departure_date: null,
    expected_departure_time: null,
    expected_arrival_date: null,
    expected_arrival_time: null,
    status: null,
    ...more,
  };
}

/** A train of the public service. */
export function publicTrain(stops: readonly unknown[], more: Json = {}): Json {
  return {
    service: "21700001",
    train_uid: "C00001",
    headcode: "",
    origin_name: "Edinburgh",
    destination_name: "London Kings Cross",
    date: "2026-03-04",
    time_of_day: null,
    mode: "train",
    request_time: "2026-03-04T17:20:40+00:00",
    operator: "GR",
    operator_name: "LNER",
    stops,
    ...more,
  };
}
