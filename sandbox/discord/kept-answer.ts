// Keeps the beginning of the answer to a request.
import type { ServerResponse } from "node:http";

/** The most bytes of an answer that are kept. */
const KEPT_BYTES = 64 * 1024;

export type KeptAnswer = ReturnType<typeof keepAnswer>;

/** Records what is written to a response from now on. */
export function keepAnswer(response: ServerResponse) {
  const parts: Uint8Array[] = [];
  let left = KEPT_BYTES;
  let isCut = false;

  function keep(part: unknown): void {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    if (bytes instanceof Uint8Array) {
      isCut ||= bytes.byteLength > left;
      parts.push(bytes.subarray(0, left));
      left -= Math.min(left, bytes.byteLength);
    }
  }

  const write = response.write.bind(response);
  const end = response.end.bind(response);
  // `write` has several signatures, all of which begin with the chunk; the other arguments are passed on unchanged.
  response.write = ((...given: unknown[]): unknown => {
    keep(given[0]);
    return Reflect.apply(write, response, given);
  }) as ServerResponse["write"];
  // As above.
  response.end = ((...given: unknown[]): unknown => {
    keep(given[0]);
    return Reflect.apply(end, response, given);
  }) as ServerResponse["end"];

  return {
    /** The beginning of the body as it was sent; empty if there was none. */
    text: () => Buffer.concat(parts).toString("utf8"),
    /** Whether there was more. */
    get isCut() {
      return isCut;
    },
  };
}
