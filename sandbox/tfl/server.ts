// The stand-in as a server on this machine. Its buses are those of the transport service's stand-in.
import { startStandIn, type Call, type StandInOptions } from "../http/stand-in.ts";
import { withoutCredentials } from "../transport/refusals.ts";
import { createApp } from "./app.ts";
import { createTflFaults, type TflFaults } from "./faults.ts";
import { createLines } from "./line-status.ts";

export type TflStandIn = Awaited<ReturnType<typeof startTflStandIn>>;

const APP_KEY = "sandbox-tfl-key-0123456789abcdef";

/** Starts listening on 127.0.0.1. The same seed and clock give the same trains and troubles. */
export async function startTflStandIn(options: StandInOptions & { readonly seed: number }) {
  const { clock, seed } = options;
  const lines = createLines(seed);
  const standIn = await startStandIn<Call, TflFaults>(options, {
    name: "tfl",
    createFaults: createTflFaults,
    createApp: (server) => createApp({ ...server, clock, seed, appKey: APP_KEY, lines }),
    receive: (request) => ({
      path: withoutCredentials(
        URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/"),
      ),
    }),
  });
  return {
    ...standIn,
    /** How the lines run. */
    lines,
    /** What points a bot at it. */
    env: { TFL: "on", TFL_API_BASE_URL: standIn.baseUrl, TFL_APP_KEY: APP_KEY },
  };
}
