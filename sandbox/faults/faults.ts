// Bad days on demand, for any of the sandbox's servers: a middleware in front of all others.
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { createFaultList, type AddedFault } from "./list.ts";
import { comparablePath, patternOf } from "./path.ts";
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
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface FaultOptions<Kind extends string = never> {
  /** Cut from paths before they are compared, e.g. `/api/v10`. */
  readonly prefix?: string;
  /** What paths are compared with. Default the request's own. */
  readonly pathOf?: (request: IncomingMessage) => string;
  /** A 500, the three 429s and this server's own kinds in its own words; without words it is applied. */
  readonly answer?: (kind: FaultKind | Kind, retryAfterMs: number) => FaultAnswer | undefined;
  /** Told when a request meets a fault. */
  readonly onMet?: (request: IncomingMessage, kind: FaultKind | Kind) => void;
}

/** Hono's environment of a server of the sandbox. */
export interface ServerEnv {
  // oxlint-disable-next-line typescript/naming-convention -- Hono's own name
  Bindings: HttpBindings;
}

export interface Faults<Kind extends string = never> {
  add(fault: Fault<Kind>): AddedFault;
  /** Forgets all faults and lets go what hangs. */
  clear(): void;
  /** To stand before all that answers. */
  readonly meet: MiddlewareHandler<ServerEnv>;
  /** What a request met; `undefined` for nothing. */
  kindOf(request: IncomingMessage): FaultKind | Kind | undefined;
}

/** Faults of one server. */
export function createFaults<Kind extends string = never>(options: FaultOptions<Kind> = {}): Faults<Kind> {
  const list = createFaultList<Fault<Kind> & { readonly pattern: RegExp }>();
  const kinds = new WeakMap<IncomingMessage, FaultKind | Kind>();
  const { prefix = "", pathOf = ({ url = "/" }) => url, answer = plainAnswer } = options;

  return {
    add(fault) {
      const pattern = typeof fault.path === "string" ? patternOf(fault.path) : fault.path;
      return list.add({ ...fault, pattern });
    },
    clear: list.clear,
    async meet(context, next) {
      const { incoming } = context.env;
      const path = list.isEmpty ? "" : comparablePath(pathOf(incoming), prefix);
      const met = list.take(
        ({ method, pattern }) => (method === undefined || method === incoming.method) && pattern.test(path),
      );
      if (met === undefined) {
        return next();
      }
      const { fault, held } = met;
      kinds.set(incoming, fault.do);
      options.onMet?.(incoming, fault.do);
      return meetFault({ fault, held, answer }, context, next);
    },
    kindOf: (request) => kinds.get(request),
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
