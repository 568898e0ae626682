// Reads a source window by window: in one go as long as the windows follow each other, anew from where they do not.
import type { Readable } from "node:stream";
import { ServiceError } from "../../core/errors.ts";
import type { FileSource } from "../../core/file-source.ts";

export interface SourceCursor {
  /** The bytes from `startByte` up to, not including, `endByte`. To be read or left before the next are taken. */
  take(startByte: number, endByte: number): AsyncIterable<Uint8Array>;
  /** Lets go of the source. */
  close(): void;
}

interface Reading {
  readonly stream: Readable;
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Read, but not yet handed out. */
  rest: Uint8Array;
  /** Of the next byte to be handed out. */
  positionByte: number;
}

/** `onTaken` is told how far the bytes handed out reach. */
export function createSourceCursor(source: FileSource, onTaken: (byte: number) => void): SourceCursor {
  /** Held between two takes, while nobody reads it. */
  let resting: Reading | undefined;
  let active: Reading | undefined;
  /** Counts takes: one that was overtaken while it still opened lets go by itself. */
  let turn = 0;

  async function openAt(startByte: number, own: number): Promise<Reading> {
    const kept = resting;
    resting = undefined;
    letGo(active);
    if (kept?.positionByte === startByte) {
      active = kept;
      return kept;
    }
    letGo(kept);
    const stream = await source.open(startByte);
    const opened = {
      stream,
      chunks: stream[Symbol.asyncIterator](),
      rest: new Uint8Array(),
      positionByte: startByte,
    };
    if (own === turn) {
      active = opened;
    } else {
      letGo(opened);
    }
    return opened;
  }

  async function* read(startByte: number, endByte: number, own: number): AsyncGenerator<Uint8Array> {
    const from = await openAt(startByte, own);
    let isWhole = false;
    try {
      while (!isWhole) {
        const bytes = (await takeChunk(from)).subarray(0, endByte - from.positionByte);
        from.rest = from.rest.subarray(bytes.byteLength);
        from.positionByte += bytes.byteLength;
        isWhole = from.positionByte === endByte;
        onTaken(from.positionByte);
        if (isWhole && own === turn) {
          [resting, active] = [from, undefined];
        }
        yield bytes;
      }
    } finally {
      if (!isWhole) {
        letGo(from);
      }
    }
  }

  return {
    take(startByte, endByte) {
      turn += 1;
      return read(startByte, endByte, turn);
    },
    close() {
      turn += 1;
      letGo(active);
      letGo(resting);
    },
  };
}

async function takeChunk(from: Reading): Promise<Uint8Array> {
  if (from.rest.byteLength === 0) {
    const next = await from.chunks.next();
    if (next.done === true) {
      throw new ServiceError("source", "unexpected-answer", "the file ended before its announced size");
    }
    from.rest = next.value;
  }
  return from.rest;
}

function letGo(reading: Reading | undefined): void {
  reading?.stream.on("error", () => {}).destroy();
}
