// Gets the data of boards from their sources. People's questions and boards share one cache of answers, so a question that
// either has asked is not asked again.
import pLimit from "p-limit";
import type { TransportClient } from "../../sources/transport-api/transport-client.ts";
import type { Sources } from "../../sources/compose.ts";
import type { SourceName, TransportBoard } from "../../sources/transport-data.ts";
import { currentInstant } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Platform } from "../../core/ports.ts";
import type { BoardQuestionsTable } from "../board-questions-table.ts";
import type { Purpose } from "../../plan/spending-table.ts";
import {
  type Answer,
  type Answers,
  FRESH_MS,
  type Stale,
  isTransient,
  staleOf,
} from "../../sources/answers.ts";
import { lacksLaterHours } from "../../rail/board-row.ts";
import { boardKey, liveQuestion, nightQuestion } from "../../rail/departures.ts";
import type { Stations } from "../../rail/stations.ts";
import type { BoardSettings } from "../boards.ts";
import {
  type BoardAsk,
  type BoardContent,
  type PlannedBoard,
  type WantedAsk,
  type WatchedAsk,
  askKey,
  asksOf,
} from "./board-data.ts";
import { createBoardContents, createCachedAnswers, knownAnswer } from "./board-contents.ts";
import { isAsleep } from "./board-rows.ts";
import { createQuestionLog } from "./question-log.ts";
import { createQuestionTurns } from "./question-turns.ts";

/** An answer takes a second; more at once would only make the service slower for people. */
const AT_ONCE = 4;
/** A service that fails is not asked for this long, since each attempt costs a call. */
const SHORTEST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/** A service that refuses a question about later hours is not asked another one for this long: a refusal costs a call too. */
const NO_LOOK_AHEAD_MS = 24 * 60 * 60_000;

type Data = ReturnType<typeof createBoardData>;
export type BoardData = Omit<Data, "watch" | "known">;
/** The data of watches. Their questions and those of boards are the same, and share one plan. */
export type WatchData = Pick<Data, "watch" | "known" | "ask">;

export function createBoardData({
  answers,
  person,
  board,
  answering,
  plans,
  questions,
  stations,
  clock,
  log,
}: Pick<Platform, "clock" | "log"> &
  Pick<Sources, "answering" | "plans"> & {
    /** The store that departures are asked through. */
    readonly answers: Pick<Answers, "ask" | "peek">;
    /** Asks at the expense of people. */
    readonly person: Pick<TransportClient, "board">;
    /** Asks at the expense of boards. */
    readonly board: Pick<TransportClient, "board">;
    readonly questions: BoardQuestionsTable;
    readonly stations: Pick<Stations, "byCrs">;
  }) {
  const questionLog = createQuestionLog({ questions, clock, log });
  const cached = createCachedAnswers(answers, clock);
  const sourceOf = (ask: BoardAsk) => answering(liveQuestion(ask));
  const turns = createQuestionTurns({ plans, sourceOf, cached, questionLog, clock });
  const contents = createBoardContents({ cached, turns, stations, clock });
  /** Questions that were asked, or were to be, and have had no answer yet. */
  const unanswered = new Set<string>();
  /** By source. */
  const restsUntilMs = new Map<SourceName | undefined, number>();
  let refusedAheadAtMs = -Infinity;

  function isAnswered({ ask, sinceMs }: WantedAsk): boolean {
    return (cached.get(ask)?.askedAtMs ?? -Infinity) >= sinceMs;
  }

  function isSleeping(ask: BoardAsk): boolean {
    const known = cached.get(ask)?.value;
    return known !== undefined && isAsleep(known, currentInstant(clock));
  }

  /** Throws as the client does. */
  async function askWith(
    client: Pick<TransportClient, "board">,
    ask: BoardAsk,
    purpose: Purpose,
  ): Promise<Answer<TransportBoard>> {
    const mayLookAhead = Math.abs(clock.now() - refusedAheadAtMs) >= NO_LOOK_AHEAD_MS;
    // Looking ahead is not worth a call from another source's plan.
    const isAhead = mayLookAhead && isSleeping(ask) && answering(nightQuestion(ask)) === sourceOf(ask);
    const question = isAhead ? nightQuestion(ask) : liveQuestion(ask);
    try {
      return await answers.ask(boardKey(question), () => client.board(question), purpose);
    } catch (error) {
      if (isAhead && lacksLaterHours(error)) {
        refusedAheadAtMs = clock.now();
        return askWith(client, ask, purpose);
      }
      throw error;
    }
  }

  async function askAsBoard(ask: BoardAsk): Promise<"asked" | "refused"> {
    const startMs = clock.now();
    const source = sourceOf(ask);
    try {
      const answer = await askWith(board, ask, "board");
      if (answer.failure) {
        throw answer.failure;
      }
      cached.get(ask);
      unanswered.delete(askKey(ask));
      await questionLog.note(askKey(ask), clock.now() - answer.ageMs);
    } catch (error) {
      if (sourceOf(ask) !== source) {
        // The next source is asked when its plan has a turn for the question.
        return "asked";
      }
      if (error instanceof ServiceError && error.kind === "budget-spent") {
        return "refused";
      }
      log.warn({ error, question: askKey(ask) }, "board question failed");
      if (isTransient(error)) {
        const restMs = Math.min(Math.max(error.retryAfterMs ?? 0, SHORTEST_REST_MS), LONGEST_REST_MS);
        restsUntilMs.set(source, clock.now() + restMs);
      }
      // It cost a call all the same.
      await questionLog.note(askKey(ask), startMs);
    }
    return "asked";
  }

  /** Never for longer than it may be: the clock may have been ahead when the rest began. */
  function isResting(ask: BoardAsk): boolean {
    const leftMs = (restsUntilMs.get(sourceOf(ask)) ?? -Infinity) - clock.now();
    return leftMs > 0 && leftMs <= LONGEST_REST_MS;
  }

  /**
   * Why a board has no newer train times: the plan had no call left, or the service failed or is slow. `undefined` where
   * what is known is as good as new.
   */
  function whyOld(settings: BoardSettings): "spent" | "failed" | undefined {
    const asks = asksOf(settings);
    if (asks.some((ask) => unanswered.has(askKey(ask)))) {
      return "failed";
    }
    const isFresh = asks.every((ask) => isAnswered({ ask, sinceMs: clock.now() - FRESH_MS }));
    return isFresh ? undefined : asks.some(isResting) ? "failed" : "spent";
  }

  /** `stale`: why the data is no younger, for a person who asked for it. */
  function contentOf(settings: BoardSettings, stale?: Stale): BoardContent {
    const content = contents(settings, stale);
    return content.board === undefined ? { ...content, whyUnknown: whyOld(settings) } : content;
  }

  async function keepForBoards(): Promise<void> {
    for (const [source, { budget }] of plans) {
      await budget.keepForBoards(turns.wantedCalls(source));
    }
  }

  return {
    /** Takes all boards that run, so that the plan's calls can be shared among their questions. Throws as the database does. */
    async plan(boards: readonly PlannedBoard[]): Promise<void> {
      turns.plan({ boards });
      await keepForBoards();
    },
    /** The same for all questions of watches. */
    async watch(watched: readonly WatchedAsk[]): Promise<void> {
      turns.plan({ watched });
      await keepForBoards();
    },
    /** What is known now; `undefined` where that no longer says what comes. Asks nothing. */
    known: (ask: BoardAsk) => knownAnswer(cached.get(ask), clock.now()),
    /**
     * Asks the wanted questions, each once, as far as their turn has come and the budget allows, a few at a time. Never
     * throws: returns the keys of the questions that have an answer asked for at or after their `sinceMs`.
     */
    async ask(wanted: readonly WantedAsk[]): Promise<ReadonlySet<string>> {
      await questionLog.refresh();
      if (turns.follow()) {
        await keepForBoards().catch((error: unknown) => log.warn({ error }, "plan share not recorded"));
      }
      const refusing = new Set<SourceName | undefined>();
      const open = wanted.filter((one) => !isAnswered(one));
      const inTurn = turns.inTurn(open);
      inTurn.forEach((ask) => unanswered.add(askKey(ask)));
      await pLimit(AT_ONCE).map(inTurn, async (ask) => {
        if (isResting(ask)) {
          return;
        }
        const source = sourceOf(ask);
        if (refusing.has(source) || !turns.take(ask)) {
          unanswered.delete(askKey(ask));
        } else if ((await askAsBoard(ask)) === "refused") {
          refusing.add(source);
          turns.giveBack(ask);
          unanswered.delete(askKey(ask));
        }
      });
      return new Set(wanted.filter(isAnswered).map(({ ask }) => askKey(ask)));
    },
    whyOld,
    /** What a board shows with what is known now. Asks nothing. */
    content: (settings: BoardSettings) => contentOf(settings),
    /** As `content`, after asking as a person does where the data is older than a minute. Throws as `Departures` does. */
    async contentForPerson(settings: BoardSettings): Promise<BoardContent> {
      const asks = asksOf(settings);
      try {
        const asked = await Promise.all(asks.map((ask) => askWith(person, ask, "person")));
        return contentOf(settings, oldest(asked.map(staleOf)));
      } catch (error) {
        if (!isTransient(error)) {
          throw error;
        }
        const ageMs = Math.max(...asks.map((ask) => clock.now() - (cached.get(ask)?.askedAtMs ?? -Infinity)));
        const failed = { value: undefined, ageMs, stale: true, failure: error };
        const content = contentOf(settings, staleOf(failed));
        if (content.board === undefined) {
          throw error;
        }
        return content;
      }
    },
  };
}

function oldest(stale: readonly (Stale | undefined)[]): Stale | undefined {
  return stale.filter((one) => one !== undefined).toSorted((a, b) => b.ageMinutes - a.ageMinutes)[0];
}
