// The bad days of this service beyond those that any server can have: HTML from a gateway, refusals with 200, odd shapes.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, type FaultHooks } from "../faults/service-faults.ts";
import type { Credentials } from "./credentials.ts";
import { usedUpText, unknownApplicationText } from "./refusals.ts";

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

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const HTML_TYPE = { "content-type": "text/html" };

/** Its sentences repeat these credentials. A path is compared without `/v3/uk`. */
export function createTransportFaults({ appId, appKey }: Credentials, hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    prefix: "/v3/uk",
    twists: TWISTS,
    broken: page(500, "Internal Server Error"),
    busy(retryAfter) {
      const { status, headers, body } = sentence(429, "Too many requests");
      return { status, headers: { ...headers, "retry-after": retryAfter }, body };
    },
    refusals: {
      "502": page(502, "Bad Gateway"),
      "503": page(503, "Service Temporarily Unavailable"),
      html: page(200, "Welcome"),
      "401": sentence(401, unknownApplicationText(appId, appKey)),
      "200-error": sentence(200, unknownApplicationText(appId, appKey)),
      "used-up": sentence(403, usedUpText(appId, appKey)),
    },
  });
}

function sentence(status: number, error: string): FaultAnswer {
  return { status, headers: JSON_TYPE, body: JSON.stringify({ error }) };
}

function page(status: number, title: string): FaultAnswer {
  const heading = status === 200 ? title : `${status} ${title}`;
  const body = `<html>\r\n<head><title>${heading}</title></head>\r\n<body>\r\n<center><h1>${heading}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: HTML_TYPE, body };
}
