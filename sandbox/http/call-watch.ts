// Which calls a server of the sandbox is answering: how they end, how long somebody has waited, and when that changes.
import type { ServerResponse } from "node:http";

/** How a call ended. */
export interface CallEnd {
  /** `undefined` where the answer did not leave whole. */
  readonly status: number | undefined;
  /** Real milliseconds. */
  readonly tookMs: number;
}

export interface CallWatch {
  /** Whether somebody waits for an answer, and has waited for less than so many real milliseconds. */
  isAwaited(withinMs: number): boolean;
  /** Hears of each call that begins or ends. Returns what ends the hearing. */
  listen(listener: () => void): () => void;
}

/** The watch, and what the server needs of it. */
export interface InstalledCallWatch extends CallWatch {
  /** A call came in; `onEnd` is told once when its answer has left, or cannot any more. */
  begin(response: ServerResponse, onEnd: (end: CallEnd) => void): void;
}

export function createCallWatch(): InstalledCallWatch {
  const openSinceMs = new Map<ServerResponse, number>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) {
      listener();
    }
  };
  return {
    isAwaited: (withinMs) => openSinceMs.values().some((sinceMs) => performance.now() - sinceMs < withinMs),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin(response, onEnd) {
      const sinceMs = performance.now();
      openSinceMs.set(response, sinceMs);
      const end = (status: number | undefined) => {
        if (openSinceMs.delete(response)) {
          onEnd({ status, tookMs: performance.now() - sinceMs });
          tell();
        }
      };
      response.once("finish", () => end(response.statusCode)).once("close", () => end(undefined));
      tell();
    },
  };
}
