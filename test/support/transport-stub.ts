// The real transport client with a real server on this machine, whose answers a test defines.
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import {
  type TransportDialect,
  createTransportClient,
  type TransportClient,
} from "../../src/sources/transport-api/transport-client.ts";
import type { Clock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { collectLog } from "./collect-log.ts";
import { startStub, type StubServer } from "./stub-server.ts";

/** The credentials of every client here, so that tests can check that they do not leak. */
export const APP = { appId: "SECRET-ID", appKey: "SECRET-KEY" } as const;

/** A plan without a limit. */
export async function spend(): Promise<void> {}

export interface TransportStub {
  readonly client: TransportClient;
  readonly server: StubServer;
  /** The client's log lines. */
  readonly lines: readonly string[];
  /** Returns the last request. */
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
  /** The path below the server's address. Default none. */
  readonly basePath?: string;
}

/** Opens both; they close when the test ends. */
export async function openTransportStub(options: TransportStubOptions): Promise<TransportStub> {
  const { dialect, clock, answer, basePath = "", ...plan } = options;
  const server = await startStub(answer);
  const { log, lines } = collectLog("debug");
  // Retries wait for the shortest random delay.
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

/** Answers with JSON, or with HTML if the body is text. */
export function answerWith(body: unknown, status = 200): RequestListener {
  const isText = typeof body === "string";
  return (_, response) => {
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
    response.end(isText ? body : JSON.stringify(body));
  };
}

/** Removes the credentials that the specification wants in a query. */
export function withoutCredentials(query: Readonly<Record<string, string>>): Record<string, string> {
  const { app_id: _id, app_key: _key, ...rest } = query;
  return rest;
}
