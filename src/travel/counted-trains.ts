// How train operators run, from boards that people have opened recently; used if nobody reports it.
import { commonTrainId, type TransportBoard, type TransportRow } from "../sources/transport-data.ts";
import type { Answers } from "../sources/answers.ts";
import { joinCommas, plural } from "../core/text.ts";
import { byTime, formatUkDate, minutesBetween } from "../time/uk-time.ts";
import { isCancelled } from "../rail/board-row.ts";
import { isLive } from "../rail/departures.ts";
import { operatorName } from "../rail/operators.ts";
import type { NetworkLine } from "./network.ts";

interface CachedBoard {
  readonly kind: "departures" | "arrivals";
  readonly board: TransportBoard;
}

/** The cache's keys begin with `board:departures:` and `board:arrivals:`. */
export function cachedBoards(answers: Pick<Answers, "peekAll">): readonly CachedBoard[] {
  return (["departures", "arrivals"] as const).flatMap((kind) =>
    answers
      .peekAll<TransportBoard>(`board:${kind}:`)
      // London's trains have no timetable, so they are never late.
      .filter(({ value }) => value.source !== "tfl")
      .map(({ value }) => ({ kind, board: value })),
  );
}

const LATE_MINUTES = 10;
/** An operator is in severe trouble if at least this share of its trains, and no fewer than three, are late or cancelled. */
const SEVERE_SHARE = 0.1;
const SEVERE_TRAINS = 3;

/** A train that several boards show is counted once. */
export function countTrains(boards: readonly CachedBoard[], now: Temporal.Instant): readonly NetworkLine[] {
  const byAge = boards.toSorted(byTime(({ board }) => board.dataAt));
  // Newer boards override older ones: a cancelled train may run after all.
  const trains = new Map(
    byAge
      .flatMap(({ board, kind }) => board.rows.map((row) => [trainId(row, board.crs, kind), row] as const))
      .filter(([, row]) => isLive(row) && minutesBetween(row.aimedAt, now) <= 30),
  );
  const byOperator = Map.groupBy(trains.values(), (row) => operatorName(row) ?? "Other trains");
  return [...byOperator].map(([name, rows]) => {
    const cancelled = rows.filter(isCancelled).length;
    const delays = rows.map(({ aimedAt, expectedAt }) =>
      expectedAt ? minutesBetween(aimedAt, expectedAt) : 0,
    );
    const late = delays.filter((minutes) => minutes >= LATE_MINUTES).length;
    const troubled = cancelled + late;
    const isSevere = troubled >= SEVERE_TRAINS && troubled / rows.length >= SEVERE_SHARE;
    return {
      mode: "train",
      name,
      severity: troubled === 0 ? "good" : isSevere ? "severe" : "minor",
      state:
        troubled === 0
          ? "running well"
          : `${plural(rows.length, "train")}: ${joinCommas(
              cancelled > 0 && `${cancelled} cancelled`,
              late > 0 && `${late} running up to ${Math.max(...delays)} min late`,
            )}`,
      entries: [],
    };
  });
}

/** Identifies a train on all boards; with the day, because its id is used again every day. */
function trainId(row: TransportRow, crs: string, kind: CachedBoard["kind"]): string {
  const { trainUid, startDate, aimedAt, place } = row;
  return trainUid === undefined
    ? [crs, kind, aimedAt.toString(), place, operatorName(row)].join(" ")
    : `${commonTrainId(trainUid)} ${startDate ?? formatUkDate(aimedAt)}`;
}
