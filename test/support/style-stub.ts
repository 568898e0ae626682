// The real style client with a real server on this machine, whose answers a test defines.
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import {
  createStyleClient,
  type StyleClient,
  type StyleRequest,
} from "../../src/pictures/client/style-client.ts";
import type { AnswerPlaces } from "../../src/pictures/client/answer-places.ts";
import { createHttp } from "../../src/core/http.ts";
import { collectLog } from "./collect-log.ts";
import { createStillClock, type StillClock } from "./still-clock.ts";
import { startStub, type StubServer } from "./stub-server.ts";
import { watchSettled } from "./until.ts";

/** The key of every client here, so that tests can check that it does not leak. */
export const STYLE_KEY = "style-key-SECRET";

/** A complete PNG of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The beginning of a JPEG; its base64 begins like a path. */
export const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(80, 7)]);

/** The answer to a request; `body` is sent as JSON unless it is bytes or text. */
export interface StubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface StyleStub {
  readonly client: StyleClient;
  readonly server: StubServer;
  readonly clock: StillClock;
  /** The client's log lines. */
  readonly lines: readonly string[];
  /** Restyles a picture of one pixel. */
  readonly process: (more?: Partial<StyleRequest>) => Promise<Uint8Array>;
  /** Advances the clock until a promise settles. */
  readonly advanceUntil: <T>(waiting: Promise<T>) => Promise<T>;
}

/** Opens both; they close when the test ends. `answer` gets the method with the path, e.g. `GET /jobs/1`. */
export async function openStyleStub(
  answer: (request: string, count: number) => StubAnswer | "hang",
  {
    basePath = "",
    places,
    spend,
  }: {
    readonly basePath?: string;
    readonly places?: AnswerPlaces;
    readonly spend?: () => Promise<void>;
  } = {},
): Promise<StyleStub> {
  const counts = new Map<string, number>();
  const listener: RequestListener = (request, response) => {
    const name = `${request.method} ${request.url}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const given = answer(name, count);
    if (given === "hang") {
      return;
    }
    const { status = 200, headers, body = "" } = given;
    response.writeHead(status, { ...headers });
    response.end(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  };
  const server = await startStub(listener);
  const clock = createStillClock();
  const { log, lines } = collectLog("debug");
  const http = createHttp({ clock, log, random: () => 0, resolve: async () => ["127.0.0.1"] });
  onTestFinished(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });
  const client = createStyleClient({
    baseUrl: new URL(basePath, server.url),
    apiKey: STYLE_KEY,
    places,
    spend,
    http,
    clock,
    log,
  });
  return {
    client,
    server,
    clock,
    lines,
    process: (more) =>
      client.process({ image: { bytes: PNG, contentType: "image/png" }, style: "oil", ...more }),
    async advanceUntil(waiting) {
      const isSettled = watchSettled(waiting);
      while (!isSettled()) {
        await new Promise((resolve) => setImmediate(resolve));
        // Advances only the short waits between polls; timeouts are much later.
        const [next] = clock.waits();
        if (next !== undefined && next <= 10_000) {
          clock.advance(next);
        }
      }
      return waiting;
    },
  };
}
