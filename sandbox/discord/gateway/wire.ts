// Sends frames over a socket, with Discord's two kinds of compression.
import { constants, createDeflate, deflateSync } from "node:zlib";
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
  /** From now on, compresses each frame separately, unless the whole stream is compressed. */
  compressFrames(): void;
}

/** `isStream`: all frames are one zlib stream, flushed after each frame (`compress=zlib-stream`). */
export function createWire(socket: WebSocket, isStream: boolean): Wire {
  const wire = isStream ? createStreamWire(socket) : createFrameWire(socket);
  let endedBy: WireEnd | undefined;
  return {
    send: wire.send,
    compressFrames: wire.compressFrames,
    get endedBy() {
      return endedBy;
    },
    close(code, reason, by = "rule") {
      endedBy ??= by;
      wire.close(code, reason);
    },
    terminate(by = "rule") {
      endedBy ??= by;
      socket.terminate();
    },
  };
}

type BareWire = Omit<Wire, "endedBy" | "terminate">;

function createFrameWire(socket: WebSocket): BareWire {
  let isCompressed = false;
  return {
    send: (text) => socket.send(isCompressed ? deflateSync(text) : text),
    close: (code, reason) => socket.close(code, reason),
    compressFrames() {
      isCompressed = true;
    },
  };
}

/** A frame may arrive in several messages; it ends with the four bytes of the flush, as at Discord. */
function createStreamWire(socket: WebSocket): BareWire {
  const deflate = createDeflate();
  let unsaid = 0;
  let close: (() => void) | undefined;
  deflate.on("data", (part: Buffer) => socket.send(part));
  socket.once("close", () => deflate.destroy());

  /** Compressed frames are sent asynchronously: a close waits for the pending ones. */
  function closeOnceSaid(): void {
    if (unsaid === 0 && close !== undefined) {
      setImmediate(close);
    }
  }

  return {
    send(text) {
      if (deflate.destroyed) {
        return;
      }
      unsaid += 1;
      deflate.write(text);
      deflate.flush(constants.Z_SYNC_FLUSH, () => {
        unsaid -= 1;
        closeOnceSaid();
      });
    },
    close(code, reason) {
      close ??= () => socket.close(code, reason);
      closeOnceSaid();
    },
    compressFrames() {
      // Discord compresses only once.
    },
  };
}
