import {
  APIVersion,
  DefaultRestOptions,
  DefaultUserAgent,
  DiscordAPIError,
  HTTPError,
  REST,
  type RESTOptions,
} from "discord.js";
import { systemClock } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import { type PostAnswer, createPoster } from "../core/http-post.ts";
import { loadHttp } from "../core/late-libraries.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { MAX_WAIT_MS } from "./rate-limiter.ts";

/** discord.js's default of 15 s includes the upload, and 10 MB take 40 s at 2 Mbit/s. */
const REST_TIMEOUT_MS = 90_000;
/** The time limit for a response of a few hundred bytes at the login. */
const LOGIN_TIMEOUT_MS = 20_000;
/** discord.js warns after this many refused requests. Discord bans the bot after 10,000 in 10 minutes. */
const INVALID_REQUEST_WARNING_INTERVAL = 100;
/** discord.js keeps a queue for each interaction whose answer was edited, by default for an hour, however many there are. */
const FORGET_QUEUES_EVERY_MS = 300_000;

/** Sends each request once, for requests that must not be repeated. It waits for rate limits like the others. */
export function createRestOnce(config: DiscordConfig, meter: Meter): REST {
  return new REST({ ...restOptions(config, meter), retries: 0 });
}

export type DirectPost = ReturnType<typeof createDirectPost>;

/**
 * Posts without the bot's token and without discord.js's queues, which took half of a request's time. It is only for
 * first answers to interactions, which Discord does not limit; every request with a limit goes through a REST client.
 */
export function createDirectPost(
  { apiBaseUrl }: DiscordConfig,
  meter: Meter,
  noteStatus: (status: number) => void,
) {
  const base = new URL(`${formatApiUrl(apiBaseUrl)}/v${APIVersion}`);
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

function formatApiUrl(apiBaseUrl: URL): string {
  return apiBaseUrl.href.replace(/\/$/, "");
}

/** A REST client that fails immediately instead of waiting, so that the login can say what it waits for. */
export function createLoginRest(config: DiscordConfig, meter: Meter): REST {
  return new REST({
    ...restOptions(config, meter),
    retries: 0,
    timeout: LOGIN_TIMEOUT_MS,
    rejectOnRateLimit: () => true,
  });
}

export function restOptions({ apiBaseUrl }: DiscordConfig, meter: Meter) {
  // Loads Node's own undici before discord.js's copy of it, which then sends through Node's connections. Otherwise the
  // copy, which is in the bundle, would close idle connections with an error of its own. For that error, Node would read
  // the bundle's source map and never free its 26 MB.
  void globalThis.FormData;
  return {
    api: formatApiUrl(apiBaseUrl),
    timeout: REST_TIMEOUT_MS,
    handlerSweepInterval: FORGET_QUEUES_EVERY_MS,
    invalidRequestWarningInterval: INVALID_REQUEST_WARNING_INTERVAL,
    makeRequest: countRequests(meter),
  };
}

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

// discord.js waits for every rate limit, even for hours. Requests that nobody needs any more would be sent, and the
// start, which registers the commands, would be delayed. discord.js also stores the end of a limit as a time of day. If
// the clock is set back by an hour, every known limit, even that of 50 requests a second, seems to last for that hour.

/** discord.js waits longer than this for most limits, so they are forgotten before it checks the clock again. */
const CLOCK_CHECK_INTERVAL_MS = 1_000;
/** Smaller steps only keep the clock right. */
const SET_BACK_MS = 1_000;

const aheadOfElapsedMs = (): number => systemClock.now() - systemClock.elapsed();

/**
 * Requests that would wait for longer than a minute fail with a RateLimitError. When the machine's clock is set back,
 * the limits are forgotten; Discord repeats those that still apply. Returns a function that stops the client's timers.
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
        // `reset` is private in the types; only handlers that wait for limits have it.
        Object.assign(handler, { reset: -1 });
      }
    }
    return isSetBack;
  }

  const timer = setInterval(checkClock, CLOCK_CHECK_INTERVAL_MS).unref();
  // If the clock has just been set back, the request fails too, and its caller sends it again. After a 429 without a
  // time, discord.js would ask again immediately, repeatedly.
  rest.options.rejectOnRateLimit = ({ retryAfter }) =>
    checkClock() || !(retryAfter > 0 && retryAfter <= MAX_WAIT_MS);
  return () => {
    clearInterval(timer);
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
  };
}
