// Sends each question to the first source that can answer it, or to the next one while the first fails.
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind, isShareSpent } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Purpose } from "../plan/spending-table.ts";
import type { TransportClient } from "./transport-api/transport-client.ts";
import { sourceOfTrain } from "./transport-data.ts";
import type {
  SourceName,
  TransportBoard,
  TransportQuestion,
  TransportTrain,
  TransportTrainQuestion,
} from "./transport-data.ts";

/** For people or for boards; some sources have no trains. Errors are ServiceErrors with the source's name as `service`. */
type SourceClient = Pick<TransportClient, "board" | "canAnswer"> & Partial<Pick<TransportClient, "train">>;

/** The `service` of errors that concern all sources together. */
export const SOURCES = "sources";

export interface Source {
  readonly name: SourceName;
  /** The operator's wording of its credit, as Markdown; `undefined` for the default in `source-words.ts`. */
  readonly credit?: string | undefined;
  readonly clients: Readonly<Record<Purpose, SourceClient>>;
}

export interface SourceFailure {
  readonly source: SourceName;
  readonly kind: ServiceErrorKind;
  /** The product that was asked; each may have its own key. */
  readonly product: TransportQuestion["kind"] | "service" | "disruptions";
  readonly atMs: number;
}

/**
 * After a failure, questions of the same kind go to the next source for this long. Otherwise, a board would alternate between
 * two sources, which differ by a minute here and a platform there. Each process keeps its own cooldowns.
 */
const COOLDOWN_MS = 3 * 60_000;
/** If a source refuses a key or does not know a station, that will probably not change soon. */
export const LONG_COOLDOWN_MS = 60 * 60_000;
const MAX_COOLDOWNS = 1_000;

/** Failures that last until somebody changes a key or pays. */
export const PERMANENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "unauthorised",
  "not-permitted",
  "out-of-credit",
]);

/**
 * Which questions a source does not get after a failure, and for how long: all about the product, only this one, or all with
 * the same purpose, because a plan that is used up for boards may have calls for people.
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

/** Creates a router. `sources` are in the order in which they are asked. */
export function createRouter(deps: {
  readonly sources: readonly Source[];
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
}) {
  const { sources, clock, log } = deps;
  /** When each cooldown ends, in elapsed time, by the keys of {@link cooldownKeys}. */
  const cooldowns = new LRUCache<string, number>({ max: MAX_COOLDOWNS });
  const failures = new Map<SourceName, SourceFailure>();
  /** Lasting failures by source and product, until the source answers again. */
  const refusals = new Map<string, SourceFailure>();

  function isCoolingDown(name: SourceName, question: TransportQuestion, purpose: Purpose): boolean {
    const keys = Object.values(cooldownKeys(name, question, purpose));
    return keys.some((key) => (cooldowns.get(key) ?? -Infinity) > clock.elapsed());
  }

  /** In the order in which to ask them. If all are in a cooldown, the last one is asked anyway. */
  function candidates(question: TransportQuestion, purpose: Purpose): readonly Source[] {
    const able = sources.filter(({ clients }) => clients[purpose].canAnswer(question));
    const available = able.filter(({ name }) => !isCoolingDown(name, question, purpose));
    return available.length > 0 ? available : able.slice(-1);
  }

  /** Asks one source, adds its credit, and records failures. Throws as `ask` does. */
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
    // If the plan has a call again soon, the same source is asked then.
    const isSoonFree = of === "purpose" && retryAfterMs !== undefined && retryAfterMs <= COOLDOWN_MS;
    const cooldownMs = isSoonFree ? 0 : Math.max(leastMs, Math.min(retryAfterMs ?? 0, LONG_COOLDOWN_MS));
    cooldowns.set(cooldownKeys(source, question, purpose)[of], clock.elapsed() + cooldownMs);
  }

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

  /** The error if no source can answer: `not-found` if only the time is too far ahead, otherwise `not-permitted`. */
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
     * answer immediately. Boards do not, because the next source's plan may be small: they wait for their turn in it.
     */
    clientFor: (purpose: Purpose) => ({
      board: (question: TransportQuestion) => board(purpose, question),
      train: (question: TransportTrainQuestion) => train(purpose, question),
    }),
    askOnly,
    /** The source that would answer a board's question now; `undefined` if none can. */
    answering: (question: TransportQuestion): SourceName | undefined =>
      candidates(question, "board")[0]?.name,
    /** A source's last failure since the start; `undefined` if there was none. */
    lastFailure: (name: SourceName): SourceFailure | undefined => failures.get(name),
    /** The lasting failures, e.g. because of a wrong key. */
    refusals: (): readonly SourceFailure[] => [...refusals.values()],
  };
}

/** Whether the source itself failed, so that another one may be able to answer. A used-up share is not such a failure. */
function isFailureOf(source: SourceName, error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.service === source && !isShareSpent(error);
}

function productKey(name: SourceName, product: SourceFailure["product"]): string {
  return `${name} ${product}`;
}

function cooldownKeys(name: SourceName, { kind, crs, via = "" }: TransportQuestion, purpose: Purpose) {
  const product = productKey(name, kind);
  return { product, question: `${product} ${crs} ${via}`, purpose: `${product} spent by ${purpose}` };
}
