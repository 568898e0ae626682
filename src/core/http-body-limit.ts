// Takes in an answer's body without ever holding more than was allowed.
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** The body passes its limit, on the wire or after decompression. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/** The body cannot be decompressed: a coding we did not ask for, or broken gzip. */
export class BodyEncodingError extends Error {
  override readonly name = "BodyEncodingError";
}

/**
 * Reads a body whole and decompresses it. Stops at the first chunk past `maxBytes`, which are counted both as they
 * arrive and as they come out of the gunzip: ten kilobytes of gzip can hold ten megabytes of zeros.
 * `encoding` is the `content-encoding` header. Throws {@link BodyTooLargeError}, {@link BodyEncodingError}, or what
 * the stream failed with.
 */
export async function readLimitedBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk);
    }
  };
  const coding = (encoding ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") {
    await pipeline(body, limitBytes(maxBytes), collect);
  } else if (coding === "gzip" || coding === "x-gzip") {
    await pipeline(body, limitBytes(maxBytes), createGunzip(), limitBytes(maxBytes), collect).catch(
      (error: unknown) => {
        throw isGzipError(error) ? new BodyEncodingError("the gzip is broken", { cause: error }) : error;
      },
    );
  } else {
    // Without a reader the body would wait for ever, and its connection with it.
    body.on("error", () => {}).destroy();
    throw new BodyEncodingError("the content coding is not gzip");
  }
  return Buffer.concat(chunks);
}

function limitBytes(maxBytes: number) {
  return async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let totalBytes = 0;
    for await (const chunk of source) {
      totalBytes += chunk.byteLength;
      if (totalBytes > maxBytes) {
        throw new BodyTooLargeError(`more than ${maxBytes} bytes`);
      }
      yield chunk;
    }
  };
}

function isGzipError(error: unknown): boolean {
  // zlib's codes, e.g. Z_DATA_ERROR, or Z_BUF_ERROR for an end that comes too early.
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
