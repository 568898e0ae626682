// People and boards share one cache, so a question that either has just asked is not asked again.
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { TransportClient } from "../../sources/transport-api/transport-client.ts";
import type { Sources } from "../../sources/compose.ts";
import type { SourceName, TransportBoard } from "../../sources/transport-data.ts";
import { limitEntries, ttlByClock } from "../../core/cache-options.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Platform } from "../../core/ports.ts";
import type { BoardQuestionsTable } from "../board-questions-table.ts";
import type { Purpose } from "../../plan/spending-table.ts";
import {
  type Answer,
  type Answers,
  FRESH_MS,
  type Staleness,
  isTransient,
  stalenessOf,
} from "../../sources/answers.ts";
import { lacksLaterHours } from "../../rail/board-row.ts";
import { boardKey, liveQuestion, nightQuestion } from "../../rail/departures.ts";
import type { Stations } from "../../rail/stations.ts";
import type { BoardSettings } from "../boards.ts";
import {
  type SourceQuestion,
  type BoardContent,
  type WantedQuestion,
  type WatchedQuestion,
  questionKey,
  questionsOf,
  createBoardContents,
  createCachedAnswers,
  knownAnswer,
} from "./board-contents.ts";
import { createQuestionLog, createQuestionTurns } from "./question-turns.ts";

/** How many questions are asked at a time. An answer takes a second; more would only slow the service down for people. */
const AT_ONCE = 4;
/** The limits of the pause after a service fails, because each attempt costs a call. */
const SHORTEST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/**
 * After a service refuses a question about later hours, it gets no other for this long, because a refusal costs a call
 * too.
 */
const NO_LOOK_AHEAD_MS = 24 * 60 * 60_000;
/** A failure is forgotten if no watch reads it for this long, e.g. at night or while another process leads. */
const FAILURE_TTL_MS = 2 * 60_000;
const MAX_FAILURES = 20_000;

type Data = ReturnType<typeof createBoardData>;
export type BoardData = Omit<Data, "watch" | "known" | "failingSinceMs">;
/** Watches and boards have the same kind of questions and share one plan. */
export type WatchData = Pick<Data, "watch" | "known" | "failingSinceMs" | "ask">;

export function createBoardData(
  deps: Pick<Platform, "clock" | "log"> &
    Pick<Sources, "answering" | "plans"> & {
      /** People's departures use it too. */
      readonly answers: Pick<Answers, "ask" | "peek">;
      /** Its calls count in people's share. */
      readonly person: Pick<TransportClient, "board">;
      /** Its calls count in the boards' share. */
      readonly board: Pick<TransportClient, "board">;
      readonly questions: BoardQuestionsTable;
      readonly stations: Pick<Stations, "byCrs">;
    },
) {
  const { answers, person, board, answering, plans, questions, stations, clock, log } = deps;
  const questionLog = createQuestionLog(questions, clock, log);
  const cached = createCachedAnswers(answers, clock);
  const sourceOf = (question: SourceQuestion) => answering(liveQuestion(question));
  const turns = createQuestionTurns({ plans, sourceOf, cached, questionLog, clock });
  const contents = createBoardContents(cached, turns, stations, clock);
  /** The keys of questions that were asked, or were about to be, and have no answer yet. */
  const unanswered = new Set<string>();
  /** What {@link failingSinceMs} reports, by the question's key. */
  const failing = new LRUCache<string, number>({
    ...limitEntries(MAX_FAILURES),
    ...ttlByClock(clock),
    ttl: FAILURE_TTL_MS,
    updateAgeOnGet: true,
  });
  /** When the pause after a failure ends, by source. */
  const restsUntilMs = new Map<SourceName | undefined, number>();
  /** The sources whose plan refused the last call. */
  const spent = new Set<SourceName | undefined>();
  let refusedAheadAtMs = -Infinity;

  function isAnswered({ question, sinceMs }: WantedQuestion): boolean {
    return (cached.get(question)?.askedAtMs ?? -Infinity) >= sinceMs;
  }

  /**
   * Since when it has had no answer although its turn has come: the service fails or is slow, or the plan is used up.
   * `undefined` if it has one, perhaps one that a person asked for, or if its turn has not come.
   */
  function failingSinceMs(question: SourceQuestion): number | undefined {
    const sinceMs = failing.get(questionKey(question));
    return sinceMs === undefined || isAnswered({ question, sinceMs }) ? undefined : sinceMs;
  }

  /** Asks about later hours too if the station is quiet. Throws the client's errors. */
  async function askWith(
    client: Pick<TransportClient, "board">,
    question: SourceQuestion,
    purpose: Purpose,
  ): Promise<Answer<TransportBoard>> {
    const mayLookAhead = Math.abs(clock.now() - refusedAheadAtMs) >= NO_LOOK_AHEAD_MS;
    // Later hours are not worth a call from another source's plan.
    const isAhead =
      mayLookAhead && cached.isQuiet(question) && answering(nightQuestion(question)) === sourceOf(question);
    const request = isAhead ? nightQuestion(question) : liveQuestion(question);
    try {
      return await answers.ask(boardKey(request), () => client.board(request), purpose);
    } catch (error) {
      if (isAhead && lacksLaterHours(error)) {
        refusedAheadAtMs = clock.now();
        return askWith(client, question, purpose);
      }
      throw error;
    }
  }

  async function askAsBoard(question: SourceQuestion): Promise<"asked" | "refused"> {
    const startMs = clock.now();
    const source = sourceOf(question);
    try {
      const answer = await askWith(board, question, "board");
      if (answer.failure) {
        throw answer.failure;
      }
      cached.get(question);
      unanswered.delete(questionKey(question));
      failing.delete(questionKey(question));
      await questionLog.note(questionKey(question), clock.now() - answer.ageMs);
    } catch (error) {
      if (sourceOf(question) !== source) {
        // The next source is asked when its plan has a turn for the question.
        return "asked";
      }
      if (error instanceof ServiceError && error.kind === "budget-spent") {
        return "refused";
      }
      log.warn({ error, question: questionKey(question) }, "board question failed");
      if (isTransient(error)) {
        const restMs = Math.min(Math.max(error.retryAfterMs ?? 0, SHORTEST_REST_MS), LONGEST_REST_MS);
        restsUntilMs.set(source, clock.now() + restMs);
      }
      // The failed attempt cost a call too.
      await questionLog.note(questionKey(question), startMs);
    }
    return "asked";
  }

  /** A pause that seems too long began while the clock was ahead, and is ignored. */
  function isResting(question: SourceQuestion): boolean {
    const leftMs = (restsUntilMs.get(sourceOf(question)) ?? -Infinity) - clock.now();
    return leftMs > 0 && leftMs <= LONGEST_REST_MS;
  }

  /** "spent": the plan had no call left. "failed": the service failed or is slow. `undefined`: fresh. */
  function staleReason(settings: BoardSettings): "spent" | "failed" | undefined {
    const boardQuestions = questionsOf(settings);
    if (boardQuestions.some((question) => unanswered.has(questionKey(question)))) {
      return "failed";
    }
    const isFresh = boardQuestions.every((question) =>
      isAnswered({ question, sinceMs: clock.now() - FRESH_MS }),
    );
    return isFresh ? undefined : boardQuestions.some(isResting) ? "failed" : "spent";
  }

  /** `stale`: why the data is not newer, for a person who asked for it. */
  function contentOf(settings: BoardSettings, stale?: Staleness): BoardContent {
    const content = contents(settings, stale);
    return content.board === undefined ? { ...content, whyUnknown: staleReason(settings) } : content;
  }

  async function reserveForBoards(): Promise<void> {
    for (const [source, { budget }] of plans) {
      await budget.reserveForBoards(turns.wantedCalls(source));
    }
  }

  return {
    /** `boards`: the settings of all active boards. Throws the database's errors. */
    async plan(boards: readonly BoardSettings[]): Promise<void> {
      turns.plan({ boards });
      await reserveForBoards();
    },
    /** `watched` must be the questions of all watches. Throws the database's errors. */
    async watch(watched: readonly WatchedQuestion[]): Promise<void> {
      turns.plan({ watched });
      await reserveForBoards();
    },
    /** `undefined` if there is no answer or it is out of date. Asks nothing. */
    known: (question: SourceQuestion) => knownAnswer(cached.get(question), clock.now()),
    failingSinceMs,
    /**
     * Asks those whose turn has come if the budget allows, a few at a time. Returns the keys of the questions
     * whose answer was asked for at or after their `sinceMs`. Never throws.
     */
    async ask(wanted: readonly WantedQuestion[]): Promise<ReadonlySet<string>> {
      await questionLog.refresh();
      if (turns.followSources()) {
        await reserveForBoards().catch((error: unknown) => log.warn({ error }, "plan share not recorded"));
      }
      const refusing = new Set<SourceName | undefined>();
      const inTurn = turns.inTurn(wanted.filter((one) => !isAnswered(one)));
      for (const question of inTurn) {
        unanswered.add(questionKey(question));
        failing.set(questionKey(question), failingSinceMs(question) ?? clock.now());
      }
      await pLimit(AT_ONCE).map(inTurn, async (question) => {
        if (isResting(question)) {
          return;
        }
        const key = questionKey(question);
        const source = sourceOf(question);
        if (refusing.has(source)) {
          unanswered.delete(key);
        } else if (!turns.take(question)) {
          unanswered.delete(key);
          // Its turn has not come after all. If it was asked before without an answer, or the plan is used up, it is
          // still failing.
          if (!spent.has(source) && questionLog.askedAtMs(key) < (failing.get(key) ?? 0)) {
            failing.delete(key);
          }
        } else if ((await askAsBoard(question)) === "refused") {
          refusing.add(source);
          spent.add(source);
          turns.giveBack(question);
          unanswered.delete(key);
        } else {
          spent.delete(source);
        }
      });
      return new Set(wanted.filter(isAnswered).map(({ question }) => questionKey(question)));
    },
    staleReason,
    /** Asks nothing. */
    content: (settings: BoardSettings) => contentOf(settings),
    /**
     * Like `content`, but first asks at the person's expense if the data is older than a minute. Throws as `Departures`
     * does.
     */
    async contentForPerson(settings: BoardSettings): Promise<BoardContent> {
      const boardQuestions = questionsOf(settings);
      try {
        const asked = await Promise.all(
          boardQuestions.map((question) => askWith(person, question, "person")),
        );
        const stale = asked.flatMap((answer) => stalenessOf(answer) ?? []);
        return contentOf(settings, stale.toSorted((a, b) => b.ageMinutes - a.ageMinutes)[0]);
      } catch (error) {
        if (!isTransient(error)) {
          throw error;
        }
        const ageMs = Math.max(
          ...boardQuestions.map((question) => clock.now() - (cached.get(question)?.askedAtMs ?? -Infinity)),
        );
        const content = contentOf(settings, stalenessOf({ value: undefined, ageMs, failure: error }));
        if (content.board === undefined) {
          throw error;
        }
        return content;
      }
    },
  };
}
