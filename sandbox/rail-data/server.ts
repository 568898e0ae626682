// The stand-in as a server on this machine, over the trains of the transport service's stand-in.
import { startStandIn, type Call, type StandInOptions } from "../http/stand-in.ts";
import type { Railway } from "../transport/railway/board.ts";
import { createApp } from "./app.ts";
import { createRailDataFaults, type RailDataFaults } from "./faults.ts";
import { createOperators } from "./operators.ts";
import { PRODUCTS } from "./products.ts";

export type RailDataStandIn = Awaited<ReturnType<typeof startRailDataStandIn>>;

/** Starts listening on 127.0.0.1. The railway is the transport service's: what one answers, the other does too. */
export async function startRailDataStandIn(options: StandInOptions & { readonly railway: Railway }) {
  const { clock, railway } = options;
  const operators = createOperators();
  const standIn = await startStandIn<Call, RailDataFaults>(options, {
    name: "rail-data",
    createFaults: createRailDataFaults,
    createApp: (server) => createApp({ ...server, clock, railway, operators }),
    receive: (request) => ({ path: request.url ?? "/" }),
  });
  const env = Object.fromEntries(
    Object.entries(PRODUCTS).flatMap(([name, { path, key }]) => [
      [`RAIL_DATA_${name.toUpperCase()}_URL`, standIn.baseUrl + path],
      [`RAIL_DATA_${name.toUpperCase()}_KEY`, key],
    ]),
  );
  return {
    ...standIn,
    /** What the operators report. */
    operators,
    /** What points a bot at it. */
    env,
  };
}
