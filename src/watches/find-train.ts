// Searches a live board if it reaches that far, otherwise the timetable.
import type { TransportBoard, TransportQuestion } from "../sources/transport-data.ts";
import { currentInstant } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import { isBefore, startOfMinute } from "../time/uk-time.ts";
import { sourceOfTrain } from "../sources/transport-data.ts";
import { isTransient } from "../sources/answers.ts";
import { createBoardRow, isGone } from "../rail/board-row.ts";
import { operatorKey, plainName } from "../rail/operators.ts";
import {
  BOARD_WINDOW_MINUTES,
  type BoardDependencies,
  type BoardRow,
  askBoard,
  liveQuestion,
  mergeRows,
} from "../rail/departures.ts";
import type { Station } from "../rail/stations.ts";

/** How far from the given time a train may leave: people round times, or remember those of last year's timetable. */
const BEFORE_MINUTES = 10;
const AFTER_MINUTES = 30;
/** Timetables of later days still change. */
const DAYS_AHEAD = 7;

export interface TrainSearch {
  readonly station: Station;
  /** Only trains that call there afterwards. */
  readonly to: Station | undefined;
  readonly at: Temporal.Instant;
  /** The person gave no time, so any train that leaves soon matches. */
  readonly isNow: boolean;
}

/** Costs one request, or two if the live board ends before the time. */
export function createFindTrain(deps: BoardDependencies) {
  async function ask(question: TransportQuestion): Promise<TransportBoard> {
    return (await askBoard(deps, question)).value;
  }

  /** `undefined` if that fails for now and the live board can be shown without the planned trains. */
  async function askRest(
    question: TransportQuestion,
    live: TransportBoard | undefined,
  ): Promise<TransportBoard | undefined> {
    try {
      return await ask(question);
    } catch (error) {
      if (live !== undefined && isTransient(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** Returns the trains that may be meant, by aimed time. Throws as `Departures` does. */
  return async (question: TrainSearch): Promise<readonly BoardRow[]> => {
    const now = currentInstant(deps.clock);
    const { station, to, at } = question;
    checkSearch(question, now);
    const early = at.subtract({ minutes: BEFORE_MINUTES });
    const until = at.add({ minutes: AFTER_MINUTES });
    const asked = liveQuestion({ kind: "departures", crs: station.crs, via: to?.crs });
    const isSoon = isBefore(at, now.add({ minutes: BOARD_WINDOW_MINUTES }));
    const live = isSoon ? await ask(asked) : undefined;
    const from = startOfMinute(isBefore(early, now) ? now : early);
    const windowMinutes = Math.ceil(until.since(from).total("minutes"));
    const rest =
      live !== undefined && !isBefore(live.coversUntil, until)
        ? undefined
        : await askRest({ ...asked, from, windowMinutes, live: false }, live);
    const rows = mergeRows(live?.rows ?? [], rest?.rows)
      .map(createBoardRow)
      .filter((row) => !isGone(row, now) && isBefore(row.aimedAt, until));
    return bestMatches(rows, question, early);
  };
}

/** The trains at exactly this time if there are any, otherwise those around it. */
function bestMatches(
  rows: readonly BoardRow[],
  { at, isNow }: TrainSearch,
  early: Temporal.Instant,
): readonly BoardRow[] {
  const exact = isNow ? [] : rows.filter(({ aimedAt }) => aimedAt.equals(startOfMinute(at)));
  // Trains that should have left earlier but are late still match now.
  return exact.length > 0 ? exact : rows.filter(({ aimedAt }) => isNow || !isBefore(aimedAt, early));
}

function checkSearch({ station, to, at }: TrainSearch, now: Temporal.Instant): void {
  if (to?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to go to, or leave it out.`);
  }
  if (isBefore(now.add({ hours: DAYS_AHEAD * 24 }), at)) {
    throw new UserError(
      "I can watch trains in the next 7 days. For a train you take often, use `/watch commute`.",
    );
  }
}

// Finds a train again among the rows of a board, although its time, its platform or its position may have changed.

export interface TrainIdentity extends Pick<BoardRow, "place" | "cancelledPlace" | "operator" | "aimedAt"> {
  readonly trainUid?: string | undefined;
  readonly startDate?: string | undefined;
  /** Default a train. The same id may belong to a train and a bus. */
  readonly mode?: BoardRow["mode"] | undefined;
  /** Whether a board listed it at this time; default false. */
  readonly isSeen?: boolean;
}

/** If a train is known only by time and place, a change of more than this in the timetable makes it another train. */
const MAX_RETIMED_MS = 10 * 60_000;
/** A replacement bus leaves within this time of the train's departure. */
const BUS_TOLERANCE_MS = 20 * 60_000;
/** An id is used again every day. */
const HALF_DAY_MS = 12 * 60 * 60_000;

/**
 * Finds the row by id and day if both have an id of the same source, otherwise by time, place and operator, except at the
 * times in `neighboursMs`. In another source's rows, a train that was seen before must have exactly its time. If an id
 * belongs to a train and a bus, the train is returned. Without an id, a bus at exactly the train's time counts as the train,
 * and vice versa.
 */
export function findTrainRow(
  rows: readonly BoardRow[],
  train: TrainIdentity,
  neighboursMs: readonly number[] = [],
): BoardRow | undefined {
  const byId = rows.filter((row) => hasSameId(row, train));
  const lookalikes = rows.filter((row) => {
    const isElsewhere = isFromOtherSource(row, train);
    return (
      (row.trainUid === undefined || train.trainUid === undefined || isElsewhere) &&
      looksAlike(row, train) &&
      timeDifferenceMs(row, train) <= (isElsewhere && train.isSeen === true ? 0 : MAX_RETIMED_MS) &&
      !neighboursMs.includes(row.aimedAt.epochMilliseconds)
    );
  });
  const trains = byId.filter(({ mode }) => mode === "train");
  const sameMode = lookalikes.filter(({ mode }) => mode === (train.mode ?? "train"));
  const sameTime = lookalikes.filter((row) => timeDifferenceMs(row, train) === 0);
  return nearest([trains, byId, sameMode, sameTime].find(({ length }) => length > 0) ?? [], train);
}

/** The aimed times of similar trains that leave at about the same time, in order. */
export function findNeighbours(rows: readonly BoardRow[], row: BoardRow): readonly number[] {
  const times = rows
    .filter(
      (other) =>
        looksAlike(other, row) &&
        timeDifferenceMs(other, row) > 0 &&
        timeDifferenceMs(other, row) <= 2 * MAX_RETIMED_MS,
    )
    .map(({ aimedAt }) => aimedAt.epochMilliseconds);
  return [...new Set(times)].toSorted((a, b) => a - b);
}

/** `isFiltered`: all rows go where the person wants to go. */
export function findBus(
  rows: readonly BoardRow[],
  train: TrainIdentity,
  isFiltered: boolean,
): BoardRow | undefined {
  const buses = rows.filter(({ mode, state }) => mode === "bus" && state !== "cancelled");
  const byId = buses.filter((bus) => hasSameId(bus, train));
  const nearby = buses.filter(
    (bus) =>
      (isFiltered || isSamePlace(bus, train)) &&
      timeDifferenceMs(bus, train) <= BUS_TOLERANCE_MS &&
      // A bus with the id of another train replaces that one.
      !rows.some((other) => other.mode === "train" && hasSameId(bus, other)),
  );
  return nearest(byId.length > 0 ? byId : nearby, train);
}

function hasSameId(row: TrainIdentity, { trainUid, startDate, aimedAt }: TrainIdentity): boolean {
  if (trainUid === undefined || row.trainUid !== trainUid) {
    return false;
  }
  return row.startDate === undefined || startDate === undefined
    ? timeDifferenceMs(row, { aimedAt }) < HALF_DAY_MS
    : row.startDate === startDate;
}

/** Ids from different sources may still be the same train's. */
function isFromOtherSource({ trainUid }: TrainIdentity, train: TrainIdentity): boolean {
  return (
    trainUid !== undefined &&
    train.trainUid !== undefined &&
    sourceOfTrain(trainUid) !== sourceOfTrain(train.trainUid)
  );
}

/** A detail that one of them lacks is not compared. */
function looksAlike(row: TrainIdentity, train: TrainIdentity): boolean {
  const { operator = train.operator, startDate = train.startDate } = row;
  return (
    (isFromOtherSource(row, train) ? isSamePlaceElsewhere(row, train) : isSamePlace(row, train)) &&
    operatorKey(operator) === operatorKey(train.operator ?? operator) &&
    startDate === (train.startDate ?? startDate)
  );
}

/** Other sources write e.g. `London St Pancras (Intl)`, or only `Ramsgate` for a train that divides. */
function isSamePlaceElsewhere(row: PlaceOfTrain, train: PlaceOfTrain): boolean {
  const [own = [], others = []] = [row, train].map((each) =>
    placesOf(each)
      .flatMap((place) => [place, ...place.split(" and ")])
      .map((name) => plainName(name.replace(/\(.*$/, ""))),
  );
  return own.some((one) => others.some((other) => one.startsWith(other) || other.startsWith(one)));
}

/** Sources write names differently, e.g. `London King's Cross`. */
function isSamePlace(row: PlaceOfTrain, train: PlaceOfTrain): boolean {
  const [own = [], others = []] = [row, train].map((each) => placesOf(each).map(plainName));
  return own.some((one) => others.includes(one));
}

type PlaceOfTrain = Pick<BoardRow, "place" | "cancelledPlace">;

/** A train that was cut short after somebody chose it is known by its planned destination. */
function placesOf({ place, cancelledPlace }: PlaceOfTrain): readonly string[] {
  return cancelledPlace === undefined ? [place] : [place, cancelledPlace];
}

function timeDifferenceMs(row: Pick<BoardRow, "aimedAt">, train: Pick<BoardRow, "aimedAt">): number {
  return Math.abs(row.aimedAt.epochMilliseconds - train.aimedAt.epochMilliseconds);
}

/** The row nearest in time; of two that are equally near, the earlier one. */
function nearest(rows: readonly BoardRow[], train: TrainIdentity): BoardRow | undefined {
  const [first] = rows.toSorted(
    (a, b) => timeDifferenceMs(a, train) - timeDifferenceMs(b, train) || compareRows(a, b),
  );
  return first;
}

/** Sorts by aimed time. Rows with the same time always get the same order. */
export function compareRows(a: BoardRow, b: BoardRow): number {
  return (
    a.aimedAt.epochMilliseconds - b.aimedAt.epochMilliseconds ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
