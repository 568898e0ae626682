// A 429 as Discord words it, and the one that its front, Cloudflare, gives to whoever it has shut out.
import type { FaultAnswer } from "../../faults/faults.ts";

/** `user`: this bot's bucket. `global`: this bot altogether. `shared`: the resource, whoever used it up. */
export type RateLimitScope = "user" | "global" | "shared";

/** Why a 429 was given; `ban` is Cloudflare's. */
export type RefusedBy = RateLimitScope | "ban";

/** `retryAfter` in seconds: of the header, and more exactly of the body. */
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

/** No JSON and none of the API's headers: the request never reached the API. */
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
