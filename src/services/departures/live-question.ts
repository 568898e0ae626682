// The one question that all ask who want a station's live board, people and channels alike, so that one answer serves
// them all.
import type { TransportQuestion } from "../../clients/transport/transport-board.ts";
import { BOARD_WINDOW_MINUTES, type BoardKind } from "./departures.ts";

/** Two hours of any station: filters are ours, and of three rows a platform leaves nothing. */
const LIMIT = 500;

/** What leaves, or arrives, from now on; `via` as in {@link TransportQuestion}. */
export function liveQuestion({
  kind,
  crs,
  via,
}: {
  readonly kind: BoardKind;
  readonly crs: string;
  readonly via?: string | undefined;
}): TransportQuestion {
  return { crs, kind, via, limit: LIMIT, windowMinutes: BOARD_WINDOW_MINUTES, live: true };
}

/** Reaches from the last train to the first ones of the morning. */
const NIGHT_WINDOW_MINUTES = 8 * 60;

/** The same where nothing leaves for now: it costs no more to ask as far ahead as the first train of the morning. */
export function nightQuestion(asked: Parameters<typeof liveQuestion>[0]): TransportQuestion {
  return { ...liveQuestion(asked), windowMinutes: NIGHT_WINDOW_MINUTES };
}

/** Names a question in the store of answers. Filters and the number of rows are ours: all who look at a station ask the same. */
export function boardKey({ kind, crs, via = "", from, windowMinutes, live }: TransportQuestion): string {
  const fromMinute = from === undefined ? "now" : Math.floor(from.epochMilliseconds / 60_000);
  return ["board", kind, crs, via, fromMinute, windowMinutes, live].join(":");
}
