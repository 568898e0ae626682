// The one door to undici: every call the bot makes to a service of its own passes here (discord.js has its own).
// It knows bytes, time and retries; it knows nothing of what any service means by an answer.
import type { Readable } from "node:stream";
import { sendRequest } from "./http-attempt.ts";
import { createConnections } from "./http-connections.ts";
import { type RetryPolicy, retrySafely } from "./http-retry.ts";
import { type HttpStreams, openStream } from "./http-stream.ts";
import { sendStream } from "./http-stream-upload.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { ResolveAddresses } from "./url-guard.ts";

/** What a request sends: headers that describe it, and its bytes. A stream must come with a `content-length`. */
export interface HttpBodyContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array | Readable;
}

/** Opens a body; called once for each attempt, because a stream can be read only once. */
export type HttpBody = () => HttpBodyContent;

/** One request. */
export interface HttpRequest {
  /** Name for errors and logs, e.g. `transport`. */
  readonly service: string;
  /** What is being done, for errors and logs, e.g. `liveBoard`. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** May hold credentials in its query: it is never logged and never part of an error. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HttpBody;
  /** For one attempt, its whole answer included, on the clock. */
  readonly timeoutMs: number;
  /** The largest answer, counted on the wire and again after decompression. */
  readonly maxBytes: number;
  /** Default: a GET gets two more attempts, anything else none. Giving one promises that repeating is safe. */
  readonly retry?: RetryPolicy;
  /** Called before every attempt, the first one too, e.g. to count it; where it throws, nothing is sent. */
  readonly beforeAttempt?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** For a URL that the service itself returned: see `url-guard.ts` for what is let through. */
  readonly guard?: { readonly ownOrigin: string };
}

/** What came back. Header names are in lower case; `bytes` are already decompressed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Sends requests through a pool of its own. */
export interface Http {
  /**
   * Any status is an answer, redirects too: they are not followed. Throws ServiceError: `unavailable`, `timeout`,
   * `too-large`, `unexpected-answer` (undecodable, or a guarded URL that may not be fetched), `aborted`, and for
   * anything but a GET `outcome-unknown` when it may have been sent and its answer was lost.
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes the connections; what is still under way fails as `aborted`. */
  close(): Promise<void>;
}

/** What the door stands on. */
export interface HttpDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** For the jitter of waits: 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Finds the addresses of a guarded URL's host. Default the system's resolver. */
  readonly resolve?: ResolveAddresses;
}

/** Opens the door. */
export function createHttp(dependencies: HttpDependencies): Http & HttpStreams {
  const { clock, log, random = Math.random, resolve } = dependencies;
  const connections = createConnections(resolve);
  const closing = new AbortController();
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    request(request) {
      const signal = signalOf(request);
      const attempt = async (): Promise<HttpAnswer> => {
        await request.beforeAttempt?.();
        return sendRequest({ clock, log, connections }, request, signal);
      };
      return retrySafely({ clock, random }, request, signal, attempt);
    },
    open: (request) => openStream({ clock, log, connections }, request, signalOf(request)),
    upload: (request) => sendStream({ clock, log, connections }, request, signalOf(request)),
    async close() {
      closing.abort();
      await connections.close();
    },
  };
}

/** A body of JSON. */
export function jsonBody(value: unknown): HttpBody {
  const content = new TextEncoder().encode(JSON.stringify(value));
  return () => ({ headers: { "content-type": "application/json" }, content });
}
