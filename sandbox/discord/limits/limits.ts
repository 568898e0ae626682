// Discord's limits for a bot: the global rate, the buckets of routes, and invalid requests. They are applied before the
// API, when a request arrives and its body has not been read.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Next } from "hono";
import type { FaultAnswer, ServerEnv } from "../../faults/faults.ts";
import { readToEnd, toResponse } from "../../faults/inject.ts";
import type { Platform } from "../platform.ts";
import type { RecordedRequest, Recorder } from "../record.ts";
import { formatBan, formatRateLimit, type RefusedBy } from "./answers.ts";
import { createBuckets, type BucketState } from "./buckets.ts";
import { createSlidingWindow } from "./sliding-window.ts";

const GLOBAL_WINDOW_MS = 1000;
const INVALID_WINDOW_MS = 600_000;

const NOTHING_REFUSED = { user: 0, global: 0, shared: 0, ban: 0 } as const;

export function createLimits(platform: Platform, recorder: Pick<Recorder, "of">) {
  const { settings, state } = platform;
  const now = () => platform.clock.forRates();
  const buckets = createBuckets(() => settings.buckets);
  const arrivals = createSlidingWindow(GLOBAL_WINDOW_MS);
  const allowedOfBot = createSlidingWindow(GLOBAL_WINDOW_MS);
  const allowedOfStrangers = createSlidingWindow(GLOBAL_WINDOW_MS);
  const invalid = createSlidingWindow(INVALID_WINDOW_MS);
  const refused: Record<RefusedBy, number> = { ...NOTHING_REFUSED };
  let bannedUntilMs = -Infinity;

  /** Returns the answer to a refused request. If there is no refusal, sets the bucket's headers on the response. */
  function judge(
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordedRequest,
  ): FaultAnswer | undefined {
    const nowMs = now();
    if (bannedUntilMs > nowMs) {
      record.refusedBy = "ban";
      return formatBan(bannedUntilMs - nowMs);
    }
    const { path } = record;
    // Callbacks are authorised by their own token and have neither limit.
    if (path.startsWith("/interactions/")) {
      return undefined;
    }
    const isBot = request.headers.authorization === `Bot ${state.application.token}`;
    if (!isWebhook(path)) {
      // Without a token, Discord counts by IP address.
      const allowed = isBot ? allowedOfBot : allowedOfStrangers;
      if (isBot) {
        arrivals.add(nowMs);
      }
      const waitMs = allowed.msUntilBelow(settings.globalPerSecond, nowMs);
      if (waitMs > 0) {
        record.refusedBy = "global";
        return formatRateLimit("global", retryAfter(waitMs));
      }
      allowed.add(nowMs);
      if (!isBot) {
        return undefined;
      }
    }
    const bucket = buckets.take(record.method, path, nowMs);
    const headers = headersOf(bucket, platform.clock.now());
    if (bucket.isExhausted) {
      record.refusedBy = "user";
      return formatRateLimit("user", retryAfter(bucket.resetAfterMs), headers);
    }
    for (const [name, value] of Object.entries(headers)) {
      response.setHeader(name, value);
    }
    return undefined;
  }

  return {
    /** All 429s, including those of faults. */
    refused,
    /** The most requests of the bot under the global limit in any sliding second, including refused ones. */
    get busiestSecond() {
      return arrivals.largest;
    },
    /** 401, 403 and 429 of the last ten minutes that count towards a ban. */
    get invalidRequests() {
      invalid.msUntilBelow(Infinity, now());
      return invalid.size;
    },
    get isBanned() {
      return bannedUntilMs > now();
    },
    /** A middleware in front of the API. Requests without a record are not the API's and pass. */
    judge: async ({ env: { incoming, outgoing } }: Context<ServerEnv>, next: Next) => {
      const record = recorder.of(incoming);
      const refusal = record === undefined ? undefined : judge(incoming, outgoing, record);
      if (refusal === undefined) {
        return next();
      }
      await readToEnd(incoming);
      return toResponse(refusal);
    },
    count({ status, refusedBy }: RecordedRequest) {
      if (refusedBy !== undefined) {
        refused[refusedBy] += 1;
      }
      const isInvalid = status === 401 || status === 403 || status === 429;
      if (!isInvalid || refusedBy === "shared" || refusedBy === "ban") {
        return;
      }
      const nowMs = now();
      invalid.add(nowMs);
      if (invalid.size >= settings.invalidRequestLimit) {
        bannedUntilMs = nowMs + settings.banMs;
        invalid.clear();
      }
    },
    /** Clears the counts that tests read; it lifts no limit. */
    forgetCounts() {
      arrivals.forgetLargest(now());
      Object.assign(refused, NOTHING_REFUSED);
    },
    reset() {
      buckets.clear();
      for (const window of [arrivals, allowedOfBot, allowedOfStrangers, invalid]) {
        window.clear();
      }
      Object.assign(refused, NOTHING_REFUSED);
      bannedUntilMs = -Infinity;
    },
  };
}

/** Webhooks, including those of interactions, have buckets but do not count towards the global limit. */
function isWebhook(path: string): boolean {
  return /^\/webhooks\/[^/]+\/[^/]+/.test(path);
}

/** The header is in whole seconds, rounded up, so that a client that follows it has waited long enough. */
function retryAfter(waitMs: number): { readonly header: number; readonly body: number } {
  return { header: Math.max(1, Math.ceil(waitMs / 1000)), body: Math.ceil(waitMs) / 1000 };
}

/** `X-RateLimit-*`; the reset is on the sandbox's clock. */
function headersOf(bucket: BucketState, clockMs: number): Record<string, string> {
  // A sum of fractions may be slightly more than the whole window.
  const resetAfterMs = Math.ceil(Number(bucket.resetAfterMs.toFixed(6)));
  return {
    "x-ratelimit-limit": String(bucket.limit),
    "x-ratelimit-remaining": String(bucket.remaining),
    "x-ratelimit-reset": ((clockMs + resetAfterMs) / 1000).toFixed(3),
    "x-ratelimit-reset-after": (resetAfterMs / 1000).toFixed(3),
    "x-ratelimit-bucket": bucket.hash,
  };
}
