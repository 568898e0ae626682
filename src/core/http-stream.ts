// Opens what is too large to be held: its bytes are handed over as they come.
import { Readable, Transform, finished } from "node:stream";
import {
  type AttemptDependencies,
  AttemptFailure,
  beginAttempt,
  chooseDispatcher,
  discard,
  exchange,
  flattenHeaders,
  tooLarge,
} from "./http-attempt.ts";
import type { HttpAnswer, HttpBodyContent, HttpStreamAnswer, HttpStreamRequest, HttpUpload } from "./http.ts";
import { untilAborted } from "./clock.ts";
import { createMemoryReclaimer } from "./large-bytes.ts";
import { loadUndici } from "./late-libraries.ts";

/** Opens an answer; see `Http.open`. */
export async function openStream(
  dependencies: AttemptDependencies,
  request: HttpStreamRequest,
  signal: AbortSignal,
): Promise<HttpStreamAnswer> {
  const attempt = beginAttempt(dependencies, { ...request, method: "GET" }, signal);
  const { progress } = attempt;
  const explain = (error: unknown): unknown => attempt.explain(error, signal.aborted);
  try {
    signal.throwIfAborted();
    const response = await untilAborted(
      loadUndici().request(request.url, {
        headers: { ...request.headers, "accept-encoding": "identity" },
        dispatcher: chooseDispatcher(dependencies.connections, request),
        signal: attempt.signal,
      }),
      attempt.signal,
    );
    progress.status = response.statusCode;
    const headers = flattenHeaders(response.headers);
    attempt.logAnswer("body begun");
    if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
      discard(response.body);
      throw new AttemptFailure("unexpected-answer", "the body is compressed");
    }
    const body = passThrough(response.body, { maxBytes: request.maxBytes, explain, onBytes: attempt.touch });
    attempt.waitOnlyWhile(() => !body.writableNeedDrain);
    body.once("close", () => attempt.end());
    return { status: response.statusCode, headers, body };
  } catch (error) {
    const failure = explain(error);
    attempt.end();
    throw failure;
  }
}

// The bytes of an answer on their way through the bot: counted, a few of them read ahead, their memory freed at once.

/**
 * Chunks of up to 64 KB that are read ahead, so that the next piece is ready when the service wants it. With more, some
 * survive two collections, and V8 then treats them as old: measured for 500 MB, the process grew by at most 19 MB with 16
 * chunks, by 26 with 32 and by 39 with 64, and was no faster.
 */
const CHUNKS_AHEAD = 16;
/** The same bytes, as fast as they are read; destroying it closes the connection. */
function passThrough(
  source: Readable,
  {
    maxBytes,
    onBytes,
    ...options
  }: {
    /** More is `too-large`, explained. */
    readonly maxBytes: number;
    /** Gives a failure the name that the reader sees; for an Error, an Error. */
    readonly explain: (error: unknown) => unknown;
    /** Called for each chunk. */
    readonly onBytes: () => void;
  },
): Transform {
  // What it gives back for an Error is one.
  const explain = options.explain as (error: Error) => Error;
  let totalBytes = 0;
  const reclaim = createMemoryReclaimer();
  const passing = new Transform({
    // Chunk by chunk: a reader of bytes would be given a copy of all that is there.
    readableObjectMode: true,
    readableHighWaterMark: CHUNKS_AHEAD,
    transform(chunk: Uint8Array, _encoding, done) {
      totalBytes += chunk.byteLength;
      onBytes();
      if (totalBytes > maxBytes) {
        done(explain(tooLarge(maxBytes)));
        return;
      }
      reclaim(chunk.byteLength);
      done(null, chunk);
    },
  });
  finished(source, { writable: false }, (error) => {
    if (error && !passing.destroyed) {
      passing.destroy(explain(error));
    }
  });
  passing.once("close", () => discard(source));
  return source.pipe(passing);
}

/** Sends once; see `Http.upload`. */
export async function sendStream(
  dependencies: AttemptDependencies,
  request: HttpUpload,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const attempt = beginAttempt(dependencies, request, signal);
  const { progress } = attempt;
  let content: Readable | undefined;
  try {
    signal.throwIfAborted();
    const dispatcher = chooseDispatcher(dependencies.connections, request);
    const body = request.body();
    content = watchContent(body, (isLast) => {
      attempt.touch();
      progress.sent = isLast;
    });
    const way = { ...attempt, dispatcher, onHead: attempt.touch };
    const exchanging = exchange(request, { headers: body.headers, content }, way);
    const answer = await untilAborted(exchanging, attempt.signal);
    attempt.logAnswer("service answered");
    return answer;
  } catch (error) {
    // After an abort when all is sent, nobody knows whether it was accepted.
    throw attempt.explain(error, signal.aborted && !progress.sent);
  } finally {
    attempt.end();
    if (content) {
      discard(content);
    }
  }
}

/**
 * The body as a stream; calls back for each chunk just before it is sent, with whether it is the last. A listener only: one
 * more stream in between costs more than all that is done here. Of a body without a length, any may be the last.
 */
function watchContent({ headers, content }: HttpBodyContent, onChunk: (isLast: boolean) => void): Readable {
  const stream = content instanceof Readable ? content : Readable.from([content]);
  let leftBytes = content instanceof Readable ? Number(headers["content-length"]) : content.byteLength;
  // Paused, since a listener to bytes sets them going.
  return stream.pause().on("data", (chunk: Uint8Array) => {
    leftBytes -= chunk.byteLength;
    onChunk(!(leftBytes > 0));
  });
}
