// The answers of injected faults in Discord's words: a 500, a 401 and the three kinds of 429.
import type { FaultAnswer, FaultKind } from "../faults/faults.ts";
import { formatRateLimit, type RateLimitScope } from "./limits/answers.ts";

export type DiscordFaultKind =
  | FaultKind
  /** Refused as if the token were wrong. */
  | "401";

const SCOPES: Partial<Record<DiscordFaultKind, RateLimitScope>> = {
  "429": "user",
  "429-global": "global",
  "429-shared": "shared",
};

/** The scope of a 429 fault; `undefined` for other faults. */
export function scopeOf(kind: DiscordFaultKind): RateLimitScope | undefined {
  return SCOPES[kind];
}

/** `Retry-After` is a fraction here, so that no test waits for a whole second. */
export function formatFaultAnswer(kind: DiscordFaultKind, retryAfterMs: number): FaultAnswer {
  const scope = scopeOf(kind);
  if (scope === undefined) {
    const [status, message] =
      kind === "401" ? [401, "401: Unauthorized"] : [500, "500: Internal Server Error"];
    const body = JSON.stringify({ message, code: 0 });
    return { status, headers: { "content-type": "application/json" }, body };
  }
  const seconds = retryAfterMs / 1000;
  const bucket = {
    "x-ratelimit-limit": "1",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset-after": String(seconds),
    "x-ratelimit-bucket": "fault",
  };
  return formatRateLimit(scope, { header: seconds, body: seconds }, scope === "global" ? {} : bucket);
}
