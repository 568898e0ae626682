// Where a question about a bus stop goes, in each of the two dialects.
import type { TransportDialect, TransportRequest } from "./ask.ts";
import type { BusStopQuestion } from "./transport-bus-stop.ts";

/** Writes a question as a request. */
export function formatBusStopRequest(
  { atco, limit }: BusStopQuestion,
  dialect: TransportDialect,
): TransportRequest {
  // A code becomes part of a path, so nothing but a code may pass.
  if (!/^[0-9A-Z]{4,12}$/i.test(atco)) {
    throw new RangeError("a stop code has letters and digits only");
  }
  return dialect === "public"
    ? { path: `/v3/uk/bus/stop_timetables/${atco}.json`, query: { live: "true", limit: String(limit) } }
    : {
        path: `/v3/uk/bus/stop/${atco}/live.json`,
        query: { group: "no", limit: String(limit), nextbuses: "yes" },
      };
}
