// The one door to undici: every call the bot makes to a service of its own passes here (discord.js has its own).
// It knows bytes, time and retries; it knows nothing of what any service means by an answer.
import { createConnections, sendRequest } from "./http-attempt.ts";
import { retrySafely } from "./http-retry.ts";
import { openStream, sendStream } from "./http-stream.ts";
import type { Http, HttpAnswer, HttpBody, HttpStreams } from "./http-types.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type Meter, noMeter } from "./meter.ts";
import type { ResolveAddresses } from "./url-guard.ts";

/** What the door stands on. */
export interface HttpDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Default nobody counts. */
  readonly meter?: Meter;
  /** For the jitter of waits: 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Finds the addresses of a guarded URL's host. Default the system's resolver. */
  readonly resolve?: ResolveAddresses;
}

/** Opens the door. */
export function createHttp(dependencies: HttpDependencies): Http & HttpStreams {
  const { clock, log, meter = noMeter, random = Math.random, resolve } = dependencies;
  const connections = createConnections(resolve);
  const door = { clock, log, meter, connections };
  const closing = new AbortController();
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    request(request) {
      const signal = signalOf(request);
      const attempt = async (): Promise<HttpAnswer> => {
        await request.beforeAttempt?.();
        return sendRequest(door, request, signal);
      };
      return retrySafely({ clock, random }, request, signal, attempt);
    },
    open: (request) => openStream(door, request, signalOf(request)),
    upload: (request) => sendStream(door, request, signalOf(request)),
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
