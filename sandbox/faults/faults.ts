// Bad days on demand, for any of the sandbox's servers: works on a plain request listener, below every router.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createFaultList, type AddedFault } from "./list.ts";
import { patternOf, pathOf } from "./path.ts";
import { meetFault } from "./meet.ts";

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

/** Faults of one server. */
export function createFaults<Kind extends string = never>(options: FaultOptions<Kind> = {}): Faults<Kind> {
  const list = createFaultList<Fault<Kind> & { readonly pattern: RegExp }>();
  const answerOf = options.answer ?? plainAnswer;

  return {
    add(fault) {
      const pattern = typeof fault.path === "string" ? patternOf(fault.path) : fault.path;
      return list.add({ ...fault, pattern });
    },
    clear: list.clear,
    wrap: (listener) => (request, response) => {
      const path = list.isEmpty ? "" : pathOf(request, options.prefix ?? "");
      const met = list.take(
        ({ method, pattern }) => (method === undefined || method === request.method) && pattern.test(path),
      );
      if (met === undefined) {
        listener(request, response);
        return;
      }
      const { fault, held } = met;
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
