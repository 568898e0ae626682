// Sends a stream and keeps an eye on how far it came.
import { Readable, Transform, finished } from "node:stream";
import { request as send } from "undici";
import { ServiceError } from "./errors.ts";
import type { HttpAnswer, HttpBodyContent } from "./http.ts";
import { chooseDispatcher, flattenHeaders, untilAborted, type AttemptDependencies } from "./http-attempt.ts";
import { readLimitedBody } from "./http-body-limit.ts";
import { type AttemptProgress, explainFailure, TimeoutReason } from "./http-failure.ts";
import type { HttpUpload } from "./http-stream.ts";
import { watchIdle } from "./http-stream-idle.ts";

/** Sends once; see `HttpStreams.upload`. */
export async function sendStream(
  { clock, log, connections }: AttemptDependencies,
  request: HttpUpload,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { service, verb, idleMs } = request;
  const startedAt = clock.now();
  const progress: AttemptProgress = { sent: false, status: undefined };
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const idle = watchIdle(clock, idleMs, () =>
    stop.abort(new TimeoutReason(`nothing moved for ${idleMs} ms`)),
  );
  let content: Readable | undefined;
  try {
    signal.throwIfAborted();
    const dispatcher = chooseDispatcher(connections, request);
    const body = request.body();
    content = watchContent(body.content, idle.touch, () => (progress.sent = true));
    const answer = await untilAborted(exchange({ ...body, content }), stop.signal);
    log.debug(
      { service, verb, status: answer.status, milliseconds: clock.now() - startedAt },
      "a service answered",
    );
    return answer;

    async function exchange({ headers, content: bytes }: HttpBodyContent): Promise<HttpAnswer> {
      const response = await send(request.url, {
        method: request.method,
        headers: { ...request.headers, ...headers, "accept-encoding": "gzip" },
        body: bytes,
        dispatcher,
        signal: stop.signal,
      });
      idle.touch();
      progress.status = response.statusCode;
      const found = flattenHeaders(response.headers);
      const read = await readLimitedBody(response.body, found["content-encoding"], request.maxBytes);
      return { status: response.statusCode, headers: found, bytes: read };
    }
  } catch (error) {
    // Whoever gives up when all is sent cannot know whether it was taken.
    const isGivenUp = signal.aborted && !progress.sent;
    const failure = explainFailure(error, request, progress, isGivenUp);
    const kind = failure instanceof ServiceError ? failure.kind : "bug";
    const fields = { service, verb, kind, status: progress.status, milliseconds: clock.now() - startedAt };
    log[kind === "aborted" ? "debug" : "warn"](fields, "a request failed");
    throw failure;
  } finally {
    idle.stop();
    signal.removeEventListener("abort", onAbort);
    content?.on("error", () => {}).destroy();
  }
}

/** The same bytes; tells of each chunk that is taken, and of the end. */
function watchContent(content: Uint8Array | Readable, onBytes: () => void, onEnd: () => void): Readable {
  const source = content instanceof Readable ? content : Readable.from([content]);
  const watched = new Transform({
    transform(chunk, _encoding, done) {
      onBytes();
      done(null, chunk);
    },
  });
  finished(source, { writable: false }, (error) => error && watched.destroy(error));
  watched.once("end", onEnd);
  watched.once("close", () => source.on("error", () => {}).destroy());
  return source.pipe(watched);
}
