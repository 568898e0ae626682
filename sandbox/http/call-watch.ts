// The requests that a server of the sandbox is answering: how they end, and how long their clients have waited.
import type { ServerResponse } from "node:http";

export interface CallEnd {
  /** `undefined` if the answer was not sent completely. */
  readonly status: number | undefined;
  /** Real milliseconds. */
  readonly tookMs: number;
}

export function createCallWatch() {
  const openSinceMs = new Map<ServerResponse, number>();
  return {
    /** Whether a client is waiting for an answer, and has waited less than this many real milliseconds. */
    isAwaited: (withinMs: number) =>
      openSinceMs.values().some((sinceMs) => performance.now() - sinceMs < withinMs),
    /** Starts to watch a call. `onEnd` is called once, when its answer was sent or can no longer be sent. */
    begin(response: ServerResponse, onEnd: (end: CallEnd) => void) {
      const sinceMs = performance.now();
      openSinceMs.set(response, sinceMs);
      const end = (status: number | undefined) => {
        if (openSinceMs.delete(response)) {
          onEnd({ status, tookMs: performance.now() - sinceMs });
        }
      };
      response.once("finish", () => end(response.statusCode)).once("close", () => end(undefined));
    },
  };
}
