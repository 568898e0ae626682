// The real transport client before a real server on this machine that answers what a test tells it to.
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import type { TransportDialect } from "../../src/sources/transport-api/ask.ts";
import {
  createTransportClient,
  type TransportClient,
} from "../../src/sources/transport-api/transport-client.ts";
import type { Clock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { startStub, type StubServer } from "./stub-server.ts";

/** The credentials of every client here, to be looked for where they must not be. */
export const APP = { appId: "SECRET-ID", appKey: "SECRET-KEY" } as const;

/** A plan that never ends. */
export async function spend(): Promise<void> {}

export interface TransportStub {
  readonly client: TransportClient;
  readonly server: StubServer;
  /** What the client logged, a line each. */
  readonly lines: readonly string[];
  /** The newest request. */
  readonly seen: () => {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

export interface TransportStubOptions extends Partial<
  Pick<Parameters<typeof createTransportClient>[0], "spend" | "onPlanUsedUp">
> {
  readonly dialect: TransportDialect;
  readonly clock: Clock;
  readonly answer: RequestListener;
  /** Below the server's address. Default none. */
  readonly basePath?: string;
}

/** Opens both; they close when the test ends. */
export async function openTransportStub(options: TransportStubOptions): Promise<TransportStub> {
  const { dialect, clock, answer, basePath = "", ...plan } = options;
  const server = await startStub(answer);
  const lines: string[] = [];
  const log = createLog({ level: "debug", secrets: [], destination: { write: (line) => lines.push(line) } });
  // Repeats wait as short as chance lets them.
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });
  const baseUrl = new URL(basePath, server.url);
  const client = createTransportClient({ http, baseUrl, ...APP, dialect, clock, log, spend, ...plan });
  return {
    client,
    server,
    lines,
    seen() {
      const { path, headers } = server.seen.at(-1) ?? { path: "", headers: {} };
      const url = new URL(path, server.url);
      return { path: url.pathname, query: Object.fromEntries(url.searchParams), headers };
    },
  };
}

/** Answers with JSON, or with HTML where the body is text. */
export function answerWith(body: unknown, status = 200): RequestListener {
  const isText = typeof body === "string";
  return (_, response) => {
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
    response.end(isText ? body : JSON.stringify(body));
  };
}

/** A query without the credentials that the specification wants in it. */
export function withoutCredentials(query: Readonly<Record<string, string>>): Record<string, string> {
  const { app_id: _id, app_key: _key, ...rest } = query;
  return rest;
}
