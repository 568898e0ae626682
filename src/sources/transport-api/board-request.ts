// Where a question goes, in each of the two dialects.
import { formatUkDate, formatUkDateTime, formatUkTime, isBefore, startOfMinute } from "../../time/uk-time.ts";
import { checkedCrs } from "../ask.ts";
import type { TransportDialect, TransportRequest } from "./ask.ts";
import type { TransportQuestion } from "../transport-data.ts";

/** How far a live board looks ahead by default, according to the public service's documentation. */
export const LIVE_WINDOW_MINUTES = 120;

/**
 * Writes a question as a request. `now` decides whether a live board reaches as far as `from`. `source` says which of the
 * service's answers it will be: they cover different spans of time.
 */
export function formatBoardRequest(
  question: TransportQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest & { readonly source: "live" | "timetable" } {
  const { kind, via, from, limit, windowMinutes } = question;
  const scheme = dialect === "public" ? "crs:" : "";
  const common = {
    type: kind === "departures" ? "departure" : "arrival",
    // Freight and empty trains may appear otherwise.
    train_status: "passenger",
    limit: String(limit),
    ...(via === undefined
      ? {}
      : { [kind === "departures" ? "calling_at" : "called_at"]: scheme + checkedCrs(via) }),
  };
  if (dialect === "public") {
    return {
      source: "timetable",
      path: `/v3/uk/train/station_timetables/crs:${checkedCrs(question.crs)}.json`,
      query: {
        ...common,
        live: String(question.live),
        ...(from && { datetime: formatUkDateTime(startOfMinute(from)) }),
        from_offset: formatOffset(0),
        to_offset: formatOffset(windowMinutes),
      },
    };
  }
  const station = `/v3/uk/train/station/${checkedCrs(question.crs)}`;
  const start = from ?? now;
  // A live board reaches no further than its own window, whose last minutes are not worth asking for.
  const isWithinLiveBoard =
    windowMinutes <= LIVE_WINDOW_MINUTES && isBefore(start, now.add({ minutes: LIVE_WINDOW_MINUTES - 10 }));
  if (question.live && isWithinLiveBoard) {
    return { source: "live", path: `${station}/live.json`, query: common };
  }
  return {
    source: "timetable",
    path: `${station}/${formatUkDate(start)}/${formatUkTime(start)}/timetable.json`,
    query: { ...common, to_offset: formatOffset(windowMinutes) },
  };
}

/** The service's own form of a length of time: "PT02:00:00". */
function formatOffset(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `PT${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
}
