// Sends each question to the first source that can answer it, and to the next one while that source fails.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, isShareSpent } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Purpose } from "../plan/spending-table.ts";
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

export interface Source {
  readonly name: SourceName;
  canAnswer(question: TransportQuestion): boolean;
  /** Whether an id of a train is one of this source's. */
  ownsTrain(trainUid: string): boolean;
  readonly clients: Readonly<Record<Purpose, SourceClient>>;
}

/** Why a source was last not able to answer. */
interface SourceFailure {
  readonly kind: ServiceErrorKind;
  readonly atMs: number;
}

/**
 * After a failure, questions of the same kind go to the next source for so long, and only then to this one again: a board
 * does not jump between two sources, which differ in a minute here and a platform there. Each process finds out by itself.
 */
const REST_MS = 3 * 60_000;
/** A source that refuses a key, or does not know a station, will not think better of it soon. */
const LONG_REST_MS = 60 * 60_000;

/** Of questions that a source does not know; those not asked for longest go first. */
const MOST_RESTS = 1_000;

const TRANSIENT: ReadonlySet<ServiceErrorKind> = new Set([
  "budget-spent",
  "rate-limited",
  "timeout",
  "unavailable",
  "unexpected-answer",
  "too-large",
]);
/** Somebody must change a key or pay. */
const PERMANENT: ReadonlySet<ServiceErrorKind> = new Set(["unauthorised", "not-permitted", "out-of-credit"]);
/** It is the question that this source has no answer to. */
const UNKNOWN: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "rejected"]);

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

  function isResting({ name }: Source, question: TransportQuestion): boolean {
    return restKeys(name, question).some((key) => (rests.get(key) ?? -Infinity) > clock.elapsed());
  }

  /** In the order in which they are to be asked. Where all of them rest, the last is asked all the same. */
  function candidates(question: TransportQuestion): readonly Source[] {
    const able = sources.filter((source) => source.canAnswer(question));
    const awake = able.filter((source) => !isResting(source, question));
    return awake.length > 0 ? awake : able.slice(-1);
  }

  /** Throws the error where no other source can help. */
  function noteFailure(source: Source, question: TransportQuestion, error: unknown): void {
    if (!(error instanceof ServiceError) || error.service !== source.name || isShareSpent(error)) {
      throw error;
    }
    const [ofKind, ofStation] = restKeys(source.name, question);
    const { kind, retryAfterMs = 0 } = error;
    if (UNKNOWN.has(kind)) {
      rests.set(ofStation, clock.elapsed() + LONG_REST_MS);
    } else if (TRANSIENT.has(kind) || PERMANENT.has(kind)) {
      const restMs = PERMANENT.has(kind)
        ? LONG_REST_MS
        : Math.max(REST_MS, Math.min(retryAfterMs, LONG_REST_MS));
      rests.set(ofKind, clock.elapsed() + restMs);
      failures.set(source.name, { kind, atMs: clock.now() });
    } else {
      throw error;
    }
  }

  async function board(purpose: Purpose, question: TransportQuestion): Promise<TransportBoard> {
    let failure: unknown = new ServiceError("transport", "not-found", "no source can answer such a question");
    const asked = candidates(question);
    for (const [index, source] of asked.entries()) {
      try {
        return await source.clients[purpose].board(question);
      } catch (error) {
        noteFailure(source, question, error);
        const next = asked[index + 1]?.name;
        if (next !== undefined) {
          log.warn({ source: source.name, next, error }, "source failed, next asked");
        }
        failure = error;
      }
    }
    throw failure;
  }

  async function train(purpose: Purpose, question: TransportTrainQuestion): Promise<TransportTrain> {
    const client = sources.find((source) => source.ownsTrain(question.trainUid))?.clients[purpose];
    if (client?.train === undefined) {
      throw new ServiceError("transport", "not-found", "no source knows such a train");
    }
    return client.train(question);
  }

  return {
    clientFor: (purpose: Purpose) => ({
      board: (question: TransportQuestion) => board(purpose, question),
      train: (question: TransportTrainQuestion) => train(purpose, question),
    }),
    /** The source that would be asked now; `undefined` where none can answer. */
    answering: (question: TransportQuestion): SourceName | undefined => candidates(question)[0]?.name,
    /** Why a source last failed; `undefined` where it has not since the start. */
    failureOf: (name: SourceName): SourceFailure | undefined => failures.get(name),
  };
}

/** Of a source: all questions of one kind, which one key opens, and this question. */
function restKeys(name: SourceName, { kind, crs, via = "" }: TransportQuestion): readonly [string, string] {
  return [`${name} ${kind}`, `${name} ${kind} ${crs} ${via}`];
}
