// The REST client for messages that answer no interaction. It has a queue and a count of its own, so that boards never
// delay an answer (discord.js counts follow-ups too, which Discord does not). Its limit applies when a request is
// really sent, after discord.js has waited for the channel's bucket.
import { AsyncLocalStorage } from "node:async_hooks";
import { REST, type RESTOptions, type ResponseLike } from "discord.js";
import type { Clock } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import {
  NotSentError,
  type LimiterTime,
  type Urgency,
  createRateLimiter,
  machineTime,
} from "./rate-limiter.ts";
import { createFleetRate } from "./fleet-rate.ts";
import type { RequestRate } from "../storage/facts-table.ts";
import { limitWaits, logRest, restOptions } from "./rest.ts";
import type { TokenWatch } from "./token-watch.ts";

type Init = Parameters<RESTOptions["makeRequest"]>[1];

export interface TrackedRequest {
  readonly urgency: Urgency;
  /** The size of its files. */
  readonly sizeBytes: number;
  /** Until when it may be sent, in elapsed milliseconds; `undefined` if there is no limit. */
  readonly deadlineMs?: number | undefined;
  /** Called when its turn has come: whether it should still be sent. */
  readonly isWanted?: (() => boolean) | undefined;
  /** Whether Discord may have executed it. */
  mayHaveArrived: boolean;
}

export type RateLimitedRest = ReturnType<typeof createRateLimitedRest>;

const ANSWER_TIMEOUT_MS = 20_000;
/** The upload speed of a slow connection: 0.8 Mbit/s. */
const UPLOAD_BYTES_PER_MS = 100;
/** The wait after a 429 without `Retry-After`, which Discord always sends. */
const DEFAULT_PAUSE_MS = 1_000;
/** The longest time that a timer accepts. discord.js's timeout would include the wait for a turn; ours does not. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** Statuses that count towards Discord's block of an IP address. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);
/** Error codes that mean that no connection was made, so nothing was sent. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function createRateLimitedRest(deps: {
  readonly config: DiscordConfig;
  readonly clock: Clock;
  readonly time: LimiterTime;
  readonly log: Log;
  readonly meter: Meter;
  readonly tokenWatch: Pick<TokenWatch, "guard" | "isRefused">;
  /** The state through which the processes in a fleet share the limit; `undefined` if there is only this process. */
  readonly requestRate?: RequestRate | undefined;
  /** How long a response may take, not counting the upload. Default 20 s. */
  readonly answerTimeoutMs?: number | undefined;
}) {
  const { config, clock, time, log, meter, tokenWatch, requestRate } = deps;
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS } = deps;
  const tracking = new AsyncLocalStorage<TrackedRequest>();
  const leaving = new AbortController();
  const limiter = createRateLimiter(time);
  const fleet = createFleetRate({ limiter, rate: requestRate, time, log });
  const options = restOptions(config, meter);
  meter.gauges(() => limiter.readings());

  async function makeRequest(url: string, init: Init): Promise<ResponseLike> {
    const tracked = tracking.getStore();
    if (!tracked) {
      throw new Error("a request that is not tracked");
    }
    const { urgency, sizeBytes } = tracked;
    const timeoutMs = answerTimeoutMs + sizeBytes / UPLOAD_BYTES_PER_MS;
    const send = async (): Promise<ResponseLike> => {
      const timeout = new AbortController();
      // By the machine's time: a clock that is set by hand makes no connection slower.
      const cancel = machineTime.after(timeoutMs, () => {
        timeout.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`));
      });
      try {
        const given = await options.makeRequest(url, { ...init, signal: timeout.signal });
        // Discord has not executed a refused request.
        tracked.mayHaveArrived ||= given.status < 400 || given.status >= 500;
        return given;
      } catch (error) {
        tracked.mayHaveArrived ||= !isNotConnected(error);
        throw error;
      } finally {
        cancel();
      }
    };
    return takeTurn(urgency, send, () => refuseLate(tracked));
  }

  /** Sends a request when its turn has come, and obeys what the response says about limits. */
  async function takeTurn(...turn: Parameters<typeof limiter.run<ResponseLike>>): Promise<ResponseLike> {
    fleet.noteRequest();
    const answer = await limiter.run(...turn);
    noteRefusal(answer);
    if (answer.status === 429 && isForAll(answer)) {
      const waitMs = Number(answer.headers.get("retry-after")) * 1000 || DEFAULT_PAUSE_MS;
      log.warn({ waitMs }, "Discord asks the whole bot to wait");
      meter.count("discord_limit_waits_total", { scope: "global" });
      meter.count("discord_limit_wait_seconds_total", { scope: "global" }, waitMs / 1000);
      limiter.pauseFor(waitMs);
    }
    return answer;
  }

  function noteStatus(status: number): void {
    if (REFUSALS.has(status)) {
      fleet.noteRefusal();
    }
  }

  function noteRefusal({ status, headers }: ResponseLike): void {
    if (headers.get("x-ratelimit-scope") !== "shared") {
      noteStatus(status);
    }
  }

  function refuseLate({ deadlineMs = Infinity, isWanted }: TrackedRequest): NotSentError | undefined {
    const isLate = clock.elapsed() > deadlineMs || isWanted?.() === false;
    return isLate ? new NotSentError("it is too late to send it") : undefined;
  }

  const rest = new REST({
    ...options,
    retries: 0,
    // Our own limiter is enough, and discord.js's allows bursts.
    globalRequestsPerSecond: Infinity,
    timeout: NO_TIMEOUT_MS,
    makeRequest,
  }).setToken(config.token);
  tokenWatch.guard(rest);
  logRest(rest, log, meter);
  /** Each function stops the timers of one REST client. */
  const stops = [limitWaits(rest)];

  return {
    /** Whether requests are pointless, because Discord does not accept the token. */
    isTokenRefused: tokenWatch.isRefused,
    /** Sends once: no 5xx is retried, and a short 429 is waited out. Throws as discord.js does, or a NotSentError. */
    ask: <T>(tracked: TrackedRequest, request: (rest: REST) => Promise<T>): Promise<T> =>
      tracking.run(tracked, () => request(rest)),
    /**
     * Includes another REST client in the limit: its requests with the bot's token wait for their turn. Answers to
     * interactions do not wait, because Discord does not count them. The client's own waits are limited too.
     */
    include(other: REST): void {
      stops.push(limitWaits(other));
      const send = other.options.makeRequest.bind(other.options);
      other.options.makeRequest = async (url, init) => {
        if (Object.hasOwn(init.headers ?? {}, "Authorization")) {
          return takeTurn("prompt", () => send(url, init));
        }
        const answer = await send(url, init);
        noteRefusal(answer);
        return answer;
      };
    },
    /** Counts the status of a response to another client, as `include` does. */
    noteStatus,
    leaving: leaving.signal,
    async stop(): Promise<void> {
      leaving.abort(new NotSentError("the bot is leaving"));
      limiter.stop();
      stops.forEach((stop) => stop());
      await fleet.close();
    },
  };
}

/** Global, or from Discord's front end, which blocks the whole address and names no scope. */
function isForAll({ headers }: ResponseLike): boolean {
  return headers.has("x-ratelimit-global") || !headers.has("x-ratelimit-scope");
}

function isNotConnected(error: unknown): boolean {
  return error instanceof Error && "code" in error && NOT_CONNECTED.has(error.code);
}
