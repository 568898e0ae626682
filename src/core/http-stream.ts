// Opens what is too large to be held: its bytes are handed over as they come.
import { request as send } from "undici";
import { chooseDispatcher, flattenHeaders, untilAborted, type AttemptDependencies } from "./http-attempt.ts";
import { BodyEncodingError } from "./http-body-limit.ts";
import { beginStream } from "./http-stream-attempt.ts";
import { passThrough } from "./http-stream-pass.ts";
import type { HttpStreamAnswer, HttpStreamRequest } from "./http-types.ts";

/** Opens an answer; see `HttpStreams.open`. */
export async function openStream(
  dependencies: AttemptDependencies,
  request: HttpStreamRequest,
  signal: AbortSignal,
): Promise<HttpStreamAnswer> {
  const { progress, idle, ...attempt } = beginStream(dependencies, { ...request, method: "GET" }, signal);
  const { explain } = attempt;
  try {
    signal.throwIfAborted();
    const response = await untilAborted(
      send(request.url, {
        headers: { ...request.headers, "accept-encoding": "identity" },
        dispatcher: chooseDispatcher(dependencies.connections, request),
        signal: attempt.signal,
      }),
      attempt.signal,
    );
    progress.status = response.statusCode;
    const headers = flattenHeaders(response.headers);
    attempt.tell("a body begins");
    if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
      response.body.on("error", () => {}).destroy();
      throw new BodyEncodingError("the body is compressed");
    }
    const body = passThrough(response.body, { maxBytes: request.maxBytes, explain, onBytes: idle.touch });
    idle.onlyWhile(() => !body.writableNeedDrain);
    body.once("close", attempt.release);
    return { status: response.statusCode, headers, body };
  } catch (error) {
    const failure = explain(error);
    attempt.release();
    throw failure;
  }
}
