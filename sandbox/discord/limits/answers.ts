// Formats 429s: those in Discord's words, and the one that Cloudflare sends during a ban.
import type { FaultAnswer } from "../../faults/faults.ts";

/**
 * What a limit applies to. `user`: this bot's bucket. `global`: all of this bot's requests. `shared`: a resource, for
 * all clients together.
 */
export type RateLimitScope = "user" | "global" | "shared";

/** The reason for a 429; `ban` is Cloudflare's. */
export type RefusedBy = RateLimitScope | "ban";

/** Formats a 429. `retryAfter` is in seconds, for the header and, more exactly, for the body. */
export function formatRateLimit(
  scope: RateLimitScope,
  retryAfter: { readonly header: number; readonly body: number },
  bucketHeaders: Readonly<Record<string, string>> = {},
): FaultAnswer {
  const isGlobal = scope === "global";
  return {
    status: 429,
    headers: {
      "content-type": "application/json",
      ...bucketHeaders,
      "retry-after": String(retryAfter.header),
      "x-ratelimit-scope": scope,
      ...(isGlobal ? { "x-ratelimit-global": "true" } : {}),
    },
    body: JSON.stringify({
      message: scope === "shared" ? "The resource is being rate limited." : "You are being rate limited.",
      retry_after: retryAfter.body,
      global: isGlobal,
    }),
  };
}

/** Formats the answer during a ban. It is not JSON and has none of the API's headers: the request never got there. */
export function formatBan(msLeft: number): FaultAnswer {
  return {
    status: 429,
    headers: {
      "content-type": "text/plain; charset=UTF-8",
      server: "cloudflare",
      "retry-after": String(Math.ceil(msLeft / 1000)),
    },
    body: "error code: 1015",
  };
}
