// Cancelled trains on boards that are kept anyway: nobody is asked for them.
import { Temporal } from "temporal-polyfill";
import type { TransportBoard, TransportRow } from "../sources/transport-data.ts";
import { formatUkDate } from "../time/uk-time.ts";
import { isCancelled } from "../rail/board-row.ts";
import type { Stations } from "../rail/stations.ts";
import type { CancelledTrain, SeenTrains } from "./network.ts";

/** A board and which side of the station it shows. */
export interface KeptBoard {
  readonly kind: "departures" | "arrivals";
  readonly board: TransportBoard;
}

/** Collects the cancelled trains of all boards; a train that several boards show is counted once, where it is aimed first. */
export function seenTrains(
  kept: readonly KeptBoard[],
  stations: Pick<Stations, "byCrs">,
  now: Temporal.Instant,
): SeenTrains {
  const byAge = kept.toSorted((a, b) => Temporal.Instant.compare(a.board.dataAt, b.board.dataAt));
  // Later boards overwrite what earlier ones of the same station say of a train: it may run after all.
  const latest = new Map(
    byAge.flatMap(liveRowsOf).map((one) => [`${one.board.crs} ${one.kind} ${one.id}`, one]),
  );
  const cancelled = [...latest.values()]
    .filter(({ row }) => isCancelled(row))
    .filter(({ row }) => Temporal.Instant.compare(row.aimedAt, now.subtract({ minutes: 30 })) >= 0)
    .toSorted((a, b) => Temporal.Instant.compare(a.row.aimedAt, b.row.aimedAt));
  const byTrain = new Map<string, CancelledTrain>();
  for (const seen of cancelled) {
    if (!byTrain.has(seen.id)) {
      byTrain.set(seen.id, cancelledTrain(seen, stations));
    }
  }
  return {
    stations: new Set(kept.map(({ board }) => board.crs)).size,
    oldestAt: byAge[0]?.board.dataAt,
    cancelled: [...byTrain.values()],
  };
}

interface SeenRow extends KeptBoard {
  readonly row: TransportRow;
  /** The same on all boards that show this train; an id alone comes back every day. */
  readonly id: string;
}

function liveRowsOf({ board, kind }: KeptBoard): readonly SeenRow[] {
  return board.rows.filter(isLive).map((row) => {
    const { trainUid, startDate, aimedAt, place, operatorCode, operatorName = operatorCode } = row;
    const id =
      trainUid === undefined
        ? [board.crs, kind, aimedAt.toString(), place, operatorName].join(" ")
        : `${trainUid} ${startDate ?? formatUkDate(aimedAt)}`;
    return { board, kind, row, id };
  });
}

/** Rows out of a timetable say nothing of today. */
function isLive({ status, expectedAt }: TransportRow): boolean {
  return status !== undefined || expectedAt !== undefined;
}

function cancelledTrain({ board, kind, row }: SeenRow, stations: Pick<Stations, "byCrs">): CancelledTrain {
  return {
    station: { crs: board.crs, name: stations.byCrs(board.crs)?.name ?? board.stationName ?? board.crs },
    place: row.place,
    kind,
    aimedAt: row.aimedAt,
    operator: row.operatorName ?? row.operatorCode,
  };
}
