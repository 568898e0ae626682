// The bytes of an answer on their way through the bot: counted, a little of them ahead, none of them left lying about.
import { Transform, finished, type Readable } from "node:stream";
import { BodyTooLargeError } from "./http-body-limit.ts";

export interface PassOptions {
  /** More is a {@link BodyTooLargeError}, explained. */
  readonly maxBytes: number;
  /** Gives a failure the name that the reader sees; for an Error, an Error. */
  readonly explain: (error: unknown) => unknown;
  /** Told of each chunk that comes. */
  readonly onBytes: () => void;
}

/**
 * Chunks of up to 64 KB that are read ahead while nobody takes them, so that the next piece is at hand when the service
 * has thought about the last. With twice as many, each is still there when V8 tidies up for the second time and from
 * then on counts as old: measured, the process grows by 39 MB instead of 16.
 */
const CHUNKS_AHEAD = 32;
/**
 * Each read from a connection takes 64 KB anew. They weigh next to nothing in V8's scales: without a word it lets 30 to
 * 60 MB of them lie about before it tidies up, which takes less than a millisecond.
 */
const TIDY_AFTER_BYTES = 4 * 1024 * 1024;

/** The same bytes, as fast as they are read; whoever destroys it closes the connection. */
export function passThrough(source: Readable, { maxBytes, onBytes, ...options }: PassOptions): Transform {
  // What it gives back for an Error is one.
  const explain = options.explain as (error: Error) => Error;
  let totalBytes = 0;
  let untidyBytes = 0;
  const passing = new Transform({
    // Chunk by chunk: a reader of bytes would be given a copy of all that is there.
    readableObjectMode: true,
    readableHighWaterMark: CHUNKS_AHEAD,
    transform(chunk: Uint8Array, _encoding, done) {
      totalBytes += chunk.byteLength;
      onBytes();
      if (totalBytes > maxBytes) {
        done(explain(new BodyTooLargeError(`more than ${maxBytes} bytes`)));
        return;
      }
      untidyBytes += chunk.byteLength;
      if (untidyBytes >= TIDY_AFTER_BYTES) {
        untidyBytes = 0;
        // There only where the process was started with --expose-gc, as `npm start` does.
        globalThis.gc?.({ type: "minor" });
      }
      done(null, chunk);
    },
  });
  finished(source, { writable: false }, (error) => {
    if (error && !passing.destroyed) {
      passing.destroy(explain(error));
    }
  });
  passing.once("close", () => source.on("error", () => {}).destroy());
  return source.pipe(passing);
}
