// Sends each question to the first source that can answer it, and to the next one while that source fails.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, isShareSpent } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Purpose } from "../plan/spending-table.ts";
import { sourceOfTrain } from "./train-ids.ts";
import type {
  SourceName,
  TransportBoard,
  TransportQuestion,
  TransportTrain,
  TransportTrainQuestion,
} from "./transport-data.ts";

/** One source at somebody's expense. Its errors are ServiceErrors with the source's name as `service`. */
interface SourceClient {
  board(question: TransportQuestion): Promise<TransportBoard>;
  /** Absent where the source knows no single trains. */
  train?(question: TransportTrainQuestion): Promise<TransportTrain>;
}

/** The name of all sources together, in errors. */
export const SOURCES = "sources";

export interface Source {
  readonly name: SourceName;
  /** How its answers credit it, as Markdown; `undefined` for the usual words. */
  readonly credit?: string | undefined;
  canAnswer(question: TransportQuestion): boolean;
  readonly clients: Readonly<Record<Purpose, SourceClient>>;
}

/** Why a source could not answer. */
export interface SourceFailure {
  readonly source: SourceName;
  readonly kind: ServiceErrorKind;
  /** A product may have a key of its own. */
  readonly product: TransportQuestion["kind"] | "service";
  readonly atMs: number;
}

/**
 * After a failure, questions of the same kind go to the next source for so long, and only then to this one again: a board
 * does not jump between two sources, which differ in a minute here and a platform there. Each process finds out by itself.
 */
const REST_MS = 3 * 60_000;
/** A source that refuses a key, or does not know a station, will not think better of it soon. */
const LONG_REST_MS = 60 * 60_000;
/** Of questions that a source cannot answer; those not asked for longest go first. */
const MOST_RESTS = 1_000;

/** The source itself is in trouble. */
const OF_SOURCE: ReadonlySet<ServiceErrorKind> = new Set([
  "budget-spent",
  "rate-limited",
  "timeout",
  "unavailable",
]);
/** It will be until somebody changes a key or pays. */
const PERMANENT: ReadonlySet<ServiceErrorKind> = new Set(["unauthorised", "not-permitted", "out-of-credit"]);
/** It is about the question: others are answered. */
const OF_QUESTION: ReadonlySet<ServiceErrorKind> = new Set([
  "not-found",
  "rejected",
  "too-large",
  "unexpected-answer",
]);

/** `sources`: those asked first come first. */
export function createRouter({
  sources,
  clock,
  log,
}: {
  readonly sources: readonly Source[];
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
}) {
  /** Until when a source is not asked, elapsed time, by what was asked. */
  const rests = new LRUCache<string, number>({ max: MOST_RESTS });
  const failures = new Map<SourceName, SourceFailure>();
  /** By source and product, until it answers again. */
  const refusals = new Map<string, SourceFailure>();

  function isResting(name: SourceName, question: TransportQuestion): boolean {
    const keys = [productKey(name, question.kind), questionKey(name, question)];
    return keys.some((key) => (rests.get(key) ?? -Infinity) > clock.elapsed());
  }

  /** In the order in which they are to be asked. Where all of them rest, the last is asked all the same. */
  function candidates(question: TransportQuestion): readonly Source[] {
    const able = sources.filter((source) => source.canAnswer(question));
    const awake = able.filter(({ name }) => !isResting(name, question));
    return awake.length > 0 ? awake : able.slice(-1);
  }

  /** Throws what no other source can help with. */
  function noteFailure(source: SourceName, product: SourceFailure["product"], error: unknown): ServiceError {
    if (!(error instanceof ServiceError) || error.service !== source || isShareSpent(error)) {
      throw error;
    }
    const failure = { source, kind: error.kind, product, atMs: clock.now() };
    if (PERMANENT.has(error.kind)) {
      refusals.set(productKey(source, product), failure);
    }
    if (error.kind !== "not-found") {
      failures.set(source, failure);
    }
    return error;
  }

  function rest(
    source: SourceName,
    question: TransportQuestion,
    { kind, retryAfterMs = 0 }: ServiceError,
  ): void {
    const isLong = PERMANENT.has(kind) || kind === "not-found" || kind === "rejected";
    const restMs = isLong ? LONG_REST_MS : Math.max(REST_MS, Math.min(retryAfterMs, LONG_REST_MS));
    const key = OF_QUESTION.has(kind) ? questionKey(source, question) : productKey(source, question.kind);
    if (OF_QUESTION.has(kind) || PERMANENT.has(kind) || OF_SOURCE.has(kind)) {
      rests.set(key, clock.elapsed() + restMs);
    }
  }

  /** Asks one source, which rests after a failure. */
  async function askOne({ name, credit, clients }: Source, purpose: Purpose, question: TransportQuestion) {
    try {
      const answer = await clients[purpose].board(question);
      refusals.delete(productKey(name, question.kind));
      return credit === undefined ? answer : { ...answer, credit };
    } catch (error) {
      rest(name, question, noteFailure(name, question.kind, error));
      throw error;
    }
  }

  /** `not-found` where only the time lies too far ahead, `not-permitted` where nobody would answer about now either. */
  function unanswerable(question: TransportQuestion): ServiceError {
    const near = { ...question, from: undefined, windowMinutes: 60 };
    const isFar = sources.some((source) => source.canAnswer(near));
    return new ServiceError(SOURCES, isFar ? "not-found" : "not-permitted", "no source can answer this");
  }

  async function board(purpose: Purpose, question: TransportQuestion): Promise<TransportBoard> {
    const asked = candidates(question);
    const [first, next] = asked;
    if (first === undefined) {
      throw unanswerable(question);
    }
    try {
      return await askOne(first, purpose, question);
    } catch (error) {
      const isFirstStill = candidates(question)[0] === first;
      if (next === undefined || isFirstStill) {
        throw error;
      }
      log.warn({ source: first.name, next: next.name, error }, "source failed");
      if (purpose === "board") {
        throw error;
      }
      return askOne(next, purpose, question);
    }
  }

  async function train(purpose: Purpose, question: TransportTrainQuestion): Promise<TransportTrain> {
    const { name, credit, clients } =
      sources.find((source) => source.name === sourceOfTrain(question.trainUid)) ?? {};
    const client = clients?.[purpose];
    if (name === undefined || client?.train === undefined) {
      throw new ServiceError(SOURCES, "not-found", "no source knows such a train");
    }
    try {
      const found = await client.train(question);
      refusals.delete(productKey(name, "service"));
      return credit === undefined ? found : { ...found, credit };
    } catch (error) {
      throw noteFailure(name, "service", error);
    }
  }

  return {
    /**
     * Asks as a source's client does, and throws as it does. People are answered by the next source at once where the
     * first fails. A board is not: it asks again in the turn that it has under the next one's plan, which may be small.
     */
    clientFor: (purpose: Purpose) => ({
      board: (question: TransportQuestion) => board(purpose, question),
      train: (question: TransportTrainQuestion) => train(purpose, question),
    }),
    /** The source that would be asked now; `undefined` where none can answer. */
    answering: (question: TransportQuestion): SourceName | undefined => candidates(question)[0]?.name,
    /** The last failure of a source since the start; `undefined` for none. */
    lastFailure: (name: SourceName): SourceFailure | undefined => failures.get(name),
    /** Where a source refuses the bot itself, e.g. because of a wrong key. */
    refusals: (): readonly SourceFailure[] => [...refusals.values()],
  };
}

function productKey(name: SourceName, product: SourceFailure["product"]): string {
  return `${name} ${product}`;
}

function questionKey(name: SourceName, { kind, crs, via = "" }: TransportQuestion): string {
  return `${productKey(name, kind)} ${crs} ${via}`;
}
