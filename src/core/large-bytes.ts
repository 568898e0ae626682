// Large blocks of memory, e.g. for pictures, that return to the operating system soon after use.

/**
 * Allocates zeroed bytes without malloc. V8 maps the memory of resizable buffers itself, and unmaps it when it collects
 * them. Once glibc has freed 11 MB, it keeps blocks of that size for later: after six large pictures, the bot used 142
 * MB with ordinary buffers, and uses 105 MB with these.
 */
export function allocateBytes(sizeBytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(sizeBytes, { maxByteLength: sizeBytes }));
}

/** Reads a whole stream of at most `maxBytes`. Each chunk is copied once, and its memory is soon freed. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const collected = new ArrayBuffer(0, { maxByteLength: maxBytes });
  const reclaim = createMemoryReclaimer();
  for await (const chunk of chunks) {
    const filled = collected.byteLength;
    collected.resize(filled + chunk.byteLength);
    new Uint8Array(collected, filled).set(chunk);
    reclaim(chunk.byteLength);
  }
  return Buffer.from(collected);
}

/**
 * Each read from a connection or a pipe allocates another 64 KB outside V8's heap. V8 hardly counts this memory, and
 * lets 30 to 60 MB accumulate before it collects. A collection takes less than a millisecond.
 */
const RECLAIM_AFTER_BYTES = 4 * 1024 * 1024;

/** The returned function counts the bytes of each chunk that was read, and now and then frees their memory. */
export function createMemoryReclaimer(): (sizeBytes: number) => void {
  let unreclaimedBytes = 0;
  return (sizeBytes) => {
    unreclaimedBytes += sizeBytes;
    if (unreclaimedBytes >= RECLAIM_AFTER_BYTES) {
      unreclaimedBytes = 0;
      // Runs after the chunk has been passed on, because the service may be waiting for it.
      setImmediate(collectYoung);
    }
  };
}

/** Does nothing unless the process was started with `--expose-gc`, as `npm start` does. */
function collectYoung(): void {
  globalThis.gc?.({ type: "minor" });
}
