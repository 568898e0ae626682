// The questions that boards and watches ask, and what boards show of the answers. board-data.ts asks each distinct question
// once for all boards and watches.
import type { TransportBoard } from "../../sources/transport-data.ts";
import { CLOCK_TOLERANCE_MS, type Clock, currentInstant } from "../../core/clock.ts";
import type { Answers, Staleness } from "../../sources/answers.ts";
import {
  BOARD_WINDOW_MINUTES,
  type Board,
  boardKey,
  liveQuestion,
  nightQuestion,
  type BoardKind,
  type BoardRow,
} from "../../rail/departures.ts";
import { creditsOf } from "../../sources/source-words.ts";
import type { Stations } from "../../rail/stations.ts";
import { boardOf, boardQuestion, isStationQuiet, rowsOf } from "./board-rows.ts";
import type { BoardSettings } from "../boards.ts";
import type { QuestionTurns } from "./question-turns.ts";
import { nextSlot } from "../../time/slots.ts";

/** A board's content as of now, for previews, messages and refreshes alike. */
export interface BoardContent {
  readonly settings: BoardSettings;
  /** `undefined` if no trains are known. */
  readonly board: Board | undefined;
  /** The text in place of trains while the board is paused or outside its hours, e.g. `Back at 07:00 on Monday`. */
  readonly closed?: string | undefined;
  /** Why no trains are known: "spent" if the plan had no call left, "failed" if the service failed. */
  readonly whyUnknown?: "spent" | "failed" | undefined;
  /** Whether this is a refresh of a board that a person has paused. */
  readonly isPaused?: boolean;
  /** Milliseconds since the epoch; `undefined` if the message will never get new data. */
  readonly nextDataMs: number | undefined;
}

/** Filters such as operator and platform are not part of it: the bot applies them at no cost. */
export interface SourceQuestion {
  readonly kind: BoardKind;
  readonly crs: string;
  readonly via?: string | undefined;
}

/** Needs a new answer for a board's slot or for a watch. */
export interface WantedQuestion {
  readonly question: SourceQuestion;
  /** Milliseconds since the epoch. The answer must be asked for at or after this time. */
  readonly sinceMs: number;
}

/** Milliseconds since the epoch. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A question that watches want answered every minute within some spans of time. */
export interface WatchedQuestion {
  readonly question: SourceQuestion;
  readonly spans: readonly TimeSpan[];
  /** The distinct people and servers. */
  readonly ownerIds: readonly string[];
}

/** A source's answer to a question, with all of its trains and buses. */
export interface KnownAnswer {
  /** In the order of aimed times. */
  readonly rows: readonly BoardRow[];
  /** The credit of its sources, as Markdown. */
  readonly credit: string;
  /** When the source made it, in milliseconds since the epoch. */
  readonly dataMs: number;
  /** All trains and buses that are aimed before this time are among the rows. */
  readonly coversUntilMs: number;
  readonly askedAtMs: number;
}

/** A board's questions: one for each calling point in its filter, or one for all trains. */
export function questionsOf({ kind, station, callingAt }: BoardSettings): readonly SourceQuestion[] {
  return callingAt.length === 0
    ? [{ kind, crs: station }]
    : callingAt.map((via) => ({ kind, crs: station, via }));
}

/** e.g. `departures:YRK:LDS`. */
export function questionKey({ kind, crs, via }: SourceQuestion): string {
  return [kind, crs, ...(via === undefined ? [] : [via])].join(":");
}

// Contents of boards.

/** A board as computed from these answers; valid for one minute. */
interface BuiltBoard {
  readonly minute: number;
  readonly answers: readonly (TransportBoard | undefined)[];
  readonly board: Board | undefined;
  readonly nextSlotMs: number | undefined;
}

export function createBoardContents(
  cached: CachedAnswers,
  turns: QuestionTurns,
  stations: Pick<Stations, "byCrs">,
  clock: Clock,
) {
  /** Thousands of boards are due at the same time. For equal settings, `createBoardReader` returns one object. */
  const built = new WeakMap<BoardSettings, BuiltBoard>();

  function buildNow(settings: BoardSettings): BuiltBoard {
    const nowMs = clock.now();
    const minute = Math.floor(nowMs / 60_000);
    const answers = questionsOf(settings).map((question) => cached.get(question)?.value);
    const last = built.get(settings);
    if (last?.minute === minute && answers.every((answer, index) => answer === last.answers[index])) {
      return last;
    }
    const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
    const known = answers.filter((answer) => answer !== undefined);
    // With an answer missing, some of the trains would look like all of them.
    const isPart = known.length < answers.length;
    const board = isPart ? undefined : boardOf(boardQuestion(settings, stations), known, now);
    const content = { minute, answers, board, nextSlotMs: nextSlot(settings.schedule, nowMs) };
    built.set(settings, content);
    return content;
  }

  /** When new data comes: at the turn of the question with the oldest answer, but not before the board's next slot. */
  function nextDataMs(settings: BoardSettings, nextSlotMs: number | undefined): number | undefined {
    if (settings.mode === "post") {
      // The next slot gets a message of its own.
      return undefined;
    }
    const [oldest] = questionsOf(settings).toSorted((a, b) => askedAtMs(a) - askedAtMs(b));
    const turnMs = oldest && turns.nextTurnMs(oldest);
    return turnMs === undefined || nextSlotMs === undefined ? undefined : Math.max(turnMs, nextSlotMs);
  }

  function askedAtMs(question: SourceQuestion): number {
    return cached.get(question)?.askedAtMs ?? 0;
  }

  /** `stale`: why the data is not newer, for a person who asked for it. */
  return (settings: BoardSettings, stale?: Staleness): BoardContent => {
    const { board, nextSlotMs } = buildNow(settings);
    return {
      settings,
      board: board && stale ? { ...board, stale } : board,
      nextDataMs: nextDataMs(settings, nextSlotMs),
    };
  };
}

// Answers to planned questions stay as long as they are useful, even if the shared cache evicts them.

interface CachedAnswer {
  readonly value: TransportBoard;
  readonly askedAtMs: number;
}

export type CachedAnswers = ReturnType<typeof createCachedAnswers>;

/** The newest answers, no matter who asked. The shared cache may have space for fewer questions. */
export function createCachedAnswers(answers: Pick<Answers, "peek">, clock: Clock) {
  const kept = new Map<string, CachedAnswer>();

  function get(question: SourceQuestion): CachedAnswer | undefined {
    const key = questionKey(question);
    const nowMs = clock.now();
    const shared = [liveQuestion(question), nightQuestion(question)]
      .flatMap((asked) => answers.peek<TransportBoard>(boardKey(asked)) ?? [])
      .toSorted((a, b) => a.ageMs - b.ageMs)[0];
    const before = kept.get(key);
    // If a clock was ahead when an answer was asked for, no current one would ever replace it.
    const known = before && before.askedAtMs <= nowMs + CLOCK_TOLERANCE_MS ? before : undefined;
    if (shared && shared.value !== known?.value && nowMs - shared.ageMs >= (known?.askedAtMs ?? 0)) {
      const answer = { value: shared.value, askedAtMs: nowMs - shared.ageMs };
      kept.set(key, answer);
      return answer;
    }
    return known;
  }

  return {
    get,

    /** Whether an answer is known and shows that the station is quiet. */
    isQuiet(question: SourceQuestion): boolean {
      const known = get(question)?.value;
      return known !== undefined && isStationQuiet(known, currentInstant(clock));
    },

    /** `keys`: made by {@link questionKey}. */
    keepOnly: (keys: ReadonlySet<string>): void =>
      new Set(kept.keys()).difference(keys).forEach((key) => kept.delete(key)),
  };
}

/** Converts an answer to the form that watches read; `undefined` if there is none or it is out of date. */
export function knownAnswer(answer: CachedAnswer | undefined, nowMs: number): KnownAnswer | undefined {
  if (answer === undefined) {
    return undefined;
  }
  const { value, askedAtMs } = answer;
  const dataMs = value.dataAt.epochMilliseconds;
  const coversUntilMs = value.coversUntil.epochMilliseconds;
  return nowMs < dataMs + BOARD_WINDOW_MINUTES * 60_000
    ? { rows: rowsOf(value), credit: creditsOf([value]), dataMs, coversUntilMs, askedAtMs }
    : undefined;
}
