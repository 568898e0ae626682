// Injected faults for any server of the sandbox: a middleware in front of all others.
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { createFaultList, type AddedFault } from "./list.ts";
import { injectFault } from "./inject.ts";

/** Kinds that end in `-after` happen once the request has been applied, so only its answer is lost. */
export type FaultKind =
  | "500"
  | "500-after"
  /** The socket is reset without an answer. */
  | "drop"
  | "drop-after"
  /** No answer until the fault is released or the server closes. */
  | "hang"
  | "hang-after"
  /** Applied after `delayMs` of real time, or when released. */
  | "slow"
  | "429"
  | "429-global"
  | "429-shared"
  /** Applied; the answer has its status, but its body is not JSON. */
  | "malformed"
  /** Applied; the answer breaks off in the middle. */
  | "truncated";

/** `Kind`: the faults that only this server has. */
export interface Fault<Kind extends string = never> {
  /** Default: any method. */
  readonly method?: string;
  /**
   * `/channels/:c/messages` (`:c` matches one part), a regular expression, or an object with a `test` method, for the path
   * without the prefix.
   */
  readonly path: string | Pick<RegExp, "test">;
  readonly do: FaultKind | Kind;
  /** How many requests it affects. Default 1. */
  readonly times?: number;
  /** `slow`: the delay. Default 50. */
  readonly delayMs?: number;
  /** `429`: the wait that the answer asks for. Default 20. */
  readonly retryAfterMs?: number;
}

export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface FaultOptions<Kind extends string = never> {
  /** Removed from paths before they are matched, e.g. `/api/v10`. */
  readonly prefix?: string;
  /** The path to match. Default: the request's own. */
  readonly pathOf?: (request: IncomingMessage) => string;
  /**
   * Returns the service's own answer to a 500, the three 429s and the kinds that only it has; `undefined` to apply the
   * request.
   */
  readonly answer: (kind: FaultKind | Kind, retryAfterMs: number) => FaultAnswer | undefined;
  readonly onInjected?: (request: IncomingMessage, kind: FaultKind | Kind) => void;
}

/** Hono's environment type of the sandbox's servers. */
export interface ServerEnv {
  // oxlint-disable-next-line typescript/naming-convention -- Hono's own name
  Bindings: HttpBindings;
}

export interface Faults<Kind extends string = never> {
  add(fault: Fault<Kind>): AddedFault;
  /** Removes all faults and releases the requests that they delay. */
  clear(): void;
  /** Must be the first middleware. */
  readonly middleware: MiddlewareHandler<ServerEnv>;
  kindOf(request: IncomingMessage): FaultKind | Kind | undefined;
}

export function createFaults<Kind extends string = never>(options: FaultOptions<Kind>): Faults<Kind> {
  const list = createFaultList<Fault<Kind> & { readonly pattern: Pick<RegExp, "test"> }>();
  const kinds = new WeakMap<IncomingMessage, FaultKind | Kind>();
  const { prefix = "", pathOf = ({ url = "/" }) => url, answer } = options;

  return {
    add(fault) {
      const pattern = typeof fault.path === "string" ? patternOf(fault.path) : fault.path;
      return list.add({ ...fault, pattern });
    },
    clear: list.clear,
    async middleware(context, next) {
      const { incoming } = context.env;
      const path = list.isEmpty ? "" : comparablePath(pathOf(incoming), prefix);
      const injected = list.take(
        ({ method, pattern }) => (method === undefined || method === incoming.method) && pattern.test(path),
      );
      if (injected === undefined) {
        return next();
      }
      const { fault, releases } = injected;
      kinds.set(incoming, fault.do);
      options.onInjected?.(incoming, fault.do);
      return injectFault({ fault, releases, answer }, context, next);
    },
    kindOf: (request) => kinds.get(request),
  };
}

/** Removes the query and the prefix, and decodes `@original`. */
function comparablePath(url: string, prefix: string): string {
  const [path = "/"] = url.split("?");
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return below.replaceAll("%40", "@");
}

/** `:name` matches one part; everything else matches itself. */
function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
}
