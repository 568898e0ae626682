// The stand-in as a server on this machine.
import { createServer, type IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { Clock } from "../clock/clock.ts";
import { createCallWatch, type CallWatch } from "../http/call-watch.ts";
import { createApp, type StyleSettings } from "./app.ts";
import { createStyleFaults, type StyleFaults } from "./faults.ts";
import type { LedgerEntry } from "./ledger.ts";
import { createRestyler } from "./restyler.ts";
import { createResults } from "./results.ts";
import type { Result } from "./shapes.ts";

export interface StyleStandInOptions extends Partial<StyleSettings> {
  readonly clock: Clock;
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Told of requests that nobody serves. Default: a line on standard error. */
  readonly onUnknown?: (sentence: string) => void;
}

/** Its settings may be changed while it runs. */
export interface StyleStandIn extends StyleSettings {
  /** e.g. `http://127.0.0.1:4000`, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The catalogue that fits the settings it was started with. */
  readonly catalogueFile: string;
  readonly faults: StyleFaults;
  /** Every call, in the order of receipt. */
  readonly ledger: readonly LedgerEntry[];
  readonly calls: CallWatch;
  /** What was made, by its name below `/outputs`; the last 32 are kept. */
  readonly findResult: (name: string) => Pick<Result, "bytes" | "contentType"> | undefined;
  close(): Promise<void>;
}

type OpenEntry = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

const API_KEY = "sandbox-style-key-0123456789abcdef";
const STANDARD: StyleSettings = { shape: "url", parameters: "on", jobMs: 3_000, canned: undefined };

/** Starts listening on 127.0.0.1. */
export async function startStyleStandIn(options: StyleStandInOptions): Promise<StyleStandIn> {
  const { clock, port = 0, onUnknown = (sentence) => console.error(sentence), ...chosen } = options;
  const settings: StyleSettings = { ...STANDARD, ...chosen };
  const calls = createCallWatch();
  const restyler = createRestyler();
  const ledger: LedgerEntry[] = [];
  const entries = new WeakMap<IncomingMessage, OpenEntry>();
  const write = (request: IncomingMessage, more: Partial<OpenEntry>) => {
    Object.assign(entries.get(request) ?? {}, more);
  };
  const faults = createStyleFaults((request, fault) => write(request, { fault }));
  let baseUrl = "";
  const results = createResults(() => baseUrl);

  const app = createApp({
    clock,
    apiKey: API_KEY,
    settings,
    restyler,
    results,
    baseUrl: () => baseUrl,
    twistOf: (request) => faults.twistOf(request),
    onSent: (request, sent) => write(request, { sent }),
    onMade: (request, result) => write(request, { result }),
    onUnknown,
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const faulty = faults.wrap((request, response) => void answer(request, response));

  const server = createServer((request, response) => {
    const entry: OpenEntry = {
      at: clock.now(),
      method: request.method ?? "GET",
      path: request.url ?? "/",
      hasKey: request.headers.authorization === `Bearer ${API_KEY}`,
      status: undefined,
      tookMs: undefined,
      fault: undefined,
      sent: undefined,
      result: undefined,
    };
    entries.set(request, entry);
    ledger.push(entry);
    calls.begin(response, (end) => Object.assign(entry, end));
    faulty(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The style stand-in listens on no port");
  }
  baseUrl = `http://127.0.0.1:${address.port}`;
  const catalogue = settings.parameters === "on" ? "catalogue-with-parameters.json" : "catalogue.json";

  // The settings themselves are handed out: whoever changes one changes what the app reads.
  return Object.assign(settings, {
    baseUrl,
    apiKey: API_KEY,
    catalogueFile: fileURLToPath(new URL(catalogue, import.meta.url)),
    faults,
    ledger,
    calls,
    findResult: (name: string) => results.find(name),
    async close() {
      faults.clear();
      await Promise.all([
        restyler.close(),
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
      ]);
    },
  });
}
