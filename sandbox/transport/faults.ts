// The bad days of this service beyond those that any server can have: HTML from a gateway, refusals with 200, odd shapes.
import type { IncomingMessage } from "node:http";
import { createFaults } from "../faults.ts";
import type { AddedFault, Fault, Listener } from "../faults.ts";
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
interface TransportFault extends Omit<Fault, "do"> {
  readonly do: Fault["do"] | TransportFaultKind;
}

export interface TransportFaults {
  add(fault: TransportFault): AddedFault;
  clear(): void;
}

/** The faults, and what the server needs of them. */
export interface InstalledFaults extends TransportFaults {
  wrap(listener: Listener): Listener;
  /** How this request's answer is to be twisted, if at all. */
  twistOf(request: IncomingMessage): Twist | undefined;
}

const PREFIX = "/v3/uk";
const TWISTS: readonly string[] = ["renamed-fields", "text-for-list", "odd-values"] satisfies Twist[];
const OWN_KINDS: ReadonlySet<string> = new Set([
  "502",
  "503",
  "html",
  "200-error",
  "used-up",
  "401",
  ...TWISTS,
]);

/** Faults of one stand-in; its sentences repeat these credentials. */
export function createTransportFaults(credentials: Credentials): InstalledFaults {
  const twists = new WeakMap<IncomingMessage, Twist>();
  const general = createFaults({ prefix: PREFIX, answer: generalAnswer });
  // Matching, counting and removing are the same for all kinds; only what is said differs.
  const own = new Map<TransportFaultKind, ReturnType<typeof createFaults>>();

  function faultsOf(kind: TransportFaultKind): ReturnType<typeof createFaults> {
    const known = own.get(kind);
    if (known) {
      return known;
    }
    const created = createFaults({
      prefix: PREFIX,
      answer: () => answerOf(kind, credentials),
      onMet: (request) => {
        if (isTwist(kind)) {
          twists.set(request, kind);
        }
      },
    });
    own.set(kind, created);
    return created;
  }

  return {
    add(fault) {
      const kind = fault.do;
      if (!isOwnKind(kind)) {
        return general.add({ ...fault, do: kind });
      }
      // A twisted request goes on at once; every other own kind answers in the place of the server.
      return faultsOf(kind).add({
        ...fault,
        ...(isTwist(kind) ? { do: "slow", delayMs: 0 } : { do: "500" }),
      });
    },
    clear() {
      general.clear();
      for (const faults of own.values()) {
        faults.clear();
      }
    },
    wrap: (listener) => (request, response) => {
      let outermost = general.wrap(listener);
      for (const faults of own.values()) {
        outermost = faults.wrap(outermost);
      }
      outermost(request, response);
    },
    twistOf: (request) => twists.get(request),
  };
}

function isOwnKind(kind: string): kind is TransportFaultKind {
  return OWN_KINDS.has(kind);
}

function isTwist(kind: string): kind is Twist {
  return TWISTS.includes(kind);
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const HTML_TYPE = { "content-type": "text/html" };

function generalAnswer(kind: Fault["do"], retryAfterMs: number): ReturnType<typeof answerOf> {
  return kind.startsWith("429")
    ? {
        status: 429,
        headers: { ...JSON_TYPE, "retry-after": String(Math.ceil(retryAfterMs / 1000)) },
        body: JSON.stringify({ error: "Too many requests" }),
      }
    : page(500, "Internal Server Error");
}

function answerOf(
  kind: TransportFaultKind,
  { appId, appKey }: Credentials,
): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
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
    case "renamed-fields":
    case "text-for-list":
    case "odd-values":
      throw new Error(`${kind} is not an answer of its own`);
  }
}

function sentence(status: number, error: string): ReturnType<typeof answerOf> {
  return { status, headers: JSON_TYPE, body: JSON.stringify({ error }) };
}

function page(status: number, title: string): ReturnType<typeof answerOf> {
  const heading = status === 200 ? title : `${status} ${title}`;
  const body = `<html>\r\n<head><title>${heading}</title></head>\r\n<body>\r\n<center><h1>${heading}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: HTML_TYPE, body };
}
