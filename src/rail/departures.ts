// Live boards: what leaves, or arrives at, a station.
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

/** How far a board looks ahead: what the public service's live boards do by themselves. */
export const BOARD_WINDOW_MINUTES = 120;

export interface BoardQuestion {
  readonly kind: BoardKind;
  readonly station: Station;
  /** Departures: only trains that call there later. Arrivals: only trains that called there before. */
  readonly via?: Station | undefined;
  /** Operator's code or name, in any case, e.g. `GR` or `lner`. */
  readonly operator?: string | undefined;
  /** e.g. `4` or `4b`, in any case. */
  readonly platform?: string | undefined;
  readonly rows: number;
  /** First aimed time to show; now where it is absent or past. */
  readonly from?: Temporal.Instant | undefined;
  /** Set on a channel's board. */
  readonly channelFilters?: ChannelFilters | undefined;
}

export interface ChannelFilters {
  /** Two or more stations, as `via` for one; otherwise empty. */
  readonly callingAt: readonly Station[];
  /** Whether a train must call at all of them; otherwise at any. */
  readonly callingAtAll: boolean;
  /** Two or more platforms, any of which will do, as `platform` for one; otherwise empty. */
  readonly platforms: readonly string[];
  readonly transport: "all" | "trains" | "buses";
  /** Leaves out what leaves sooner than one can be there; 0 for nothing. */
  readonly walkMinutes: number;
}

type HiddenField = "status" | "operatorCode" | "operatorName" | "service" | "coaches" | "timing";

/** How a service stands at this station. Worked out from the times; the service's word counts only for the first three. */
export type RowState =
  | "cancelled"
  /** Late, and nobody knows by how much. */
  | "delayed"
  /** Nothing live is known; only the timetable's time. */
  | "scheduled"
  /** London: there is no timetable. `expectedAt` is to the second, and `aimedAt` the same time to the minute. */
  | "expected"
  | "late"
  | "early"
  | "on-time";

/** A source's row as people see it. */
export interface BoardRow extends Omit<TransportRow, HiddenField> {
  /** Operator's name, e.g. `LNER`; in London the line's. */
  readonly operator: string | undefined;
  /** Which of several stations that the board asks for it calls at, by name; only on a channel's board. */
  readonly via?: readonly string[] | undefined;
  /** Whole minutes, expected less aimed; negative when early; `undefined` without an expected time. */
  readonly delayMinutes: number | undefined;
  readonly state: RowState;
  /** In London: in how many minutes it is expected, counted from when the board was made. */
  readonly inMinutes?: number | undefined;
}

export interface Board {
  readonly question: BoardQuestion;
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  readonly dataAt: Temporal.Instant;
  /** The credit of its sources, as Markdown. */
  readonly credit: string;
  /** Set where the answer is older than it should be, because the service could not be asked again. */
  readonly stale?: Staleness | undefined;
  /** What the station tells its passengers, as Markdown. */
  readonly messages?: readonly string[] | undefined;
  /** Aimed time of the first row that did not fit, for a "later" button; `undefined` when all are shown. */
  readonly laterFrom: Temporal.Instant | undefined;
  /** On a board without rows: the next service that fits the question, within a day; `undefined` if there is none. */
  readonly next: BoardRow | undefined;
  /** Whether no source knows what comes after the hours of this board (default: false). */
  readonly isNearOnly?: boolean;
  /**
   * Set on a channel's board, which is never looked for beyond: all that is aimed before this moment is known. Where it
   * has no rows but a `next`, that one's time: nothing leaves before.
   */
  readonly knownUntil?: Temporal.Instant | undefined;
}

export type Departures = ReturnType<typeof createDepartures>;

/** Most boards cost one request; two if an answer was cut short or had nothing that fits. */
export function createDepartures({
  transport,
  answers,
  clock,
}: {
  transport: Pick<TransportClient, "board">;
  answers: Answers;
  clock: Clock;
}) {
  const ask = (asked: TransportQuestion): Promise<Answer<TransportBoard>> =>
    answers.ask(boardKey(asked), () => transport.board(asked));

  /** `mayFail`: there is something to show without it, so a failure that will pass is no reason to show nothing. */
  async function askFurther(asked: TransportQuestion, mayFail = false): Promise<TransportBoard | undefined> {
    try {
      return (await ask(asked)).value;
    } catch (error) {
      if (lacksLaterHours(error) || (mayFail && isTransient(error))) {
        return undefined;
      }
      throw error;
    }
  }

  return {
    /** Throws UserError for a question that cannot be answered, ServiceError as the client does. */
    async board(question: BoardQuestion): Promise<Board> {
      refuseRoundTrip(question);
      refuseUnsupportedInLondon(question);
      const now = currentInstant(clock);
      const from = question.from && isBefore(now, question.from) ? startOfMinute(question.from) : undefined;
      const about = { kind: question.kind, crs: question.station.crs, via: question.via?.crs };
      const isLondon = isLondonCode(about.crs);
      const asked = { ...liveQuestion(about), from: isLondon ? undefined : from };

      const answer = await ask(asked);
      const live = answer.value;
      // Counted from when the first answer was asked for, so that the questions after it are the same ones too.
      const start = from ?? startOfMinute(now.subtract({ milliseconds: answer.ageMs }));
      const end = start.add({ minutes: BOARD_WINDOW_MINUTES });
      const fit = createFit(question, live.rows, { now, from });
      let fitting = fit(live.rows);
      // London's source says all that it knows at once.
      let coversUntil = isLondon ? end : live.coversUntil;
      const used = [live];
      if (fitting.length < question.rows && isBefore(coversUntil, end)) {
        const restFrom = isBefore(coversUntil, start) ? start : coversUntil;
        const windowMinutes = Math.ceil(end.since(restFrom).total("minutes"));
        const asking = { ...asked, from: restFrom, windowMinutes, live: false };
        const rest = await askFurther(asking, fitting.length > 0);
        if (rest) {
          fitting = fit(live.rows, rest.rows);
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
        // Everything in it has left: it does not say what comes next.
        throw answer.failure;
      }
      const empty = { ...board, rows: [], laterFrom: undefined, next: undefined };
      if (isLondon) {
        return empty;
      }
      const firstOf = (rows: readonly TransportRow[] = []): BoardRow | undefined =>
        fit(rows).find(({ state, aimedAt }) => state !== "cancelled" && !isBefore(aimedAt, end));
      const ofBoards = answers.peek<TransportBoard>(boardKey(nightQuestion(about)));
      const known = ofBoards && ofBoards.ageMs < NEXT_KNOWN_FOR_MS ? firstOf(ofBoards.value.rows) : undefined;
      if (known) {
        return { ...empty, next: known };
      }
      const further = await askFurther({ ...asked, from: end, windowMinutes: NEXT_WINDOW_MINUTES });
      const credit = creditsOf([...used, ...(further ? [further] : [])]);
      return { ...empty, credit, next: firstOf(further?.rows), isNearOnly: further === undefined };
    },
  };
}

/** With {@link BOARD_WINDOW_MINUTES} before it, a whole day. */
const NEXT_WINDOW_MINUTES = 22 * 60;
/** How long a channel board's answer about the morning is good for: little changes about a train hours away. */
const NEXT_KNOWN_FOR_MS = 10 * 60_000;

export function refuseRoundTrip({ station, via }: Pick<BoardQuestion, "station" | "via">): void {
  if (via?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to filter by, or leave it out.`);
  }
}

/** Throws a UserError for what only the railway's boards can answer, and for a London stop as a station on the way. */
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

/** Makes a function that joins answers, and gives the rows that fit a question and have not left. */
function createFit(
  question: BoardQuestion,
  known: readonly TransportRow[],
  { now, from }: { readonly now: Temporal.Instant; readonly from: Temporal.Instant | undefined },
) {
  const isOperator = operatorFilter(question, known);
  const platform = question.platform?.trim().toLowerCase();
  return (...rows: Parameters<typeof mergeRows>): readonly BoardRow[] =>
    mergeRows(...rows)
      .filter((row) => isOperator(row) && (!platform || row.platform?.toLowerCase() === platform))
      .map(createBoardRow)
      .filter((row) => !isGone(row, now) && !(from && isBefore(row.aimedAt, from)))
      .map((row) => countMinutes(row, now));
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
 * Where a next page begins: at the first row left out, or where the answer was cut. Rows of one minute may stand on
 * both pages; only where a whole page is of one minute does the next one begin after it, or nobody would get further.
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
 * Joins a live answer and the timetable's rows after it, which overlap by a minute, and removes what an answer lists
 * twice. Of one train's rows the first with an expected time or a status is kept: it knows more.
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

/** One answer serves many questions. The merged rows are kept for as long as the answer. */
const mergedBefore = new WeakMap<readonly TransportRow[], readonly TransportRow[]>();

function merge(live: readonly TransportRow[], scheduled: readonly TransportRow[]): readonly TransportRow[] {
  const merged = new Map<string, TransportRow>();
  const seen = new Set(scheduled.length === 0 ? [] : live.map(appearanceKey));
  for (const [index, row] of [...live, ...scheduled].entries()) {
    const isFromTimetable = index >= live.length;
    if (isFromTimetable && seen.has(appearanceKey(row))) {
      continue;
    }
    // Without an id two trains of one answer may look alike and still be two.
    const key = row.trainUid ? `${row.trainUid} ${row.mode} ${row.aimedAt.epochMilliseconds}` : `#${index}`;
    const known = merged.get(key);
    if (!known || (isLive(row) && !isLive(known))) {
      merged.set(key, row);
    }
  }
  return [...merged.values()].toSorted(byTime(({ aimedAt }) => aimedAt));
}

/** Rows out of a timetable say nothing of today. */
export function isLive({ expectedAt, status }: TransportRow): boolean {
  return expectedAt !== undefined || status !== undefined;
}

/** What a train looks like in every answer that lists it, live or timetable; the platform may differ. */
export function appearanceKey(row: TransportRow): string {
  const { mode, aimedAt, place } = row;
  return [mode, aimedAt.epochMilliseconds, plainName(place), operatorKey(operatorName(row))].join("|");
}

// The one question that all ask who want a station's live board, people and channels alike, so that one answer serves
// them all.

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

/**
 * The same if nothing leaves for now: asking as far ahead as the first train of the morning costs no more. For London nobody
 * knows that train.
 */
export function nightQuestion(asked: Parameters<typeof liveQuestion>[0]): TransportQuestion {
  const question = liveQuestion(asked);
  return isLondonCode(asked.crs) ? question : { ...question, windowMinutes: NIGHT_WINDOW_MINUTES };
}

/** A train is looked for within 10 minutes; no station has more than 100 departures in that time. */
const [SIGHTING_MINUTES, LOOK_ALIKES] = [10, 100];

/** The question for the 10 minutes from `at`, in which one train is looked for. */
export function trainSearchQuestion({
  crs,
  kind,
  at,
}: Pick<TransportQuestion, "crs" | "kind"> & { readonly at: Temporal.Instant }): TransportQuestion {
  return { crs, kind, from: at, windowMinutes: SIGHTING_MINUTES, limit: LOOK_ALIKES, live: false };
}

/** The key of a sighting question in the store of answers. A board's key differs: stored boards are used to count trains. */
export function trainSearchKey(asked: TransportQuestion): string {
  return `sighting ${boardKey(asked)}`;
}

/** Names a question in the store of answers. Filters and the number of rows are ours: all who look at a station ask the same. */
export function boardKey({ kind, crs, via = "", from, windowMinutes, live }: TransportQuestion): string {
  const fromMinute = from === undefined ? "now" : Math.floor(from.epochMilliseconds / 60_000);
  return ["board", kind, crs, via, fromMinute, windowMinutes, live].join(":");
}
