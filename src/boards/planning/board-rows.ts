import { onceForEach } from "../../core/cache-options.ts";
import type { TransportBoard, TransportRow } from "../../sources/transport-data.ts";
import { creditsOf } from "../../sources/source-words.ts";
import { byTime, formatUkDate, isBefore } from "../../time/uk-time.ts";
import { countMinutes, createBoardRow, isGone } from "../../rail/board-row.ts";
import {
  BOARD_WINDOW_MINUTES,
  type Board,
  type BoardQuestion,
  type BoardRow,
  appearanceKey,
  mergeRows,
  platformFilter,
} from "../../rail/departures.ts";
import { matchOperator } from "../../rail/operators.ts";
import type { Station, Stations } from "../../rail/stations.ts";
import type { BoardSettings } from "../boards.ts";

/** A closed station's name is its code. */
export function boardQuestion(settings: BoardSettings, stations: Pick<Stations, "byCrs">): BoardQuestion {
  const stationOf = (crs: string): Station => stations.byCrs(crs) ?? { crs, name: crs };
  const { kind, station, callingAt, callingAtAll, operator, platforms, transport, walkMinutes, rows } =
    settings;
  const vias = callingAt.map(stationOf);
  return {
    kind,
    station: stationOf(station),
    via: vias.length === 1 ? vias[0] : undefined,
    operator,
    platform: platforms.length === 1 ? platforms[0] : undefined,
    rows,
    channelFilters: {
      callingAt: vias.length === 1 ? [] : vias,
      callingAtAll,
      platforms: platforms.length === 1 ? [] : platforms,
      transport,
      walkMinutes,
    },
  };
}

/**
 * `answers`: one for each question, in the order of `channelFilters.callingAt`; the oldest gives the board's age.
 * A board without trains names the next one, if the answers cover that. `undefined` if they are out of date.
 */
export function boardOf(
  question: BoardQuestion,
  answers: readonly TransportBoard[],
  now: Temporal.Instant,
): Board | undefined {
  const dataAt = earliest(answers.map((answer) => answer.dataAt));
  const knownUntil = earliest(answers.map((answer) => answer.coversUntil));
  if (!dataAt || !knownUntil || !isBefore(now, dataAt.add({ minutes: BOARD_WINDOW_MINUTES }))) {
    return undefined;
  }
  const fits = fittingFilter(question, now);
  const end = now.add({ minutes: BOARD_WINDOW_MINUTES });
  const rows: BoardRow[] = [];
  let next: BoardRow | undefined;
  const viaOf = createVia(question, answers);
  for (const { row, shown, id } of trainsOf(answers, question.channelFilters?.callingAtAll ?? false)) {
    if (rows.length === question.rows || next !== undefined) {
      break;
    }
    if (fits(row, shown)) {
      if (isBefore(shown.aimedAt, end)) {
        rows.push({ ...countMinutes(shown, now), via: viaOf(shown, id) });
      } else if (shown.state !== "cancelled" && isBefore(shown.aimedAt, knownUntil)) {
        next = shown;
      }
    }
  }
  const messages = [...new Set(answers.flatMap((answer) => answer.messages ?? []))];
  const board = { question, rows, dataAt, credit: creditsOf(answers), messages, laterFrom: undefined };
  if (rows.length > 0) {
    return { ...board, next: undefined, knownUntil };
  }
  // If an answer was truncated, all of its trains may have left while later ones are unknown.
  return isBefore(now, knownUntil) ? { ...board, next, knownUntil: next?.aimedAt ?? knownUntil } : undefined;
}

/** A train calls at the stations whose answers list it. Its destination is already in the row. */
function createVia({ channelFilters }: BoardQuestion, answers: readonly TransportBoard[]) {
  const { callingAt = [], callingAtAll = true } = channelFilters ?? {};
  const calls = callingAtAll
    ? []
    : prepareAll(answers).flatMap(({ trains }, index) => {
        const name = callingAt[index]?.name;
        const calling = trains.filter(({ shown }) => !shown.viaCancelled);
        return name === undefined ? [] : [{ name, ids: new Set(calling.map(({ id }) => id)) }];
      });
  return ({ place }: BoardRow, id: string): readonly string[] | undefined => {
    const via = calls.flatMap(({ name, ids }) => (ids.has(id) && name !== place ? [name] : []));
    return via.length === 0 ? undefined : via;
  };
}

/** All trains and buses of an answer, each once, as rows of a board. */
export function rowsOf(answer: TransportBoard): readonly BoardRow[] {
  return prepare(answer).trains.map(({ shown }) => shown);
}

/** Whether an answer that still covers the present lists no train that leaves, or arrives, within a board's window. */
export function isStationQuiet(answer: TransportBoard, now: Temporal.Instant): boolean {
  const { dataAt, coversUntil } = answer;
  const end = now.add({ minutes: BOARD_WINDOW_MINUTES });
  const runs = ({ shown }: Train): boolean =>
    shown.state !== "cancelled" && !isGone(shown, dataAt) && isBefore(shown.aimedAt, end);
  return isBefore(now, coversUntil) && !prepare(answer).trains.some(runs);
}

interface Train {
  readonly row: TransportRow;
  readonly shown: BoardRow;
  /** Equal in every answer that lists the train. */
  readonly id: string;
}

interface PreparedAnswer {
  readonly trains: readonly Train[];
  readonly ids: ReadonlySet<string>;
}

// Hundreds of boards may use an answer at the same time, so their common work is done once.
const prepare = onceForEach((answer: TransportBoard) => prepareWith(answer, idOf));
const prepareByAppearance = onceForEach((answer: TransportBoard) => prepareWith(answer, appearanceKey));

function prepareWith({ rows }: TransportBoard, identify: (row: TransportRow) => string): PreparedAnswer {
  const trains = mergeRows(rows).map((row) => ({ row, shown: createBoardRow(row), id: identify(row) }));
  return { trains, ids: new Set(trains.map(({ id }) => id)) };
}

/** Ids of different sources cannot be compared. For some minutes after one source fails, answers of two are in use. */
function prepareAll(answers: readonly TransportBoard[]): readonly PreparedAnswer[] {
  const isMixed = answers.some(({ source }) => source !== answers[0]?.source);
  return answers.map(isMixed ? prepareByAppearance : prepare);
}

/** A `trainUid` alone is not enough: it is reused every day, and a bus may replace a part of its train. */
function idOf(row: TransportRow): string {
  const { trainUid, startDate, mode, aimedAt } = row;
  return trainUid === undefined
    ? appearanceKey(row)
    : `${trainUid} ${mode} ${startDate ?? formatUkDate(aimedAt)}`;
}

/** The trains that any, or all, of the answers list, in the order of aimed times. The newest answer counts for each train. */
function trainsOf(answers: readonly TransportBoard[], ofAll: boolean): readonly Train[] {
  const byAge = answers.toSorted((a, b) => Temporal.Instant.compare(b.dataAt, a.dataAt));
  const [youngest, ...others] = prepareAll(byAge);
  if (youngest === undefined || others.length === 0) {
    return youngest?.trains ?? [];
  }
  if (ofAll) {
    return youngest.trains.filter(({ id }) => others.every(({ ids }) => ids.has(id)));
  }
  const trains = [...youngest.trains];
  const seen = new Set(youngest.ids);
  for (const other of others) {
    trains.push(...other.trains.filter(({ id }) => !seen.has(id)));
    other.ids.forEach((id) => seen.add(id));
  }
  return trains.toSorted(byTime(({ row }) => row.aimedAt));
}

function fittingFilter(
  { operator, platform, channelFilters }: BoardQuestion,
  now: Temporal.Instant,
): (row: TransportRow, shown: BoardRow) => boolean {
  const isOperator = operator === undefined ? () => true : matchOperator(operator);
  const isPlatform = platformFilter([platform ?? "", ...(channelFilters?.platforms ?? [])]);
  const transport = channelFilters?.transport ?? "all";
  const there = now.add({ minutes: channelFilters?.walkMinutes ?? 0 });
  return (row, shown) =>
    (transport === "all" || (transport === "buses") === (row.mode === "bus")) &&
    !isGone(shown, there) &&
    isPlatform(row) &&
    isOperator(row);
}

function earliest(instants: readonly Temporal.Instant[]): Temporal.Instant | undefined {
  return instants.toSorted(byTime((at) => at))[0];
}
