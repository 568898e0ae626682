// The stand-in as a server on this machine. Its buses are those of the transport service's stand-in.
import type { Clock } from "../clock/clock.ts";
import { startStandIn, type Call, type StandIn } from "../http/stand-in.ts";
import { withoutCredentials } from "../transport/ledger.ts";
import { createApp } from "./app.ts";
import { createTflFaults, type TflFaults } from "./faults.ts";
import { createLines, type LineOrders } from "./line-status.ts";

export interface TflStandInOptions {
  readonly clock: Clock;
  /** The same seed and clock give the same trains and troubles. */
  readonly seed: number;
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Told of requests that nobody serves. Default: a line on standard error. */
  readonly onUnknown?: (sentence: string) => void;
}

export interface TflStandIn extends StandIn<Call, TflFaults> {
  /** How the lines run. */
  readonly lines: LineOrders;
  /** What points a bot at it. */
  readonly env: Readonly<Record<string, string>>;
}

const APP_KEY = "sandbox-tfl-key-0123456789abcdef";

/** Starts listening on 127.0.0.1. */
export async function startTflStandIn({
  clock,
  seed,
  port,
  onUnknown = (sentence) => console.error(sentence),
}: TflStandInOptions): Promise<TflStandIn> {
  const lines = createLines(seed);
  const standIn = await startStandIn<Call, TflFaults>({
    clock,
    port,
    createFaults: createTflFaults,
    createApp: ({ faults }) => createApp({ clock, seed, appKey: APP_KEY, lines, faults, onUnknown }),
    receive: (request) => ({
      path: withoutCredentials(
        URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/"),
      ),
    }),
  });
  return {
    ...standIn,
    lines,
    env: { TFL: "on", TFL_API_BASE_URL: standIn.baseUrl, TFL_APP_KEY: APP_KEY },
  };
}
