// What frames travel on: a socket, with Discord's two ways to compress what the server says.
import { constants, createDeflate, deflateSync } from "node:zlib";
import type { WebSocket } from "ws";

/** Why the sandbox ended a socket: a rule of Discord's, or somebody wanted to see what happens. */
export type WireEnd = "rule" | "demand";

export interface Wire {
  /** `undefined` while it is open, and where the client ended it. */
  readonly endedBy: WireEnd | undefined;
  /** Nothing where the socket is closed. */
  send(text: string): void;
  /** After what was sent before. */
  close(code: number, reason?: string, by?: WireEnd): void;
  /** Tears the socket, without a word. */
  terminate(by?: WireEnd): void;
  /** From now on each frame is compressed by itself, unless the whole stream is. */
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

/** A frame may come in several messages: its end is the flush's four bytes, as at Discord. */
function createStreamWire(socket: WebSocket): BareWire {
  const deflate = createDeflate();
  let unsaid = 0;
  let close: (() => void) | undefined;
  deflate.on("data", (part: Buffer) => socket.send(part));
  socket.once("close", () => deflate.destroy());

  /** A flush would be a frame of its own, so a close waits for those that are on their way. */
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
      // Discord compresses once only.
    },
  };
}
