// Live boards: the departures from a station, or the arrivals at it.
import { type Answer, type Answers, type Staleness, isTransient, stalenessOf } from "../sources/answers.ts";
import { creditsOf } from "../sources/source-words.ts";
import type { Station } from "./stations.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../sources/transport-data.ts";
import { type Clock, currentInstant } from "../core/clock.ts";
import { byTime, isBefore, startOfMinute } from "../time/uk-time.ts";
import { UserError } from "../core/errors.ts";
import { lacksLaterHours, countMinutes, createBoardRow, isGone } from "./board-row.ts";
import {
  type OperatorFilter,
  createOperatorFilter,
  matchOperator,
  operatorKey,
  operatorName,
  plainName,
} from "./operators.ts";
import { isLondonCode, requireLine } from "./london.ts";

export type BoardKind = "departures" | "arrivals";

/** How far ahead a board reaches; the public service's live boards do the same by default. */
export const BOARD_WINDOW_MINUTES = 120;

export interface BoardQuestion {
  readonly kind: BoardKind;
  readonly station: Station;
  /** Departures: only trains that call there later. Arrivals: only trains that called there before. */
  readonly via?: Station | undefined;
  /** Operator's code or name, e.g. `GR` or `lner`; case does not matter. */
  readonly operator?: string | undefined;
  /** e.g. `4` or `4b`; case does not matter. */
  readonly platform?: string | undefined;
  readonly rows: number;
  /** First aimed time to show. If it is absent or past, the board starts now. */
  readonly from?: Temporal.Instant | undefined;
  /** Set on a channel's board. */
  readonly channelFilters?: ChannelFilters | undefined;
}

export interface ChannelFilters {
  /** Two or more stations, or empty; a single one is in `via`. */
  readonly callingAt: readonly Station[];
  /** Whether a train must call at all of them, not just at any. */
  readonly callingAtAll: boolean;
  /** Two or more allowed platforms, or empty; a single one is in `platform`. */
  readonly platforms: readonly string[];
  readonly transport: "all" | "trains" | "buses";
  /** The walk to the station: trains that leave sooner are left out; 0 for none. */
  readonly walkMinutes: number;
}

type HiddenField = "status" | "operatorCode" | "operatorName" | "coaches" | "timing";

/** Worked out from the times of a service; the source's status decides only the first two. */
export type RowState =
  | "cancelled"
  /** Late by an unknown time. */
  | "delayed"
  /** Only the timetable's time is known. */
  | "scheduled"
  /** A London train, without a timetable. `expectedAt` is to the second, `aimedAt` the same time to the minute. */
  | "expected"
  | "late"
  | "early"
  | "on-time";

export interface BoardRow extends Omit<TransportRow, HiddenField> {
  /** Operator's name, e.g. `LNER`; in London, the line's. */
  readonly operator: string | undefined;
  /** Names of the stations among `callingAt` at which it calls; only on a channel's board. */
  readonly via?: readonly string[] | undefined;
  /** Expected minus aimed time in whole minutes, negative if early; `undefined` without an expected time. */
  readonly delayMinutes: number | undefined;
  readonly state: RowState;
  /** In London, the whole minutes from the time of the board until it is expected. */
  readonly inMinutes?: number | undefined;
}

export interface Board {
  readonly question: BoardQuestion;
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  readonly dataAt: Temporal.Instant;
  /** The credit of its sources, as Markdown. */
  readonly credit: string;
  /** Set if the answer is older than it should be, because the service could not be asked again. */
  readonly stale?: Staleness | undefined;
  /** The station's messages to passengers, as Markdown. */
  readonly messages?: readonly string[] | undefined;
  /** Aimed time of the first row that did not fit, for the "Later" button; `undefined` if all are shown. */
  readonly laterFrom: Temporal.Instant | undefined;
  /** On a board without rows, the next service within a day that matches the question; `undefined` if there is none. */
  readonly next: BoardRow | undefined;
  /** Whether no source knows any trains after the hours of this board (default: false). */
  readonly isNearOnly?: boolean;
  /**
   * Set on a channel's board, for which no later hours are asked: all trains aimed before this time are known. If the
   * board has no rows but a `next`, it is the time of that train, because nothing leaves before.
   */
  readonly knownUntil?: Temporal.Instant | undefined;
}

export interface BoardDependencies {
  readonly transport: Pick<TransportClient, "board">;
  /** The cache that all boards share. */
  readonly answers: Pick<Answers, "ask">;
  readonly clock: Clock;
}

export function askBoard(
  { transport, answers }: Omit<BoardDependencies, "clock">,
  asked: TransportQuestion,
  key = boardKey(asked),
): Promise<Answer<TransportBoard>> {
  return answers.ask(key, () => transport.board(asked));
}

export type Departures = ReturnType<typeof createDepartures>;

/** Most boards cost one request, or two if an answer was cut short or contained nothing that matches. */
export function createDepartures(deps: BoardDependencies & { readonly answers: Pick<Answers, "peek"> }) {
  const { answers, clock } = deps;

  /** Asks for later hours; `undefined` if no source knows them, or with `mayFail` after a transient failure. */
  async function askFurther(asked: TransportQuestion, mayFail = false): Promise<TransportBoard | undefined> {
    try {
      return (await askBoard(deps, asked)).value;
    } catch (error) {
      if (lacksLaterHours(error) || (mayFail && isTransient(error))) {
        return undefined;
      }
      throw error;
    }
  }

  return {
    /** Throws a UserError for a question that cannot be answered, and the client's ServiceErrors. */
    async board(question: BoardQuestion): Promise<Board> {
      refuseRoundTrip(question);
      refuseUnsupportedInLondon(question);
      const now = currentInstant(clock);
      const from = question.from && isBefore(now, question.from) ? startOfMinute(question.from) : undefined;
      const about = { kind: question.kind, crs: question.station.crs, via: question.via?.crs };
      const isLondon = isLondonCode(about.crs);
      const asked = { ...liveQuestion(about), from: isLondon ? undefined : from };

      const answer = await askBoard(deps, asked);
      const live = answer.value;
      // Starts at the time of the answer, so that everybody who shares it asks the same follow-up questions.
      const start = from ?? startOfMinute(now.subtract({ milliseconds: answer.ageMs }));
      const end = start.add({ minutes: BOARD_WINDOW_MINUTES });
      const findRows = createRowFinder(question, live.rows, { now, from });
      let fitting = findRows(live.rows);
      // London's source returns everything that it knows at once.
      let coversUntil = isLondon ? end : live.coversUntil;
      const used = [live];
      if (fitting.length < question.rows && isBefore(coversUntil, end)) {
        const restFrom = isBefore(coversUntil, start) ? start : coversUntil;
        const windowMinutes = Math.ceil(end.since(restFrom).total("minutes"));
        const asking = { ...asked, from: restFrom, windowMinutes, live: false };
        const rest = await askFurther(asking, fitting.length > 0);
        if (rest) {
          fitting = findRows(live.rows, rest.rows);
          coversUntil = rest.coversUntil;
          used.push(rest);
        }
      }

      const board = {
        question,
        dataAt: live.dataAt,
        credit: creditsOf(used),
        messages: live.messages,
        stale: stalenessOf(answer),
      };
      if (fitting.length > 0) {
        const rows = fitting.slice(0, question.rows);
        const later = laterFrom(fitting, rows, isBefore(coversUntil, end) ? coversUntil : undefined);
        return { ...board, rows, laterFrom: later, next: undefined };
      }
      if (answer.failure !== undefined) {
        // All trains of the stale answer have left, so it does not say what comes next.
        throw answer.failure;
      }
      const empty = { ...board, rows: [], laterFrom: undefined, next: undefined };
      if (isLondon) {
        return empty;
      }
      const firstOf = (rows: readonly TransportRow[] = []): BoardRow | undefined =>
        findRows(rows).find(({ state, aimedAt }) => state !== "cancelled" && !isBefore(aimedAt, end));
      const channelsAnswer = answers.peek<TransportBoard>(boardKey(nightQuestion(about)));
      const known =
        channelsAnswer && channelsAnswer.ageMs < NEXT_KNOWN_FOR_MS
          ? firstOf(channelsAnswer.value.rows)
          : undefined;
      if (known) {
        return { ...empty, next: known };
      }
      const further = await askFurther({ ...asked, from: end, windowMinutes: NEXT_WINDOW_MINUTES });
      const credit = creditsOf([...used, ...(further ? [further] : [])]);
      return { ...empty, credit, next: firstOf(further?.rows), isNearOnly: further === undefined };
    },
  };
}

/** Together with {@link BOARD_WINDOW_MINUTES} before it, a whole day. */
const NEXT_WINDOW_MINUTES = 22 * 60;
/** How long a channel board's answer about the morning may be used: little changes about a train that is hours away. */
const NEXT_KNOWN_FOR_MS = 10 * 60_000;

export function refuseRoundTrip({ station, via }: Pick<BoardQuestion, "station" | "via">): void {
  if (via?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to filter by, or leave it out.`);
  }
}

/** Throws a UserError for arrivals at a London stop, a station on the way from one, and a London stop on the way. */
export function refuseUnsupportedInLondon({
  kind,
  station,
  via,
}: Pick<BoardQuestion, "kind" | "station" | "via">): void {
  if (!isLondonCode(station.crs)) {
    if (via !== undefined && isLondonCode(via.crs)) {
      throw new UserError(
        `Trains at ${station.name} don't call at ${via.name}. Pick a train station instead, or leave the second station out.`,
      );
    }
    return;
  }
  if (kind === "arrivals") {
    throw new UserError(
      `London's lines don't list arrivals separately. \`/departures\` shows what comes next at ${station.name}.`,
    );
  }
  if (via !== undefined) {
    throw new UserError(
      `I can't tell which trains from ${station.name} call at ${via.name}. Leave that station out; \`operator\` can narrow the board to one line.`,
    );
  }
}

function createRowFinder(
  question: BoardQuestion,
  known: readonly TransportRow[],
  { now, from }: { readonly now: Temporal.Instant; readonly from: Temporal.Instant | undefined },
) {
  const isOperator = operatorFilter(question, known);
  const isPlatform = platformFilter([question.platform ?? ""]);
  return (...rows: Parameters<typeof mergeRows>): readonly BoardRow[] =>
    mergeRows(...rows)
      .filter((row) => isOperator(row) && isPlatform(row))
      .map(createBoardRow)
      .filter((row) => !isGone(row, now) && !(from && isBefore(row.aimedAt, from)))
      .map((row) => countMinutes(row, now));
}

/** Matches any platform if none is wanted. A track between two platforms, e.g. `2/3`, is at both. */
export function platformFilter(wanted: readonly string[]): (row: Pick<TransportRow, "platform">) => boolean {
  const plain = new Set(wanted.map((platform) => platform.trim().toLowerCase()).filter(Boolean));
  return ({ platform = "" }) => {
    const own = platform.trim().toLowerCase();
    return plain.size === 0 || [own, ...own.split("/")].some((each) => plain.has(each));
  };
}

function operatorFilter(
  { operator, station: { lines } }: BoardQuestion,
  rows: readonly TransportRow[],
): OperatorFilter {
  if (operator === undefined) {
    return () => true;
  }
  return lines === undefined
    ? createOperatorFilter(operator, rows)
    : matchOperator(requireLine(operator, lines).name);
}

/**
 * The start of the next page: the first row left out, or the time at which the answer was cut. Rows of the same minute
 * may be on both pages. If a whole page has the same minute, the next page starts after it, or nobody would get any
 * further.
 */
export function laterFrom(
  fitting: readonly BoardRow[],
  shown: readonly BoardRow[],
  cutAt: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  const [first] = shown;
  const candidates = [...fitting.slice(shown.length).map(({ aimedAt }) => aimedAt), cutAt];
  return candidates.find((candidate) => first && candidate && isBefore(first.aimedAt, candidate));
}

/**
 * Merges a live answer with the timetable's rows after it, which overlap by a minute, and removes duplicates. If a
 * train has several rows, the first one with an expected time or a status wins, because it has live data.
 */
export function mergeRows(
  live: readonly TransportRow[],
  scheduled: readonly TransportRow[] = [],
): readonly TransportRow[] {
  if (scheduled.length > 0) {
    return merge(live, scheduled);
  }
  const known = mergedBefore.get(live) ?? merge(live, []);
  mergedBefore.set(live, known);
  return known;
}

/** The merged rows of answers, which serve many questions. They are cached for as long as the answer. */
const mergedBefore = new WeakMap<readonly TransportRow[], readonly TransportRow[]>();

function merge(live: readonly TransportRow[], scheduled: readonly TransportRow[]): readonly TransportRow[] {
  const merged = new Map<string, TransportRow>();
  const seen = new Set(scheduled.length === 0 ? [] : live.map(appearanceKey));
  for (const [index, row] of [...live, ...scheduled].entries()) {
    const isFromTimetable = index >= live.length;
    if (isFromTimetable && seen.has(appearanceKey(row))) {
      continue;
    }
    // Without an id, two equal rows of one answer may still be two trains.
    const key = row.trainUid ? `${row.trainUid} ${row.mode} ${row.aimedAt.epochMilliseconds}` : `#${index}`;
    const known = merged.get(key);
    if (!known || (isLive(row) && !isLive(known))) {
      merged.set(key, row);
    }
  }
  return [...merged.values()].toSorted(byTime(({ aimedAt }) => aimedAt));
}

export function isLive({ expectedAt, status }: TransportRow): boolean {
  return expectedAt !== undefined || status !== undefined;
}

/** The same key for a train in all answers, live or timetable. It leaves out the platform, which may differ. */
export function appearanceKey(row: TransportRow): string {
  const { mode, aimedAt, place } = row;
  return [mode, aimedAt.epochMilliseconds, plainName(place), operatorKey(operatorName(row))].join("|");
}

// The questions for a station's live board. People and channels ask the same ones, so that they can share an answer.

/** Enough for two hours at any station. The bot filters the rows itself, so it needs all of them. */
const LIMIT = 500;

type BoardSubject = Pick<TransportQuestion, "kind" | "crs" | "via">;

export function liveQuestion({ kind, crs, via }: BoardSubject): TransportQuestion {
  return { crs, kind, via, limit: LIMIT, windowMinutes: BOARD_WINDOW_MINUTES, live: true };
}

/** Long enough to reach from the last train to the first ones of the morning. */
const NIGHT_WINDOW_MINUTES = 8 * 60;

/** For when nothing leaves for now: reaches the morning's first train at no more cost, except in London. */
export function nightQuestion(asked: BoardSubject): TransportQuestion {
  const question = liveQuestion(asked);
  return isLondonCode(asked.crs) ? question : { ...question, windowMinutes: NIGHT_WINDOW_MINUTES };
}

/** A train is searched for within 10 minutes. No station has more than 100 departures in that time. */
const [SEARCH_MINUTES, SEARCH_LIMIT] = [10, 100];

/** The cache key differs from a board's, because /network counts the trains of cached boards (`counted-trains.ts`). */
export function trainSearch(about: Pick<TransportQuestion, "crs" | "kind">, from: Temporal.Instant) {
  const asked = { ...about, from, windowMinutes: SEARCH_MINUTES, limit: SEARCH_LIMIT, live: false };
  return { asked, key: `sighting ${boardKey(asked)}` };
}

/** The cache key of a question. It leaves out filters and the number of rows, which the bot applies itself. */
export function boardKey({ kind, crs, via = "", from, windowMinutes, live }: TransportQuestion): string {
  const fromMinute = from === undefined ? "now" : Math.floor(from.epochMilliseconds / 60_000);
  return ["board", kind, crs, via, fromMinute, windowMinutes, live].join(":");
}
