// The bad days of this service beyond those that any server can have: HTML from a gateway, refusals with 200, odd shapes.
import { createServiceFaults, jsonAnswer, pageAnswer, type FaultHooks } from "../faults/service-faults.ts";
import { usedUpText, unknownApplicationText, type Credentials } from "./refusals.ts";

const TWISTS = [
  /** Rows have other names for their fields. */
  "renamed-fields",
  /** A text stands where the list of rows should. */
  "text-for-list",
  /** Numbers, nulls and words that nobody has seen stand in the rows. */
  "odd-values",
] as const;

/** A change of an answer's shape, left to whoever writes the answer. */
export type Twist = (typeof TWISTS)[number];

export type TransportFaults = ReturnType<typeof createTransportFaults>;

/** Its sentences repeat these credentials. A path is compared without `/v3/uk`. */
export function createTransportFaults({ appId, appKey }: Credentials, hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    prefix: "/v3/uk",
    twists: TWISTS,
    broken: pageAnswer(500, "500 Internal Server Error"),
    busy(retryAfter) {
      const { status, headers, body } = jsonAnswer(429, { error: "Too many requests" });
      return { status, headers: { ...headers, "retry-after": retryAfter }, body };
    },
    refusals: {
      "502": pageAnswer(502, "502 Bad Gateway"),
      "503": pageAnswer(503, "503 Service Temporarily Unavailable"),
      html: pageAnswer(200, "Welcome"),
      "401": jsonAnswer(401, { error: unknownApplicationText(appId, appKey) }),
      "200-error": jsonAnswer(200, { error: unknownApplicationText(appId, appKey) }),
      "used-up": jsonAnswer(403, { error: usedUpText(appId, appKey) }),
    },
  });
}
