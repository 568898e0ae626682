// The stand-in as a server on this machine.
import { fileURLToPath } from "node:url";
import { startStandIn, type StandInOptions } from "../http/stand-in.ts";
import { createApp, type StyleSettings } from "./app.ts";
import { createStyleFaults, type StyleFaults } from "./faults.ts";
import type { LedgerEntry } from "./ledger.ts";
import { createResults } from "./results.ts";

export interface StyleStandInOptions extends StandInOptions, Partial<StyleSettings> {}

export type StyleStandIn = Awaited<ReturnType<typeof startStyleStandIn>>;

const API_KEY = "sandbox-style-key-0123456789abcdef";
const STANDARD: StyleSettings = { shape: "url", parameters: "on", jobMs: 3_000, canned: undefined };

/** Starts listening on 127.0.0.1. Its settings may be changed while it runs. */
export async function startStyleStandIn(options: StyleStandInOptions) {
  const { clock, ...chosen } = options;
  const settings: StyleSettings = { ...STANDARD, ...chosen };
  let baseUrl = "";
  const results = createResults(() => baseUrl);

  const standIn = await startStandIn<LedgerEntry, StyleFaults>(options, {
    name: "style; a local filter, not a neural model",
    createFaults: createStyleFaults,
    createApp: (server) => createApp({ ...server, clock, apiKey: API_KEY, settings, results }),
    receive: (request) => ({
      path: request.url ?? "/",
      hasKey: request.headers.authorization === `Bearer ${API_KEY}`,
      sent: undefined,
    }),
  });
  ({ baseUrl } = standIn);
  const catalogue = settings.parameters === "on" ? "catalogue-with-parameters.json" : "catalogue.json";

  // The settings themselves are handed out: whoever changes one changes what the app reads.
  return Object.assign(settings, {
    ...standIn,
    apiKey: API_KEY,
    /** The catalogue that fits the settings it was started with. */
    catalogueFile: fileURLToPath(new URL(catalogue, import.meta.url)),
  });
}
