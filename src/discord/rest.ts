// The discord.js REST clients of this bot: how long they wait, how their requests leave, what they log.
import {
  APIVersion,
  DefaultRestOptions,
  DefaultUserAgent,
  DiscordAPIError,
  HTTPError,
  REST,
  type RESTOptions,
  type RateLimitData,
} from "discord.js";
import { systemClock } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import { type PostAnswer, createPoster } from "../core/http-post.ts";
import { loadHttp } from "../core/late-libraries.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { MAX_WAIT_MS } from "./rate-limiter.ts";

/** discord.js's 15 s include the upload; 10 MB at 2 Mbit/s take 40 s. */
const REST_TIMEOUT_MS = 90_000;
/** How long Discord gets for one answer of a few hundred bytes at the login. */
const LOGIN_TIMEOUT_MS = 20_000;
/** Discord bans after 10,000 refused requests in 10 minutes: say so long before. */
const INVALID_REQUEST_WARNING_INTERVAL = 100;
/** discord.js keeps a queue for each interaction whose answer was edited: by itself for an hour, however many come. */
const FORGET_QUEUES_EVERY_MS = 300_000;

/** A REST client that sends each request once, for what must not be doubled. It waits for rate limits as the other. */
export function createRestOnce(config: DiscordConfig, meter: Meter): REST {
  return new REST({ ...restOptions(config, meter), retries: 0 });
}

export type DirectPost = ReturnType<typeof createDirectPost>;

/**
 * Posts without the bot's token and without discord.js's queues, which took half of a request's time. Only for first answers to
 * interactions, which Discord does not limit; everything with a limit goes through a REST.
 */
export function createDirectPost(
  { apiBaseUrl }: DiscordConfig,
  meter: Meter,
  /** Called with the status of each answer. */
  noteStatus: (status: number) => void,
) {
  const base = new URL(`${apiOf(apiBaseUrl)}/v${APIVersion}`);
  const poster = createPoster(base.origin, { "user-agent": DefaultUserAgent });
  return {
    /** Throws as discord.js's REST does; a 429 is an HTTPError. */
    async post(route: `/${string}`, body: object): Promise<void> {
      let status: number | undefined;
      try {
        const answer = await poster.post(`${base.pathname}${route}`, body);
        status = answer.status;
        noteStatus(status);
        if (status >= 300) {
          throw createRestError(`${base.href}${route}`, { body, files: undefined }, answer);
        }
      } finally {
        meter.count("discord_requests_total", { status: status ?? "none" });
      }
    },
    open: poster.open,
    close: poster.close,
  };
}

function createRestError(
  url: string,
  sent: ConstructorParameters<typeof HTTPError>[4],
  { status, body }: PostAnswer,
): Error {
  return status < 500 &&
    status !== 429 &&
    "code" in body &&
    typeof body.code === "number" &&
    "message" in body
    ? new DiscordAPIError(
        { code: body.code, message: String(body.message) },
        body.code,
        status,
        "POST",
        url,
        sent,
      )
    : new HTTPError(status, loadHttp().STATUS_CODES[status] ?? "", "POST", url, sent);
}

function apiOf(apiBaseUrl: URL): string {
  return apiBaseUrl.href.replace(/\/$/, "");
}

/**
 * Loads Node's own undici before discord.js's, which then sends through its connections. discord.js's copy is a part of the
 * bundle: for the error with which it closes an idle connection, Node would read the bundle's source map, 26 MB for good.
 */
function loadNodesUndici(): void {
  void globalThis.FormData;
}

/** A REST client that fails at once, so that the login can say what it waits for. */
export function createLoginRest(config: DiscordConfig, meter: Meter): REST {
  return new REST({
    ...restOptions(config, meter),
    retries: 0,
    timeout: LOGIN_TIMEOUT_MS,
    rejectOnRateLimit: () => true,
  });
}

export function restOptions({ apiBaseUrl }: DiscordConfig, meter: Meter) {
  loadNodesUndici();
  return {
    api: apiOf(apiBaseUrl),
    timeout: REST_TIMEOUT_MS,
    handlerSweepInterval: FORGET_QUEUES_EVERY_MS,
    invalidRequestWarningInterval: INVALID_REQUEST_WARNING_INTERVAL,
    makeRequest: countRequests(meter),
  };
}

/** Logs and counts what Discord holds against a REST's requests. */
export function logRest(rest: REST, log: Log, meter: Meter): void {
  rest.on("invalidRequestWarning", (warning) => {
    log.warn({ ...warning }, "Discord has refused many requests; at 10,000 it locks the bot out");
  });
  rest.on("rateLimited", ({ route, scope, global, timeToReset }) => {
    log.info({ route, scope, global, waitMs: timeToReset }, "request waits for a rate limit");
    meter.count("discord_limit_waits_total", { scope });
    meter.count("discord_limit_wait_seconds_total", { scope }, timeToReset / 1000);
  });
}

type MakeRequest = RESTOptions["makeRequest"];

/** Counts them by the answer's status; `none` where there was no answer. */
function countRequests(meter: Meter): MakeRequest {
  return async (url, init) => {
    let status = "none";
    try {
      const answer = await DefaultRestOptions.makeRequest(url, init);
      status = String(answer.status);
      return answer;
    } finally {
      meter.count("discord_requests_total", { status });
    }
  };
}

// discord.js waits for every rate limit, also for one of hours: with requests that nobody needs any more, and at the start,
// which registers the commands. And it notes by the time of day when a limit ends: once the clock was set back by an hour,
// every limit that it knows seems to last for that hour, the one of 50 requests a second too.

/** discord.js waits for most limits longer than this: they are forgotten before it looks at the clock again. */
const CLOCK_CHECK_INTERVAL_MS = 1_000;
/** A clock that is kept right in small steps is not set. */
const SET_BACK_MS = 1_000;

const aheadOfElapsedMs = (): number => systemClock.now() - systemClock.elapsed();

/** After a 429 that does not say for how long, discord.js would ask again at once, and again. */
const isWorthWaiting = ({ retryAfter }: RateLimitData): boolean =>
  retryAfter > 0 && retryAfter <= MAX_WAIT_MS;

/**
 * Makes requests of a REST fail that would wait for longer than a minute, with a RateLimitError. Forgets its limits when the
 * machine's clock was set back; Discord says again what still holds. Returns what ends the watching of the clock.
 */
export function limitWaits(rest: REST): () => void {
  let lastMs = aheadOfElapsedMs();

  function checkClock(): boolean {
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

  const timer = setInterval(checkClock, CLOCK_CHECK_INTERVAL_MS).unref();
  // One that would wait by a clock that was set back a moment ago fails too: it is sent again.
  rest.options.rejectOnRateLimit = (limit) => checkClock() || !isWorthWaiting(limit);
  return () => clearInterval(timer);
}
