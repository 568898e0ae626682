// How the network stands, from what the service says and from boards that somebody has looked at lately.
import { Temporal } from "temporal-polyfill";
import type {
  NetworkEntry,
  NetworkMode,
  TransportBoard,
  TransportNetwork,
  TransportRow,
} from "../sources/transport-data.ts";
import { type Answers, type Stale, staleOf } from "../sources/answers.ts";
import type { Station, Stations } from "../rail/stations.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import type { Clock } from "../core/clock.ts";
import { formatUkDate } from "../time/uk-time.ts";
import { isCancelled } from "../rail/board-row.ts";

export type { NetworkEntry, NetworkMode } from "../sources/transport-data.ts";

/** A train that is cancelled on a board which was looked at. */
export interface CancelledTrain {
  /** Where it was seen. */
  readonly station: Pick<Station, "crs" | "name">;
  /** Destination on a board of departures, origin on one of arrivals. */
  readonly place: string;
  readonly kind: "departures" | "arrivals";
  readonly aimedAt: Temporal.Instant;
  readonly operator: string | undefined;
}

/** What the boards that were looked at lately say of trains. */
export interface SeenTrains {
  /** How many stations there were boards of. */
  readonly stations: number;
  /** In the order of aimed times. */
  readonly cancelled: readonly CancelledTrain[];
}

export interface NetworkState {
  readonly basis: TransportNetwork["basis"];
  /** Disrupted ones first, then by mode and name; what is over is left out. */
  readonly entries: readonly NetworkEntry[];
  /** Only where the service has nothing to say of trains. */
  readonly seen: SeenTrains | undefined;
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be. */
  readonly stale: Stale | undefined;
}

export type Network = ReturnType<typeof createNetwork>;

/** How the network stands. It costs one request. */
export function createNetwork({
  transport,
  answers,
  stations,
  clock,
}: {
  transport: Pick<TransportClient, "network">;
  answers: Answers;
  stations: Pick<Stations, "byCrs">;
  clock: Clock;
}) {
  return {
    /** Asks the transport service and throws as its client does. */
    async state(): Promise<NetworkState> {
      const answer = await answers.ask("network", () => transport.network());
      const { value } = answer;
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      return {
        basis: value.basis,
        entries: value.entries.filter((entry) => !isOver(entry, now)).toSorted(compareEntries),
        seen: value.basis === "status" ? undefined : seenTrains(keptBoardsOf(answers), stations, now),
        dataAt: value.dataAt,
        stale: staleOf(answer),
      };
    },
  };
}

const MODES: readonly NetworkMode[] = ["train", "tube", "tram", "bus", "ferry", "other"];

function compareEntries(a: NetworkEntry, b: NetworkEntry): number {
  return (
    Number(b.isDisrupted) - Number(a.isDisrupted) ||
    MODES.indexOf(a.mode) - MODES.indexOf(b.mode) ||
    a.name.localeCompare(b.name, "en-GB", { numeric: true })
  );
}

function isOver({ until }: NetworkEntry, now: Temporal.Instant): boolean {
  return until !== undefined && Temporal.Instant.compare(until, now) < 0;
}

/**
 * The boards that are kept because somebody asked for them, in the store that departures are asked through; its keys
 * begin `board:departures:` and `board:arrivals:`.
 */
function keptBoardsOf(answers: Pick<Answers, "held">): readonly KeptBoard[] {
  return (["departures", "arrivals"] as const).flatMap((kind) =>
    answers.held<TransportBoard>(`board:${kind}:`).map(({ value }) => ({ kind, board: value })),
  );
}

/** A board and which side of the station it shows. */
interface KeptBoard {
  readonly kind: "departures" | "arrivals";
  readonly board: TransportBoard;
}

/** Collects the cancelled trains of all boards; a train that several boards show is counted once, where it is aimed first. */
function seenTrains(
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
