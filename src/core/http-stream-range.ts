// Goes on reading a file in the middle.
import { Transform, type Readable } from "node:stream";
import { ServiceError } from "./errors.ts";
import type { HttpStreamAnswer, HttpStreamRequest, HttpStreams } from "./http-types.ts";

/**
 * Opens what an address holds from a byte on (0 for all). Where the server knows no ranges, what comes before is read
 * and thrown away. A status other than 200 and 206 is handed back for the caller to judge. Throws what
 * {@link HttpStreams.open} throws, and `unexpected-answer` for a range that nobody asked for.
 */
export async function openFrom(
  http: Pick<HttpStreams, "open">,
  request: HttpStreamRequest,
  fromByte: number,
): Promise<HttpStreamAnswer> {
  if (fromByte === 0) {
    return http.open(request);
  }
  const answer = await http.open({
    ...request,
    headers: { ...request.headers, range: `bytes=${fromByte}-` },
  });
  const { status, headers, body } = answer;
  if (status === 206 && !headers["content-range"]?.startsWith(`bytes ${fromByte}-`)) {
    body.on("error", () => {}).destroy();
    const { service, verb } = request;
    throw new ServiceError(service, "unexpected-answer", `${verb}: another range than was asked for`, {
      status,
    });
  }
  return status === 200 ? { ...answer, body: skip(body, fromByte) } : answer;
}

function skip(body: Readable, bytes: number): Readable {
  let left = bytes;
  const rest = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const skipped = Math.min(left, chunk.byteLength);
      left -= skipped;
      done(null, skipped === chunk.byteLength ? undefined : chunk.subarray(skipped));
    },
  });
  body.on("error", (error) => rest.destroy(error));
  rest.once("close", () => body.destroy());
  return body.pipe(rest);
}
