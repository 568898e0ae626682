// The bad days of this service beyond those that any server can have: HTML from a gateway, refusals with 200, odd shapes.
import type { IncomingMessage } from "node:http";
import { createFaults } from "../faults/faults.ts";
import type { FaultAnswer, FaultKind, Faults } from "../faults/faults.ts";
import type { FaultHooks } from "../http/stand-in.ts";
import type { Credentials } from "./credentials.ts";
import { usedUpText, unknownApplicationText } from "./refusals.ts";

/** `502`, `503`, `html`: a page, the last with 200. `200-error`, `used-up`, `401`: the service's sentences. The rest change an answer's shape. */
type TransportFaultKind =
  | "502"
  | "503"
  | "html"
  | "200-error"
  | "used-up"
  | "401"
  /** Rows have other names for their fields. */
  | "renamed-fields"
  /** A text stands where the list of rows should. */
  | "text-for-list"
  /** Numbers, nulls and words that nobody has seen stand in the rows. */
  | "odd-values";

/** A change of an answer's shape, left to whoever writes the answer. */
export type Twist = "renamed-fields" | "text-for-list" | "odd-values";

/** `path` is compared without `/v3/uk`. */
export type TransportFaults = Pick<Faults<TransportFaultKind>, "add" | "clear">;

/** The faults, and what the server needs of them. */
export interface InstalledFaults extends Faults<TransportFaultKind> {
  /** How this request's answer is to be twisted, if at all. */
  twistOf(request: IncomingMessage): Twist | undefined;
}

const PREFIX = "/v3/uk";
const TWISTS: readonly Twist[] = ["renamed-fields", "text-for-list", "odd-values"];

/** Faults of one stand-in; its sentences repeat these credentials. */
export function createTransportFaults(credentials: Credentials, hooks: FaultHooks): InstalledFaults {
  const faults = createFaults<TransportFaultKind>({
    ...hooks,
    prefix: PREFIX,
    answer: (kind, retryAfterMs) => answerOf(kind, retryAfterMs, credentials),
  });
  return { ...faults, twistOf: (request) => TWISTS.find((twist) => twist === faults.kindOf(request)) };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const HTML_TYPE = { "content-type": "text/html" };

/** Nothing for a twist: its request is applied. */
function answerOf(
  kind: FaultKind | TransportFaultKind,
  retryAfterMs: number,
  { appId, appKey }: Credentials,
): FaultAnswer | undefined {
  switch (kind) {
    case "502":
      return page(502, "Bad Gateway");
    case "503":
      return page(503, "Service Temporarily Unavailable");
    case "html":
      return page(200, "Welcome");
    case "401":
      return sentence(401, unknownApplicationText(appId, appKey));
    case "200-error":
      return sentence(200, unknownApplicationText(appId, appKey));
    case "used-up":
      return sentence(403, usedUpText(appId, appKey));
    case "429":
    case "429-global":
    case "429-shared": {
      const { status, headers, body } = sentence(429, "Too many requests");
      return { status, headers: { ...headers, "retry-after": String(Math.ceil(retryAfterMs / 1000)) }, body };
    }
    case "renamed-fields":
    case "text-for-list":
    case "odd-values":
      return undefined;
    case "500":
    case "500-after":
    case "drop":
    case "drop-after":
    case "hang":
    case "hang-after":
    case "slow":
    case "malformed":
    case "truncated":
      return page(500, "Internal Server Error");
  }
}

function sentence(status: number, error: string): FaultAnswer {
  return { status, headers: JSON_TYPE, body: JSON.stringify({ error }) };
}

function page(status: number, title: string): FaultAnswer {
  const heading = status === 200 ? title : `${status} ${title}`;
  const body = `<html>\r\n<head><title>${heading}</title></head>\r\n<body>\r\n<center><h1>${heading}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: HTML_TYPE, body };
}
