// Finds a train again among the rows of a board, where its time, its platform or its place in the list may have changed.
import type { BoardRow } from "../departures/departures.ts";

/** What a train is found by. */
export interface TrainIdentity extends Pick<BoardRow, "place" | "operator" | "aimedAt"> {
  readonly trainUid?: string | undefined;
  readonly startDate?: string | undefined;
  /** What it looks like; default a train. A name stands for both. */
  readonly mode?: BoardRow["mode"] | undefined;
}

/** A train whose time in the timetable changed by more than this is another one, where only its looks tell. */
const RETIMED_MS = 10 * 60_000;
/** A bus in place of a train leaves within this of its time. */
const BUS_MS = 20 * 60_000;
/** A name comes back every day. */
const HALF_DAY_MS = 12 * 60 * 60_000;

/**
 * The row of a train: by its name and day where both have one, otherwise by looks, never one of `neighboursMs`. Where
 * a name stands for a train and a bus, the train counts. The order of `rows` does not matter.
 */
export function findTrainRow(
  rows: readonly BoardRow[],
  train: TrainIdentity,
  neighboursMs: readonly number[] = [],
): BoardRow | undefined {
  const named = rows.filter((row) => isSameName(row, train));
  const alike = rows.filter(
    (row) =>
      (row.trainUid === undefined || train.trainUid === undefined) &&
      row.mode === (train.mode ?? "train") &&
      isAlike(row, train) &&
      awayMs(row, train) <= RETIMED_MS &&
      !neighboursMs.includes(row.aimedAt.epochMilliseconds),
  );
  const trains = named.filter(({ mode }) => mode === "train");
  return nearest([trains, named, alike].find(({ length }) => length > 0) ?? [], train);
}

/** Aimed times of other trains that look like this one and leave about when it does, in order. */
export function findNeighbours(rows: readonly BoardRow[], row: BoardRow): readonly number[] {
  const times = rows
    .filter((other) => isAlike(other, row) && awayMs(other, row) > 0 && awayMs(other, row) <= 2 * RETIMED_MS)
    .map(({ aimedAt }) => aimedAt.epochMilliseconds);
  return [...new Set(times)].toSorted((a, b) => a - b);
}

/** The bus in place of a train that does not come. `isFiltered`: all rows go where the person wants to go. */
export function findBus(
  rows: readonly BoardRow[],
  train: TrainIdentity,
  isFiltered: boolean,
): BoardRow | undefined {
  const buses = rows.filter(({ mode, state }) => mode === "bus" && state !== "cancelled");
  const named = buses.filter((bus) => isSameName(bus, train));
  const near = buses.filter(
    (bus) =>
      (isFiltered || isSamePlace(bus, train)) &&
      awayMs(bus, train) <= BUS_MS &&
      // A bus with the name of another train comes in place of that one.
      !rows.some((other) => other.mode === "train" && isSameName(bus, other)),
  );
  return nearest(named.length > 0 ? named : near, train);
}

function isSameName(row: TrainIdentity, { trainUid, startDate, aimedAt }: TrainIdentity): boolean {
  if (trainUid === undefined || row.trainUid !== trainUid) {
    return false;
  }
  return row.startDate === undefined || startDate === undefined
    ? awayMs(row, { aimedAt }) < HALF_DAY_MS
    : row.startDate === startDate;
}

/** What one of them does not tell tells nothing. */
function isAlike(row: TrainIdentity, train: TrainIdentity): boolean {
  const { operator = train.operator, startDate = train.startDate } = row;
  return (
    isSamePlace(row, train) &&
    operator === (train.operator ?? operator) &&
    startDate === (train.startDate ?? startDate)
  );
}

function isSamePlace(row: Pick<BoardRow, "place">, train: Pick<BoardRow, "place">): boolean {
  return plain(row.place) === plain(train.place);
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

function awayMs(row: Pick<BoardRow, "aimedAt">, train: Pick<BoardRow, "aimedAt">): number {
  return Math.abs(row.aimedAt.epochMilliseconds - train.aimedAt.epochMilliseconds);
}

/** Of two that are equally near the earlier one. */
function nearest(rows: readonly BoardRow[], train: TrainIdentity): BoardRow | undefined {
  const [first] = rows.toSorted((a, b) => awayMs(a, train) - awayMs(b, train) || compareRows(a, b));
  return first;
}

/** In the order of aimed times; two of the same time always in the same order. */
export function compareRows(a: BoardRow, b: BoardRow): number {
  return (
    a.aimedAt.epochMilliseconds - b.aimedAt.epochMilliseconds ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
