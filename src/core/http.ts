// Every call that the bot makes to a service passes here, through undici (discord.js has a client of its own).
// It knows bytes, time and retries; it knows nothing of what any service means by an answer.
import { createConnections, sendRequest } from "./http-attempt.ts";
import { retrySafely } from "./http-retry.ts";
import { openStream, sendStream } from "./http-stream.ts";
import type { Http, HttpAnswer, HttpStreams } from "./http-types.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type Meter, noMeter } from "./meter.ts";
import type { ResolveAddresses } from "./url-guard.ts";

export function createHttp({
  clock,
  log,
  meter = noMeter,
  random = Math.random,
  resolve,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  /** For the jitter of waits: 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Finds the addresses of a guarded URL's host. Default the system's resolver. */
  readonly resolve?: ResolveAddresses;
}): Http & HttpStreams {
  const connections = createConnections(resolve);
  const dependencies = { clock, log, meter, connections };
  const closing = new AbortController();
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    request(request) {
      const signal = signalOf(request);
      const attempt = async (): Promise<HttpAnswer> => {
        await request.beforeAttempt?.();
        return sendRequest(dependencies, request, signal);
      };
      return retrySafely({ clock, random }, request, signal, attempt);
    },
    open: (request) => openStream(dependencies, request, signalOf(request)),
    upload: (request) => sendStream(dependencies, request, signalOf(request)),
    async close() {
      closing.abort();
      await connections.close();
    },
  };
}
