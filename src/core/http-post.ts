// Posts JSON the shortest way, for what somebody waits for at this moment: over connections of its own that stay open,
// without retries and without a time-out of the clock's.
import type { Agent } from "undici";
import { loadUndici } from "./late-libraries.ts";

/** What came back; `body` is parsed where it is JSON, and otherwise empty. */
export interface PostAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * As many as the bot answers at one time. With a quarter of them, a thousand answers at once took twice as long on a busy
 * machine, since they had to wait for each other's replies.
 */
const MOST_CONNECTIONS = 1_024;
/** So that the next answer need not open a connection. */
const KEEP_ALIVE_MS = 30_000;
/** A backstop: whoever posts waits for less. */
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
    /** Loads what posting needs, so that the first post need not. */
    open: (): void => void open(),
    /** Any status is an answer. Throws as undici does. */
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
    /** Breaks every connection. */
    close: async (): Promise<void> => agent?.destroy(),
  };
}
