// What frames travel on: a socket, with Discord's two ways to compress what the server says.
import { constants, createDeflate, deflateSync } from "node:zlib";
import type { WebSocket } from "ws";

export interface Wire {
  /** Nothing where the socket is closed. */
  send(text: string): void;
  /** After what was sent before. */
  close(code: number, reason?: string): void;
  /** Tears the socket, without a word. */
  terminate(): void;
  /** From now on each frame is compressed by itself, unless the whole stream is. */
  compressFrames(): void;
}

/** `isStream`: all frames are one zlib stream, flushed after each frame (`compress=zlib-stream`). */
export function createWire(socket: WebSocket, isStream: boolean): Wire {
  return isStream ? createStreamWire(socket) : createFrameWire(socket);
}

function createFrameWire(socket: WebSocket): Wire {
  let isCompressed = false;
  return {
    send: (text) => socket.send(isCompressed ? deflateSync(text) : text),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    compressFrames() {
      isCompressed = true;
    },
  };
}

/** A frame may come in several messages: its end is the flush's four bytes, as at Discord. */
function createStreamWire(socket: WebSocket): Wire {
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
    terminate: () => socket.terminate(),
    compressFrames() {
      // Discord compresses once only.
    },
  };
}
