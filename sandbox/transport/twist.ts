// Answers in shapes that nobody expects, on request.
import type { Twist } from "./faults.ts";

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
