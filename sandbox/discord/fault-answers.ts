// A 500 and the three kinds of 429 as Discord words them.
import type { FaultAnswer, FaultKind } from "../faults.ts";

const SCOPES: Partial<Record<FaultKind, string>> = {
  "429": "user",
  "429-global": "global",
  "429-shared": "shared",
};

/** `Retry-After` is in whole seconds or, as from Discord, a fraction; discord.js waits by it. */
export function formatFaultAnswer(kind: FaultKind, retryAfterMs: number): FaultAnswer {
  const scope = SCOPES[kind];
  const headers = { "content-type": "application/json" };
  if (scope === undefined) {
    const body = JSON.stringify({ message: "500: Internal Server Error", code: 0 });
    return { status: 500, headers, body };
  }
  const retryAfter = retryAfterMs / 1000;
  return {
    status: 429,
    headers: {
      ...headers,
      "retry-after": String(retryAfter),
      "x-ratelimit-scope": scope,
      ...(scope === "global"
        ? { "x-ratelimit-global": "true" }
        : {
            "x-ratelimit-limit": "1",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset-after": String(retryAfter),
            "x-ratelimit-bucket": "fault",
          }),
    },
    body: JSON.stringify({
      message: "You are being rate limited.",
      retry_after: retryAfter,
      global: scope === "global",
    }),
  };
}
