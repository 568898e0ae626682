// The faults that only this service has: HTML from a gateway, errors with status 200, unexpected formats.
import { createServiceFaults, type FaultHooks, jsonAnswer, pageAnswer } from "../faults/service-faults.ts";
import { type Credentials, unknownApplicationText, usedUpText } from "./refusals.ts";

const ALTERATIONS = [
  /** The fields of rows have other names. */
  "renamed-fields",
  /** A text replaces the list of rows. */
  "text-for-list",
  /** Rows contain numbers, nulls and words that the service has never sent. */
  "odd-values",
] as const;

/** A fault that changes an answer's content; `alterAnswer` applies it. */
export type Alteration = (typeof ALTERATIONS)[number];

export type TransportFaults = ReturnType<typeof createTransportFaults>;

/** Error messages repeat these credentials. Faults match paths without `/v3/uk`. */
export function createTransportFaults({ appId, appKey }: Credentials, hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    prefix: "/v3/uk",
    alterations: ALTERATIONS,
    broken: pageAnswer(500, "500 Internal Server Error"),
    busy(retryAfter) {
      const { status, headers, body } = jsonAnswer(429, { error: "Too many requests" });
      return { status, headers: { ...headers, "retry-after": retryAfter }, body };
    },
    refusals: {
      "502": pageAnswer(502, "502 Bad Gateway"),
      "503": pageAnswer(503, "503 Service Temporarily Unavailable"),
      html: pageAnswer(200, "Welcome"),
      "401": jsonAnswer(401, { error: unknownApplicationText(appId, appKey) }),
      "200-error": jsonAnswer(200, { error: unknownApplicationText(appId, appKey) }),
      "used-up": jsonAnswer(403, { error: usedUpText(appId, appKey) }),
    },
  });
}

type Row = Readonly<Record<string, unknown>>;
/** An answer. Its rows are in lists: directly, under `all`, or under one key for each line of a bus stop. */
export type AnswerBody = Readonly<Record<string, unknown>>;

const LISTS: ReadonlySet<string> = new Set([
  "departures",
  "arrivals",
  "passes",
  "routes",
  "member",
  "stations",
  "stops",
  "status",
]);

export function alterAnswer(body: AnswerBody, alteration: Alteration | undefined): AnswerBody {
  if (alteration === undefined) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, LISTS.has(key) ? alterLists(value, alteration) : value]),
  );
}

/** Changes a list, or the lists in an object. Anything else, such as a `status` that is a word, stays unchanged. */
function alterLists(value: unknown, alteration: Alteration): unknown {
  if (isRows(value)) {
    return alterList(value, alteration);
  }
  return isRow(value)
    ? Object.fromEntries(Object.entries(value).map(([key, list]) => [key, alterLists(list, alteration)]))
    : value;
}

function alterList(rows: readonly Row[], alteration: Alteration): unknown {
  if (alteration === "text-for-list") {
    return "No services";
  }
  return rows.map((row, at) => (alteration === "renamed-fields" ? renamed(row) : odd(row, at)));
}

/** Replaces underscores in the fields' names, or adds a prefix if no name has one. */
function renamed(row: Row): Row {
  const isPlain = Object.keys(row).every((key) => !key.includes("_"));
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [isPlain ? `new-${key}` : key.replaceAll("_", "-"), value]),
  );
}

/** Gives rows one of five faults in turn. The first row only gets an unknown status. */
function odd(row: Row, at: number): unknown {
  switch (at % 5) {
    case 0:
      return { ...row, status: "MOON PHASE" };
    case 1:
      return "route_parts" in row || "atcocode" in row || "latitude" in row
        ? { ...row, latitude: "north", duration: "a while", atcocode: 7, route_parts: null }
        : { ...row, platform: 4, operator: null, operator_name: 7 };
    case 2:
      return { ...row, expected_departure_time: "25:71", expected_arrival_time: "soon" };
    case 3:
      return null;
    default:
      return { ...row, destination_name: null, aimed_departure_time: 1730, scheduled_departure_time: null };
  }
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}
