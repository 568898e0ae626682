// Posts JSON as fast as possible, for answers that somebody is waiting for: over its own connections, which stay open, without
// retries and without a time-out of the injected clock.
import type { Agent } from "undici";
import { loadUndici } from "./late-libraries.ts";

/** An answer; `body` is the parsed JSON, or empty if the answer is not JSON. */
export interface PostAnswer {
  readonly status: number;
  readonly body: object;
}

/** As many as the bot answers at once. With a quarter as many, a thousand answers had to wait and took twice as long. */
const MOST_CONNECTIONS = 1_024;
/** Connections stay open this long, so that the next answer need not open one. */
const KEEP_ALIVE_MS = 30_000;
/** A last resort: callers give up earlier. */
const SILENCE_MS = 10_000;

export function createPoster(headers: Readonly<Record<string, string>>) {
  let agent: Agent | undefined;

  function open(): Agent {
    agent ??= new (loadUndici().Agent)({
      connections: MOST_CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connect: { timeout: SILENCE_MS },
      allowH2: false,
    });
    return agent;
  }

  return {
    /** Loads the library in advance, so that the first post is as fast as the others. */
    open: (): void => void open(),
    /** Returns answers of any status. Throws as undici does. */
    async post(url: string, json: object): Promise<PostAnswer> {
      const {
        statusCode,
        headers: given,
        body,
      } = await loadUndici().request(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(json),
        dispatcher: open(),
      });
      if (!given["content-type"]?.includes("json")) {
        await body.dump();
        return { status: statusCode, body: {} };
      }
      return { status: statusCode, body: Object(await body.json()) };
    },
    /** Closes all connections at once. */
    close: async (): Promise<void> => agent?.destroy(),
  };
}
