// Sends frames over a socket, and knows who ended it.
import type { WebSocket } from "ws";

/** Why the sandbox ended a socket: by a rule of Discord's, or on demand of a test or the page. */
export type WireEnd = "rule" | "demand";

export interface Wire {
  /** `undefined` while it is open, or if the client ended it. */
  readonly endedBy: WireEnd | undefined;
  /** Does nothing if the socket is closed. */
  send(text: string): void;
  /** Closes after everything sent before. */
  close(code: number, reason?: string, by?: WireEnd): void;
  /** Breaks the socket without a closing frame. */
  terminate(by?: WireEnd): void;
}

export function createWire(socket: WebSocket): Wire {
  let endedBy: WireEnd | undefined;
  return {
    send: (text) => socket.send(text),
    get endedBy() {
      return endedBy;
    },
    close(code, reason, by = "rule") {
      endedBy ??= by;
      socket.close(code, reason);
    },
    terminate(by = "rule") {
      endedBy ??= by;
      socket.terminate();
    },
  };
}
