// Sends a stream and keeps an eye on how far it came.
import { Readable } from "node:stream";
import { request as send } from "undici";
import { chooseDispatcher, flattenHeaders, untilAborted, type AttemptDependencies } from "./http-attempt.ts";
import { readLimitedBody } from "./http-body-limit.ts";
import { beginStream } from "./http-stream-attempt.ts";
import type { HttpAnswer, HttpBodyContent, HttpUpload } from "./http-types.ts";

/** Sends once; see `HttpStreams.upload`. */
export async function sendStream(
  dependencies: AttemptDependencies,
  request: HttpUpload,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { progress, idle, ...attempt } = beginStream(dependencies, request, signal);
  let content: Readable | undefined;
  try {
    signal.throwIfAborted();
    const dispatcher = chooseDispatcher(dependencies.connections, request);
    const body = request.body();
    content = watchContent(body, (isLast) => {
      idle.touch();
      progress.sent = isLast;
    });
    const answer = await untilAborted(exchange(body.headers, content), attempt.signal);
    attempt.tell("a service answered");
    return answer;

    async function exchange(headers: HttpBodyContent["headers"], bytes: Readable): Promise<HttpAnswer> {
      const response = await send(request.url, {
        method: request.method,
        headers: { ...request.headers, ...headers, "accept-encoding": "gzip" },
        body: bytes,
        dispatcher,
        signal: attempt.signal,
      });
      idle.touch();
      progress.status = response.statusCode;
      const found = flattenHeaders(response.headers);
      const read = await readLimitedBody(response.body, found["content-encoding"], request.maxBytes);
      return { status: response.statusCode, headers: found, bytes: read };
    }
  } catch (error) {
    throw attempt.explain(error);
  } finally {
    attempt.release();
    content?.on("error", () => {}).destroy();
  }
}

/**
 * The body as a stream; tells of each chunk just before it is sent, and whether it is the last. Only looked at: one
 * more stream in between costs more than all that is done here. Of a body without a length, any may be the last.
 */
function watchContent({ headers, content }: HttpBodyContent, onChunk: (isLast: boolean) => void): Readable {
  const stream = content instanceof Readable ? content : Readable.from([content]);
  let leftBytes = content instanceof Readable ? Number(headers["content-length"]) : content.byteLength;
  // Paused, for whoever listens to bytes sets them going.
  return stream.pause().on("data", (chunk: Uint8Array) => {
    leftBytes -= chunk.byteLength;
    onChunk(!(leftBytes > 0));
  });
}
