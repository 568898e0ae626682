// Bytes by the megabyte, such as pictures, which the bot holds whole for a while and then gives back to the system.

/**
 * Allocates zeros outside of malloc: V8 maps by itself what may be resized, and unmaps it when it is collected. Once glibc has
 * freed 11 MB, it keeps blocks of that size for later: after six large pictures the bot had 142 MB with it, and has 105 without.
 */
export function allocateBytes(sizeBytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(sizeBytes, { maxByteLength: sizeBytes }));
}

/** Collects a stream of at most `maxBytes`, each chunk copied once and soon freed. */
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
 * Each read from a connection or a pipe allocates another 64 KB outside V8's heap. V8 hardly counts them, and lets 30 to 60 MB
 * pile up before it collects. A collection takes less than a millisecond.
 */
const TIDY_AFTER_BYTES = 4 * 1024 * 1024;

/** Is told of the bytes that have been read, and frees their chunks now and then, behind the one that it is told of. */
export function createMemoryReclaimer(): (sizeBytes: number) => void {
  let untidyBytes = 0;
  return (sizeBytes) => {
    untidyBytes += sizeBytes;
    if (untidyBytes >= TIDY_AFTER_BYTES) {
      untidyBytes = 0;
      // Only after the chunk has been passed on: the service may be waiting for this one to finish.
      setImmediate(collectYoung);
    }
  };
}

/** Does nothing unless the process was started with `--expose-gc`, as by `npm start`. */
function collectYoung(): void {
  globalThis.gc?.({ type: "minor" });
}
