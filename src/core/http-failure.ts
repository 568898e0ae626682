// Gives what went wrong in an attempt the name that the rest of the program decides by.
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ServiceError, type ServiceErrorKind, UserError } from "./errors.ts";
import type { HttpRequest } from "./http-types.ts";
import { RefusedUrlError } from "./url-guard.ts";

export interface AttemptProgress {
  /** Whether any of the request may have left the machine. */
  sent: boolean;
  /** The answer's status, once its head has arrived. */
  status: number | undefined;
}

/** Why our own time-out stops a request; the message says what did not come in time. */
export class TimeoutReason extends Error {
  override readonly name = "TimeoutReason";
}

/**
 * Turns what an attempt threw into a ServiceError. Our own errors that come out of the body being sent stay as they
 * are (it was cut short, so it cannot have been accepted), and so does undici's refusal of a malformed call: a bug.
 */
export function explainFailure(
  error: unknown,
  request: Pick<HttpRequest, "service" | "verb" | "method" | "maxBytes">,
  progress: AttemptProgress,
  aborted: boolean,
): unknown {
  if (aborted) {
    return failure("aborted", "given up");
  }
  if (error instanceof ServiceError || error instanceof UserError || isMisuse(error)) {
    return error;
  }
  const [kind, message] = describeError(error, request.maxBytes);
  const plain = failure(kind, message);
  return request.method !== "GET" && progress.sent
    ? failure("outcome-unknown", `sent, but its answer was lost: ${kind}: ${message}`, plain)
    : plain;

  function failure(failureKind: ServiceErrorKind, text: string, cause = error): ServiceError {
    const details = { status: progress.status, cause };
    return new ServiceError(request.service, failureKind, `${request.verb}: ${text}`, details);
  }
}

function describeError(error: unknown, maxBytes: number): [ServiceErrorKind, string] {
  if (error instanceof TimeoutReason) {
    return ["timeout", error.message];
  }
  if (error instanceof BodyTooLargeError) {
    return ["too-large", `the answer passes ${maxBytes} bytes`];
  }
  if (error instanceof BodyEncodingError || error instanceof RefusedUrlError) {
    return ["unexpected-answer", error.message];
  }
  const code = errorCode(error);
  return code === "UND_ERR_CONNECT_TIMEOUT"
    ? ["timeout", "no connection in time"]
    : ["unavailable", code ?? "the connection failed"];
}

function isMisuse(error: unknown): boolean {
  return ["UND_ERR_INVALID_ARG", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"].includes(errorCode(error) ?? "");
}

/** Node's and undici's word for it, e.g. `ECONNREFUSED`. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

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
