// Bad days on demand, for any of the sandbox's servers: works on a plain request listener, below every router.
import { ServerResponse, type IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import type { Socket } from "node:net";

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
  /** Applied after `delayMs` of real time. */
  | "slow"
  | "429"
  | "429-global"
  | "429-shared"
  /** Applied; the answer has its status, but a body that is no JSON. */
  | "malformed"
  /** Applied; the answer stops in the middle. */
  | "truncated";

export interface Fault {
  /** Any method when absent. */
  readonly method?: string;
  /** `/channels/:c/messages` (`:x` stands for one part) or an expression, on the path without its prefix. */
  readonly path: string | RegExp;
  readonly do: FaultKind;
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
  /** Lets go what hangs; `hang` is then applied as if nothing had been. */
  release(): void;
  remove(): void;
}

/** What a server answers where a fault speaks for it. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FaultOptions {
  /** Cut from paths before they are compared, e.g. `/api/v10`. */
  readonly prefix?: string;
  /** A 500 and the three 429s in this server's own words. */
  readonly answer?: (kind: FaultKind, retryAfterMs: number) => FaultAnswer;
  /** Told when a request meets a fault. */
  readonly onMet?: (request: IncomingMessage, kind: FaultKind) => void;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface Faults {
  add(fault: Fault): AddedFault;
  /** Forgets all faults and lets go what hangs. */
  clear(): void;
  /** Puts the faults in front of a listener. */
  wrap(listener: Listener): Listener;
}

interface Entry {
  readonly fault: Fault;
  readonly pattern: RegExp;
  readonly held: Set<() => void>;
  left: number;
  met: number;
}

/** Faults of one server. */
export function createFaults(options: FaultOptions = {}): Faults {
  const entries = new Set<Entry>();
  const answerOf = options.answer ?? plainAnswer;

  function release(entry: Entry): void {
    for (const letGo of entry.held) {
      letGo();
    }
    entry.held.clear();
  }

  function take(request: IncomingMessage): Entry | undefined {
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
      const entry: Entry = { fault, pattern, held: new Set(), left: fault.times ?? 1, met: 0 };
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
      const { fault } = entry;
      options.onMet?.(request, fault.do);
      const say = () => send(response, answerOf(fault.do, fault.retryAfterMs ?? 20));
      const apply = () => listener(request, response);
      const applyUnheard = (then: (unheard: ServerResponse, raw: Buffer) => void) =>
        listenUnheard(listener, request, then);
      switch (fault.do) {
        case "500":
        case "429":
        case "429-global":
        case "429-shared":
          // The body must be read, or a keep-alive connection would break for another reason than asked.
          request.resume();
          request.once("end", say);
          return;
        case "500-after":
          applyUnheard(say);
          return;
        case "drop":
          request.socket.resetAndDestroy();
          return;
        case "drop-after":
          applyUnheard(() => request.socket.resetAndDestroy());
          return;
        case "hang":
          entry.held.add(apply);
          return;
        case "hang-after":
          applyUnheard((_unheard, raw) => entry.held.add(() => request.socket.write(raw)));
          return;
        case "slow":
          setTimeout(apply, fault.delayMs ?? 50);
          return;
        case "malformed":
          applyUnheard((unheard) => {
            send(response, {
              status: unheard.statusCode,
              headers: { "content-type": "application/json" },
              body: '{"half": tru',
            });
          });
          return;
        case "truncated":
          applyUnheard((_unheard, raw) => {
            request.socket.end(raw.subarray(0, Math.max(1, raw.length - 5)), () => request.socket.destroy());
          });
      }
    },
  };
}

/** Lets a listener answer into nothing, then hands over what it said: its head, and all bytes of it. */
function listenUnheard(
  listener: Listener,
  request: IncomingMessage,
  then: (unheard: ServerResponse, raw: Buffer) => void,
): void {
  const unheard = new ServerResponse(request);
  const sink = new PassThrough();
  const parts: Buffer[] = [];
  sink.on("data", (part: Buffer) => parts.push(part));
  // A response writes to its socket as to any stream; nothing else of a socket is used before `finish`.
  unheard.assignSocket(sink as unknown as Socket);
  unheard.once("finish", () => setImmediate(() => then(unheard, Buffer.concat(parts))));
  listener(request, unheard);
}

function send(response: ServerResponse, answer: FaultAnswer): void {
  response.writeHead(answer.status, { ...answer.headers, "content-length": Buffer.byteLength(answer.body) });
  response.end(answer.body);
}

function plainAnswer(kind: FaultKind, retryAfterMs: number): FaultAnswer {
  const headers = { "content-type": "application/json" };
  return kind.startsWith("429")
    ? {
        status: 429,
        headers: { ...headers, "retry-after": String(Math.ceil(retryAfterMs / 1000)) },
        body: JSON.stringify({ error: "too many requests" }),
      }
    : { status: 500, headers, body: JSON.stringify({ error: "internal error" }) };
}

function pathOf(request: IncomingMessage, prefix: string): string {
  const [path = "/"] = (request.url ?? "/").split("?");
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return below.replaceAll("%40", "@");
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
}
