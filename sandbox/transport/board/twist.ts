// Answers in shapes that nobody expects, on request.
import type { Twist } from "../faults.ts";

type Row = Readonly<Record<string, unknown>>;
/** A board on its way out: lists of rows stand under `departures.all`, `arrivals.all` and `passes.all`. */
export type BoardBody = Readonly<Record<string, unknown>>;

const LISTS: ReadonlySet<string> = new Set(["departures", "arrivals", "passes"]);

/** The same board, twisted; as it is without a twist. */
export function twistBoard(body: BoardBody, twist: Twist | undefined): BoardBody {
  if (twist === undefined) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, LISTS.has(key) ? twistList(value, twist) : value]),
  );
}

function twistList(list: unknown, twist: Twist): unknown {
  if (twist === "text-for-list") {
    return { all: "No services" };
  }
  const rows = isList(list) ? list.all : [];
  return { all: rows.map((row, at) => (twist === "renamed-fields" ? renamed(row) : odd(row, at))) };
}

function renamed(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key.replaceAll("_", "-"), value]));
}

/** Every row has another fault; the first keeps all but its status. */
function odd(row: Row, at: number): unknown {
  switch (at % 5) {
    case 0:
      return { ...row, status: "MOON PHASE" };
    case 1:
      return { ...row, platform: 4, operator: null, operator_name: 7 };
    case 2:
      return { ...row, expected_departure_time: "25:71", expected_arrival_time: "soon" };
    case 3:
      return null;
    default:
      return { ...row, destination_name: null, aimed_departure_time: 1730, scheduled_departure_time: null };
  }
}

function isList(value: unknown): value is { readonly all: readonly Row[] } {
  return typeof value === "object" && value !== null && "all" in value && Array.isArray(value.all);
}
