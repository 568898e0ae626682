// Posts JSON as fast as possible, for answers that somebody is waiting for. It has its own connections, which stay
// open, no retries, and no time limit on the injected clock.
import type { Dispatcher, Pool } from "undici";
import { loadUndici } from "./late-libraries.ts";

/** An answer. `body` is the parsed JSON, or empty if the answer is not JSON. */
export interface PostAnswer {
  readonly status: number;
  readonly body: object;
}

/** One for each simultaneous answer: with a quarter as many, a thousand answers took twice as long. */
const MAX_CONNECTIONS = 1_024;
const KEEP_ALIVE_MS = 30_000;
/** A last resort: callers give up earlier. */
const SILENCE_MS = 10_000;

export function createPoster(origin: string, headers: Readonly<Record<string, string>>) {
  const allHeaders = Object.entries({ ...headers, "content-type": "application/json" }).flat();
  let pool: Pool | undefined;

  function open(): Pool {
    pool ??= new (loadUndici().Pool)(origin, {
      connections: MAX_CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connect: { timeout: SILENCE_MS },
      allowH2: false,
    });
    return pool;
  }

  return {
    /** Loads the library in advance, so that the first post is as fast as the others. */
    open: (): void => void open(),
    /** Returns the answer, whatever its status. Throws undici's errors, and a SyntaxError if the JSON is invalid. */
    post(path: string, json: object): Promise<PostAnswer> {
      const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
      const request = { path, method: "POST", headers: allHeaders, body: JSON.stringify(json) } as const;
      open().dispatch(request, readAnswer(resolve, reject));
      return promise;
    },
    close: async (): Promise<void> => pool?.destroy(),
  };
}

/** Reads a whole answer. undici's own `request` creates a stream for each answer, even for one without a body. */
function readAnswer(
  resolve: (answer: PostAnswer) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let status = 0;
  let isJson = false;
  return {
    onRequestStart() {},
    onResponseStart(_, statusCode, { "content-type": type }) {
      status = statusCode;
      isJson = type?.includes("json") === true;
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      try {
        resolve({ status, body: isJson ? Object(JSON.parse(Buffer.concat(chunks).toString())) : {} });
      } catch (error) {
        reject(error);
      }
    },
    onResponseError(_, error) {
      reject(error);
    },
  };
}
