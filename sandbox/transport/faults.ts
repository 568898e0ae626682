// The bad days of this service beyond those that any server can have: HTML from a gateway, refusals with 200, odd shapes.
import { createServiceFaults, type FaultHooks, jsonAnswer, pageAnswer } from "../faults/service-faults.ts";
import { type Credentials, unknownApplicationText, usedUpText } from "./refusals.ts";

const TWISTS = [
  /** Rows have other names for their fields. */
  "renamed-fields",
  /** A text stands where the list of rows should. */
  "text-for-list",
  /** Numbers, nulls and words that nobody has seen stand in the rows. */
  "odd-values",
] as const;

/** A change of an answer's shape, left to whoever writes the answer. */
export type Twist = (typeof TWISTS)[number];

export type TransportFaults = ReturnType<typeof createTransportFaults>;

/** Its sentences repeat these credentials. A path is compared without `/v3/uk`. */
export function createTransportFaults({ appId, appKey }: Credentials, hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    prefix: "/v3/uk",
    twists: TWISTS,
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
/** An answer on its way out: its rows stand in lists, under `all`, or under one key for each line of a bus stop. */
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

/** The same answer, twisted; as it is without a twist. */
export function twistAnswer(body: AnswerBody, twist: Twist | undefined): AnswerBody {
  if (twist === undefined) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, LISTS.has(key) ? twistLists(value, twist) : value]),
  );
}

/** A list, or an object of lists. A status of one word is neither, and stays. */
function twistLists(value: unknown, twist: Twist): unknown {
  if (isRows(value)) {
    return twistList(value, twist);
  }
  return isRow(value)
    ? Object.fromEntries(Object.entries(value).map(([key, list]) => [key, twistLists(list, twist)]))
    : value;
}

function twistList(rows: readonly Row[], twist: Twist): unknown {
  if (twist === "text-for-list") {
    return "No services";
  }
  return rows.map((row, at) => (twist === "renamed-fields" ? renamed(row) : odd(row, at)));
}

/** Rows whose fields are all single words get other words. */
function renamed(row: Row): Row {
  const isPlain = Object.keys(row).every((key) => !key.includes("_"));
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [isPlain ? `new-${key}` : key.replaceAll("_", "-"), value]),
  );
}

/** Every row has another fault; the first keeps all but its status. */
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
