// The stand-in as a server on this machine, over the trains of the transport service's stand-in.
import { startStandIn, type Call, type StandIn, type StandInOptions } from "../http/stand-in.ts";
import type { Railway } from "../transport/railway/board.ts";
import { createApp } from "./app.ts";
import { createRailDataFaults, type RailDataFaults } from "./faults.ts";
import { type OperatorOrders, createOperators } from "./operators.ts";
import { PRODUCTS } from "./products.ts";

export interface RailDataStandInOptions extends StandInOptions {
  /** The same railway as that of the transport service: what one answers, the other does too. */
  readonly railway: Railway;
}

export interface RailDataStandIn extends StandIn<Call, RailDataFaults> {
  /** What the operators report. */
  readonly operators: OperatorOrders;
  /** What points a bot at it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts listening on 127.0.0.1. */
export async function startRailDataStandIn(options: RailDataStandInOptions): Promise<RailDataStandIn> {
  const { clock, railway } = options;
  const operators = createOperators();
  const standIn = await startStandIn<Call, RailDataFaults>(options, {
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
  return { ...standIn, operators, env };
}
