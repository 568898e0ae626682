// Sends each question to the first source that can answer it, and to the next while that one fails.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, isShareSpent } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Purpose } from "../plan/spending-table.ts";
import { sourceOfTrain } from "./transport-data.ts";
import type {
  SourceName,
  TransportBoard,
  TransportQuestion,
  TransportTrain,
  TransportTrainQuestion,
} from "./transport-data.ts";

/** A source's client for people or for boards. Its errors are ServiceErrors with the source's name as `service`. */
interface SourceClient {
  /** Sends nothing. */
  canAnswer(question: TransportQuestion): boolean;
  board(question: TransportQuestion): Promise<TransportBoard>;
  /** Absent if the source has no single trains. */
  readonly train?: (question: TransportTrainQuestion) => Promise<TransportTrain>;
}

/** Stands for all sources together in errors. */
export const SOURCES = "sources";

export interface Source {
  readonly name: SourceName;
  /** How its answers credit it, as Markdown; `undefined` for the usual words. */
  readonly credit?: string | undefined;
  readonly clients: Readonly<Record<Purpose, SourceClient>>;
}

/** Why a source could not answer. */
export interface SourceFailure {
  readonly source: SourceName;
  readonly kind: ServiceErrorKind;
  /** What was asked of it, because each product may have its own key. */
  readonly product: TransportQuestion["kind"] | "service" | "disruptions";
  readonly atMs: number;
}

/**
 * For this long after a failure, questions of the same kind go to the next source. So a board does not alternate between two
 * sources, which differ by a minute here and a platform there. Each process notices failures by itself.
 */
const COOLDOWN_MS = 3 * 60_000;
/** A source that refuses a key, or does not know a station, is not likely to change that soon. */
export const LONG_COOLDOWN_MS = 60 * 60_000;
/** How many rests are remembered; the least recently used go first. */
const MAX_COOLDOWNS = 1_000;

/** Failures that last until somebody changes a key or pays. */
export const PERMANENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "unauthorised",
  "not-permitted",
  "out-of-credit",
]);

/**
 * What a source is not asked for after a failure, and for how long: any question about the product, this question, or any
 * of this purpose, because boards and people each keep a part of the plan for the other.
 */
const COOLDOWNS: Partial<
  Record<ServiceErrorKind, readonly [of: keyof ReturnType<typeof cooldownKeys>, ms: number]>
> = {
  "rate-limited": ["product", COOLDOWN_MS],
  timeout: ["product", COOLDOWN_MS],
  unavailable: ["product", COOLDOWN_MS],
  unauthorised: ["product", LONG_COOLDOWN_MS],
  "not-permitted": ["product", LONG_COOLDOWN_MS],
  "out-of-credit": ["product", LONG_COOLDOWN_MS],
  "not-found": ["question", LONG_COOLDOWN_MS],
  rejected: ["question", LONG_COOLDOWN_MS],
  "too-large": ["question", COOLDOWN_MS],
  "unexpected-answer": ["question", COOLDOWN_MS],
  "budget-spent": ["purpose", COOLDOWN_MS],
};

/** `sources`: in the order in which they are asked. */
export function createRouter({
  sources,
  clock,
  log,
}: {
  readonly sources: readonly Source[];
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
}) {
  /** The elapsed time until which a source is not asked, by source and question. */
  const cooldowns = new LRUCache<string, number>({ max: MAX_COOLDOWNS });
  const failures = new Map<SourceName, SourceFailure>();
  /** By source and product, until the source answers again. */
  const refusals = new Map<string, SourceFailure>();

  function isCoolingDown(name: SourceName, question: TransportQuestion, purpose: Purpose): boolean {
    const keys = Object.values(cooldownKeys(name, question, purpose));
    return keys.some((key) => (cooldowns.get(key) ?? -Infinity) > clock.elapsed());
  }

  /** The sources for a question, in the order in which to ask them. If all of them rest, the last is asked anyway. */
  function candidates(question: TransportQuestion, purpose: Purpose): readonly Source[] {
    const able = sources.filter(({ clients }) => clients[purpose].canAnswer(question));
    const available = able.filter(({ name }) => !isCoolingDown(name, question, purpose));
    return available.length > 0 ? available : able.slice(-1);
  }

  /** Asks one source, credits it, and notes how that ended. Throws as `ask` does. */
  async function askOnly<T extends { readonly credit?: string | undefined }>(
    { name, credit }: Pick<Source, "name" | "credit">,
    product: SourceFailure["product"],
    ask: () => Promise<T>,
  ): Promise<T> {
    try {
      const answer = await ask();
      refusals.delete(productKey(name, product));
      return credit === undefined ? answer : { ...answer, credit };
    } catch (error) {
      if (isFailureOf(name, error)) {
        const failure = { source: name, kind: error.kind, product, atMs: clock.now() };
        if (PERMANENT_KINDS.has(error.kind)) {
          refusals.set(productKey(name, product), failure);
        }
        if (error.kind !== "not-found" && error.kind !== "rejected") {
          failures.set(name, failure);
        }
      }
      throw error;
    }
  }

  function startCooldown(
    source: SourceName,
    purpose: Purpose,
    question: TransportQuestion,
    { kind, retryAfterMs }: ServiceError,
  ): void {
    const found = COOLDOWNS[kind];
    if (found === undefined) {
      return;
    }
    const [of, leastMs] = found;
    // If a call is free soon, the same source is asked again then.
    const isSoonFree = of === "purpose" && retryAfterMs !== undefined && retryAfterMs <= COOLDOWN_MS;
    const cooldownMs = isSoonFree ? 0 : Math.max(leastMs, Math.min(retryAfterMs ?? 0, LONG_COOLDOWN_MS));
    cooldowns.set(cooldownKeys(source, question, purpose)[of], clock.elapsed() + cooldownMs);
  }

  /** Asks one source; after a failure the source rests. */
  async function askOne(source: Source, purpose: Purpose, question: TransportQuestion) {
    try {
      return await askOnly(source, question.kind, () => source.clients[purpose].board(question));
    } catch (error) {
      if (isFailureOf(source.name, error)) {
        startCooldown(source.name, purpose, question, error);
      }
      throw error;
    }
  }

  /** `not-found` if the time is too far ahead; `not-permitted` if no source would answer about the present either. */
  function unanswerable(question: TransportQuestion): ServiceError {
    const near = { ...question, from: undefined, windowMinutes: 60 };
    const isFar = sources.some(({ clients }) => clients.person.canAnswer(near));
    return new ServiceError(SOURCES, isFar ? "not-found" : "not-permitted", "no source can answer this");
  }

  async function board(purpose: Purpose, question: TransportQuestion): Promise<TransportBoard> {
    const asked = candidates(question, purpose);
    const [first, next] = asked;
    if (first === undefined) {
      throw unanswerable(question);
    }
    try {
      return await askOne(first, purpose, question);
    } catch (error) {
      const isFirstStill = candidates(question, purpose)[0] === first;
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
    const source = sources.find(({ name }) => name === sourceOfTrain(question.trainUid));
    const ask = source?.clients[purpose].train;
    if (source === undefined || ask === undefined) {
      throw new ServiceError(SOURCES, "not-found", "no source knows such a train");
    }
    return askOnly(source, "service", () => ask(question));
  }

  return {
    /**
     * Returns a client that asks the sources and throws as they do. If the first source fails, people get the next one's
     * answer at once. Boards do not: they ask again when the next source's plan, which may be small, has a turn for them.
     */
    clientFor: (purpose: Purpose) => ({
      board: (question: TransportQuestion) => board(purpose, question),
      train: (question: TransportTrainQuestion) => train(purpose, question),
    }),
    askOnly,
    /** The source that a board would ask now; `undefined` if none can answer. */
    answering: (question: TransportQuestion): SourceName | undefined =>
      candidates(question, "board")[0]?.name,
    /** The last failure of a source since the start; `undefined` for none. */
    lastFailure: (name: SourceName): SourceFailure | undefined => failures.get(name),
    /** The sources that refuse the bot itself, e.g. because of a wrong key. */
    refusals: (): readonly SourceFailure[] => [...refusals.values()],
  };
}

/** Whether it is an error of the source itself, with which another one may help. */
function isFailureOf(source: SourceName, error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.service === source && !isShareSpent(error);
}

function productKey(name: SourceName, product: SourceFailure["product"]): string {
  return `${name} ${product}`;
}

/** The keys under which rests are kept. */
function cooldownKeys(name: SourceName, { kind, crs, via = "" }: TransportQuestion, purpose: Purpose) {
  const product = productKey(name, kind);
  return { product, question: `${product} ${crs} ${via}`, purpose: `${product} spent by ${purpose}` };
}
