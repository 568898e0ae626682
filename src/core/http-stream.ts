// Requests whose bytes pass through and are never held whole: a file on its way from one service to another.
import type { Readable } from "node:stream";
import { request as send } from "undici";
import { ServiceError } from "./errors.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";
import { chooseDispatcher, flattenHeaders, untilAborted, type AttemptDependencies } from "./http-attempt.ts";
import { BodyEncodingError } from "./http-body-limit.ts";
import { type AttemptProgress, explainFailure, TimeoutReason } from "./http-failure.ts";
import { watchIdle } from "./http-stream-idle.ts";
import { passThrough } from "./http-stream-pass.ts";

/** A request without a limit of time as a whole: large files take as long as they take. Sent once, never again. */
export interface HttpStreamRequest extends Pick<
  HttpRequest,
  "service" | "verb" | "url" | "headers" | "maxBytes" | "signal" | "guard"
> {
  /** How long nothing may move, on the clock. A reader that takes its time does not count. */
  readonly idleMs: number;
}

/** A body that is sent as it is read. */
export interface HttpUpload extends HttpStreamRequest, Required<Pick<HttpRequest, "body">> {
  readonly method: "POST" | "PUT";
}

/** What came back, while it still comes. */
export interface HttpStreamAnswer extends Omit<HttpAnswer, "bytes"> {
  /** To be read to its end or destroyed; fails with the ServiceErrors that {@link HttpStreams.open} throws. */
  readonly body: Readable;
}

/** The door's other half: for what is too large to be held. */
export interface HttpStreams {
  /**
   * GETs something and hands over its body as it comes, as fast as it is read. Any status is an answer. Throws, until
   * and after the answer begins, what `Http.request` throws for a GET; a compressed body is an `unexpected-answer`.
   */
  open(request: HttpStreamRequest): Promise<HttpStreamAnswer>;
  /**
   * Sends a stream of known length, as fast as it is taken, and reads the answer whole. Throws what `Http.request`
   * throws for a write, but `outcome-unknown` only if all of it was sent, then also when it is aborted: before that it
   * cannot have been accepted. What the stream fails with comes out as it is, where it is one of our own errors.
   */
  upload(request: HttpUpload): Promise<HttpAnswer>;
}

/** Opens an answer; see {@link HttpStreams.open}. */
export async function openStream(
  { clock, log, connections }: AttemptDependencies,
  request: HttpStreamRequest,
  signal: AbortSignal,
): Promise<HttpStreamAnswer> {
  const { service, verb, idleMs } = request;
  const startedAt = clock.now();
  const progress: AttemptProgress = { sent: false, status: undefined };
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const idle = watchIdle(clock, idleMs, () => stop.abort(new TimeoutReason(`nothing came for ${idleMs} ms`)));
  const release = (): void => {
    idle.stop();
    signal.removeEventListener("abort", onAbort);
  };
  const explain = (error: unknown): unknown => {
    const failure = explainFailure(error, { ...request, method: "GET" }, progress, signal.aborted);
    const kind = failure instanceof ServiceError ? failure.kind : "bug";
    const fields = { service, verb, kind, status: progress.status, milliseconds: clock.now() - startedAt };
    log[kind === "aborted" ? "debug" : "warn"](fields, "a request failed");
    return failure;
  };

  try {
    signal.throwIfAborted();
    const { statusCode, ...response } = await untilAborted(
      send(request.url, {
        headers: { ...request.headers, "accept-encoding": "identity" },
        dispatcher: chooseDispatcher(connections, request),
        signal: stop.signal,
      }),
      stop.signal,
    );
    progress.status = statusCode;
    const headers = flattenHeaders(response.headers);
    log.debug({ service, verb, status: statusCode, milliseconds: clock.now() - startedAt }, "a body begins");
    if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
      response.body.on("error", () => {}).destroy();
      throw new BodyEncodingError("the body is compressed");
    }
    const body = passThrough(response.body, { maxBytes: request.maxBytes, explain, onBytes: idle.touch });
    idle.onlyWhile(() => !body.writableNeedDrain);
    body.once("close", release);
    return { status: statusCode, headers, body };
  } catch (error) {
    release();
    throw explain(error);
  }
}
