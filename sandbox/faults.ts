// Bad days on demand, for any of the sandbox's servers: works on a plain request listener, below every router.
import type { IncomingMessage, ServerResponse } from "node:http";
import { patternOf, pathOf } from "./fault-path.ts";
import { meetFault } from "./meet-fault.ts";

/** What a request meets. Those ending in `-after` happen once the request has been applied: its answer is lost. */
export type FaultKind =
  | "500"
  | "500-after"
  /** The socket is reset without an answer. */
  | "drop"
  | "drop-after"
  /** No answer until the fault is released or the server closes. */
  | "hang"
  | "hang-after"
  /** Applied after `delayMs` of real time, or when it is released. */
  | "slow"
  | "429"
  | "429-global"
  | "429-shared"
  /** Applied; the answer has its status, but a body that is no JSON. */
  | "malformed"
  /** Applied; the answer stops in the middle. */
  | "truncated";

/** `Kind`: what this server can do beyond what every server can. */
export interface Fault<Kind extends string = never> {
  /** Any method when absent. */
  readonly method?: string;
  /** `/channels/:c/messages` (`:x` stands for one part) or an expression, on the path without its prefix. */
  readonly path: string | RegExp;
  readonly do: FaultKind | Kind;
  /** How many requests meet it. Default 1. */
  readonly times?: number;
  /** `slow`: how long. Default 50. */
  readonly delayMs?: number;
  /** `429`: what the answer asks for. Default 20. */
  readonly retryAfterMs?: number;
}

/** A fault that was added. */
export interface AddedFault {
  /** How many requests have met it. */
  readonly met: number;
  /** Lets go what hangs, once; `hang` is then applied, unless its client has given up. */
  release(): void;
  /** Meets no more requests, and lets go what hangs. */
  remove(): void;
}

/** What a server answers where a fault speaks for it. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface FaultOptions<Kind extends string = never> {
  /** Cut from paths before they are compared, e.g. `/api/v10`. */
  readonly prefix?: string;
  /** A 500, the three 429s and this server's own kinds in its own words; without words it is applied. */
  readonly answer?: (kind: FaultKind | Kind, retryAfterMs: number) => FaultAnswer | undefined;
  /** Told when a request meets a fault. */
  readonly onMet?: (request: IncomingMessage, kind: FaultKind | Kind) => void;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface Faults<Kind extends string = never> {
  add(fault: Fault<Kind>): AddedFault;
  /** Forgets all faults and lets go what hangs. */
  clear(): void;
  /** Puts the faults in front of a listener. */
  wrap(listener: Listener): Listener;
}

interface Entry<Kind extends string> {
  readonly fault: Fault<Kind>;
  readonly pattern: RegExp;
  /** Lets go what hangs. */
  readonly held: Set<() => void>;
  left: number;
  met: number;
}

/** Faults of one server. */
export function createFaults<Kind extends string = never>(options: FaultOptions<Kind> = {}): Faults<Kind> {
  const entries = new Set<Entry<Kind>>();
  const answerOf = options.answer ?? plainAnswer;

  function release(entry: Entry<Kind>): void {
    const holding = [...entry.held];
    entry.held.clear();
    for (const letGo of holding) {
      letGo();
    }
  }

  function take(request: IncomingMessage): Entry<Kind> | undefined {
    if (entries.size === 0) {
      return undefined;
    }
    const path = pathOf(request, options.prefix ?? "");
    for (const entry of entries) {
      const isMethod = entry.fault.method === undefined || entry.fault.method === request.method;
      if (entry.left > 0 && isMethod && entry.pattern.test(path)) {
        entry.left -= 1;
        entry.met += 1;
        return entry;
      }
    }
    return undefined;
  }

  return {
    add(fault) {
      const pattern = typeof fault.path === "string" ? patternOf(fault.path) : fault.path;
      const entry: Entry<Kind> = { fault, pattern, held: new Set(), left: fault.times ?? 1, met: 0 };
      entries.add(entry);
      return {
        get met() {
          return entry.met;
        },
        release: () => release(entry),
        remove() {
          entries.delete(entry);
          release(entry);
        },
      };
    },
    clear() {
      for (const entry of entries) {
        release(entry);
      }
      entries.clear();
    },
    wrap: (listener) => (request, response) => {
      const entry = take(request);
      if (entry === undefined) {
        listener(request, response);
        return;
      }
      const { fault, held } = entry;
      options.onMet?.(request, fault.do);
      meetFault({ fault, held, listener, request, response, answer: answerOf });
    },
  };
}

function plainAnswer(kind: string, retryAfterMs: number): FaultAnswer {
  const headers = { "content-type": "application/json" };
  return kind.startsWith("429")
    ? {
        status: 429,
        headers: { ...headers, "retry-after": String(Math.ceil(retryAfterMs / 1000)) },
        body: JSON.stringify({ error: "too many requests" }),
      }
    : { status: 500, headers, body: JSON.stringify({ error: "internal error" }) };
}
