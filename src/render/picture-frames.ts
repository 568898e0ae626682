// The format of messages with pictures in a pipe: the length of a head, the head as JSON, then the bytes of the
// pictures. Node's own messages between processes would copy each picture twice on the event loop.
import type { Readable, Writable } from "node:stream";
import { allocateBytes, createMemoryReclaimer } from "../core/large-bytes.ts";

export interface Frame {
  readonly message: unknown;
  readonly pictures: readonly Uint8Array[];
}

const LENGTH_BYTES = 4;
const MAX_HEAD_BYTES = 16_384;
/** Four bytes for each of 40 million pixels, the largest picture that the bot handles. */
const MAX_PICTURE_BYTES = 160_000_000;
const MAX_PICTURES = 11;

/** Writes a message to a pipe. Does not wait until it has been read. */
export function writeFrame(pipe: Writable, message: object, pictures: readonly Uint8Array[]): void {
  const sizes = pictures.map(({ byteLength }) => byteLength);
  const head = Buffer.from(JSON.stringify({ message, sizes }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  for (const bytes of [length, head, ...pictures]) {
    pipe.write(bytes);
  }
}

/** Returns a function that reads the next message; `undefined` if the pipe ends or contains anything else. */
export function createFrameReader(pipe: Readable): () => Promise<Frame | undefined> {
  const take = createTaker(pipe);
  return async () => {
    const length = (await take(LENGTH_BYTES))?.readUInt32BE() ?? Infinity;
    const head = length <= MAX_HEAD_BYTES ? parseHead(await take(length)) : undefined;
    const pictures: Uint8Array[] = [];
    for (const size of head?.sizes ?? []) {
      const bytes = await take(size);
      if (bytes === undefined) {
        return undefined;
      }
      pictures.push(bytes);
    }
    return head && { message: head.message, pictures };
  };
}

/** Reads this many bytes from a pipe and copies each chunk once; `undefined` if the pipe ends. */
function createTaker(pipe: Readable): (sizeBytes: number) => Promise<Buffer | undefined> {
  // A pipe yields buffers unless somebody sets an encoding, and nobody does.
  const chunks = pipe[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  const reclaim = createMemoryReclaimer();
  return async (sizeBytes) => {
    const taken = allocateBytes(sizeBytes);
    let filled = 0;
    for (;;) {
      const copied = rest.copy(taken, filled);
      filled += copied;
      rest = rest.subarray(copied);
      if (filled === sizeBytes) {
        return taken;
      }
      const next = await chunks.next().catch(() => undefined);
      if (next === undefined || next.done) {
        return undefined;
      }
      rest = next.value;
      reclaim(rest.byteLength);
    }
  };
}

interface Head {
  readonly message: unknown;
  readonly sizes: readonly number[];
}

function parseHead(bytes: Buffer | undefined): Head | undefined {
  try {
    const { message, sizes } = Object(JSON.parse(String(bytes)));
    const isGood = Array.isArray(sizes) && sizes.length <= MAX_PICTURES && sizes.every(isPictureSize);
    return isGood ? { message, sizes } : undefined;
  } catch {
    return undefined;
  }
}

function isPictureSize(size: unknown): size is number {
  return Number.isSafeInteger(size) && Number(size) >= 0 && Number(size) <= MAX_PICTURE_BYTES;
}
