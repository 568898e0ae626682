// Answers in the shape of the real ones, written for these tests.
type Row = Readonly<Record<string, unknown>>;

/** A row of the public service. */
export function publicRow(more: Row = {}): Row {
  return {
    mode: "train",
    service: "21700001",
    train_uid: "C00001",
    platform: "5",
    operator: "GR",
    operator_name: "LNER",
    aimed_departure_time: "17:30",
    aimed_arrival_time: "17:28",
    aimed_pass_time: null,
    origin_name: "Edinburgh",
    destination_name: "London Kings Cross",
    source: "Network Rail",
    category: "XX",
    service_timetable: {
      id: "https://transportapi.com/v3/uk/train/service_timetables/C00001:2026-03-04.json?app_id=ID&app_key=KEY",
    },
    status: "LATE",
    expected_arrival_time: "17:33",
    expected_departure_time: "17:35",
    best_arrival_estimate_mins: 12,
    best_departure_estimate_mins: 14,
    ...more,
  };
}

/** A board of the public service. */
export function publicBoard(rows: readonly unknown[], more: Row = {}): Row {
  return {
    date: "2026-03-04",
    time_of_day: "17:20",
    request_time: "2026-03-04T17:20:40+00:00",
    station_name: "York",
    station_code: "crs:YRK",
    departures: { all: rows },
    ...more,
  };
}

/** A board in the format of the specification. */
export function specificationBoard(rows: readonly unknown[], more: Row = {}): Row {
  return {
    station_name: "York",
    station_code: "YRK",
    request_time: "2026-03-04T17:20:40Z",
    departures: { all: rows },
    ...more,
  };
}

/** A row in the format of the specification. */
export function specificationRow(more: Row = {}): Row {
  return {
    destination_name: "Leeds",
    scheduled_departure_time: "17:31",
    expected_departure_time: "17:31",
    status: "ON TIME",
    platform: "8",
    operator: "Northern",
    ...more,
  };
}

/** The service's refusals, which repeat the caller's key as the real ones do. */
export const USAGE_LIMITS = {
  error:
    "Authorisation failed for app_key SECRET-KEY and app_id SECRET-ID with error 'usage limits are exceeded'. See http://transportapi.com for plans and sign-up.",
};

export const NOT_FOUND_APPLICATION = {
  error:
    "Authorisation failed for app_key SECRET-KEY and app_id SECRET-ID with error 'application with id=\"SECRET-ID\" was not found' (code 'application_not_found'). See http://transportapi.com for plans and sign-up.",
};
