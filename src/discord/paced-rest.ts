// The REST for messages that belong to no interaction: with a queue and a count of its own, so that boards never hold
// up an answer (discord.js counts follow-ups too, which Discord does not), and paced where it matters: at the moment
// when a request goes out, after discord.js has waited for the channel's bucket.
import { AsyncLocalStorage } from "node:async_hooks";
import { REST, type RESTOptions, type ResponseLike } from "discord.js";
import { type Clock, systemClock } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import { logRest, restOptions } from "./client.ts";
import { LONGEST_WAIT_MS, PaceError, type PaceTime, type Urgency, createPace, machineTime } from "./pace.ts";
import { sendWhole } from "./reply.ts";
import type { TokenWatch } from "./gateway-watch.ts";

type Init = Parameters<RESTOptions["makeRequest"]>[1];

/** One thing to ask of Discord, through all its tries. */
export interface Errand {
  readonly urgency: Urgency;
  /** Of its files. */
  readonly sizeBytes: number;
  /** Until when it may be tried, in elapsed time; `undefined` for as long as one likes. */
  readonly latestMs?: number | undefined;
  /** For how long after its first try it may be tried again, whatever `latestMs` says; `undefined`: until then. */
  readonly repeatableForMs?: number | undefined;
  /** When Discord may first have done it, in elapsed time. */
  heardMs: number | undefined;
}

export interface PacedRest {
  /** Tries once: 5xx are not repeated, short 429s are waited out. Throws as discord.js does, or a PaceError. */
  ask<T>(errand: Errand, request: (rest: REST) => Promise<T>): Promise<T>;
  /** Whether there is no point in asking, since Discord does not take the token. */
  readonly isTokenRefused: () => boolean;
  /** Aborts when the bot leaves. */
  readonly leaving: AbortSignal;
  /** Turns away what still waits. */
  stop(): void;
}

export interface PacedRestOptions {
  readonly config: DiscordConfig;
  readonly clock: Clock;
  /** In which the pace is counted; see `pace-time.ts`. */
  readonly time: PaceTime;
  readonly log: Log;
  readonly tokenWatch: Pick<TokenWatch, "guard" | "isRefused">;
  /** How long an answer may take, the upload not counted. Default 20 s. */
  readonly answerTimeoutMs?: number | undefined;
}

const ANSWER_TIMEOUT_MS = 20_000;
/** A slow line: 0.8 Mbit/s. */
const UPLOAD_BYTES_PER_MS = 100;
/** Without `Retry-After`, which Discord always sends. */
const UNSAID_WAIT_MS = 1_000;
/** discord.js counts its time-out from before the wait for a turn: the longest that a timer takes, as ours counts after. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** What an error carries when no connection came about. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function createPacedRest(options: PacedRestOptions): PacedRest {
  const { config, clock, time, log, tokenWatch, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options;
  const errands = new AsyncLocalStorage<Errand>();
  const leaving = new AbortController();
  const pace = createPace(time);

  async function makeRequest(url: string, init: Init): Promise<ResponseLike> {
    const errand = errands.getStore();
    if (!errand) {
      throw new Error("a request without an errand");
    }
    const answer = await pace.run(errand.urgency, async () => {
      refuseLate(errand);
      const startedMs = clock.elapsed();
      try {
        const given = await deliver(url, init, answerTimeoutMs + errand.sizeBytes / UPLOAD_BYTES_PER_MS);
        // What is refused leaves no doubt.
        errand.heardMs ??= given.status >= 400 && given.status < 500 ? undefined : startedMs;
        return given;
      } catch (error) {
        errand.heardMs ??= isNotConnected(error) ? undefined : startedMs;
        throw error;
      }
    });
    if (answer.status === 429 && isForAll(answer)) {
      const waitMs = Number(answer.headers.get("retry-after")) * 1000 || UNSAID_WAIT_MS;
      log.warn({ waitMs }, "Discord asks the whole bot to wait");
      pace.holdFor(waitMs);
    }
    return answer;
  }

  function refuseLate({ heardMs, latestMs = Infinity, repeatableForMs }: Errand): void {
    const isRepeat = heardMs !== undefined && repeatableForMs !== undefined;
    if (clock.elapsed() > (isRepeat ? heardMs + repeatableForMs : latestMs)) {
      throw new PaceError("it is too late to send it");
    }
  }

  const rest = new REST({
    ...restOptions(config),
    retries: 0,
    // One pace is enough, and theirs lets bursts through.
    globalRequestsPerSecond: Infinity,
    timeout: NO_TIMEOUT_MS,
    // One that does not say how long would be asked again at once.
    rejectOnRateLimit: ({ retryAfter }) => !(retryAfter > 0 && retryAfter <= LONGEST_WAIT_MS),
    makeRequest,
  }).setToken(config.token);
  tokenWatch.guard(rest);
  logRest(rest, log);
  const stopWatching = forgetLimitsAfterSetBack(rest);

  return {
    isTokenRefused: tokenWatch.isRefused,
    ask: (errand, request) => errands.run(errand, () => request(rest)),
    leaving: leaving.signal,
    stop() {
      leaving.abort(new PaceError("the bot is leaving"));
      pace.stop();
      stopWatching();
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

/** The machine's time counts: a clock that is turned by hand makes no line slower. */
async function deliver(url: string, init: Init, timeoutMs: number): Promise<ResponseLike> {
  const patience = new AbortController();
  const cancel = machineTime.after(timeoutMs, () => {
    patience.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`));
  });
  try {
    return await sendWhole(url, { ...init, signal: patience.signal });
  } finally {
    cancel();
  }
}

/** A global 429, or one from Discord's front, which shuts out the whole address and says less. */
function isForAll({ headers }: ResponseLike): boolean {
  return headers.has("x-ratelimit-global") || !headers.has("x-ratelimit-scope");
}

function isNotConnected(error: unknown): boolean {
  return error instanceof Error && "code" in error && NOT_CONNECTED.has(error.code);
}

// discord.js notes by the time of day when a rate limit ends. Once the clock was set back by an hour, every limit that it
// knows seems to last for that hour, the one of 50 requests a second too, and it waits.

/** discord.js waits for most limits longer than this: they are forgotten before it looks at the clock again. */
const LOOK_EVERY_MS = 1_000;
/** A clock that is kept right in small steps is not set. */
const SET_BACK_MS = 1_000;

const aheadOfElapsedMs = (): number => systemClock.now() - systemClock.elapsed();

/** Forgets the limits of a REST when the machine's clock was set back; Discord says again what still holds. Returns what ends it. */
export function forgetLimitsAfterSetBack(rest: REST): () => void {
  let lastMs = aheadOfElapsedMs();

  function look(): boolean {
    const nowMs = aheadOfElapsedMs();
    const isSetBack = nowMs < lastMs - SET_BACK_MS;
    lastMs = nowMs;
    if (isSetBack) {
      rest.globalReset = -1;
      rest.globalDelay = null;
      for (const handler of rest.handlers.values()) {
        // Private in the types; only handlers that wait for limits have it.
        Object.assign(handler, { reset: -1 });
      }
    }
    return isSetBack;
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  // A request that would wait, by a clock that was set back a moment ago, fails instead: it is sent again.
  rest.options.rejectOnRateLimit ??= look;
  return () => clearInterval(timer);
}
