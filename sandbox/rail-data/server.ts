// The stand-in as a server on this machine, over the trains of the transport service's stand-in.
import type { Clock } from "../clock/clock.ts";
import { startStandIn, type Call, type StandIn } from "../http/stand-in.ts";
import type { Railway } from "../transport/railway/board.ts";
import { createApp } from "./app.ts";
import { createRailDataFaults, type RailDataFaults } from "./faults.ts";
import { type OperatorOrders, createOperators } from "./operators.ts";
import { PRODUCTS } from "./products.ts";

export interface RailDataStandInOptions {
  readonly clock: Clock;
  /** The same railway as that of the transport service: what one answers, the other does too. */
  readonly railway: Railway;
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Told of requests that nobody serves. Default: a line on standard error. */
  readonly onUnknown?: (sentence: string) => void;
}

export interface RailDataStandIn extends StandIn<Call, RailDataFaults> {
  /** What the operators report. */
  readonly operators: OperatorOrders;
  /** What points a bot at it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts listening on 127.0.0.1. */
export async function startRailDataStandIn({
  clock,
  railway,
  port,
  onUnknown = (sentence) => console.error(sentence),
}: RailDataStandInOptions): Promise<RailDataStandIn> {
  const operators = createOperators();
  const standIn = await startStandIn<Call, RailDataFaults>({
    clock,
    port,
    createFaults: createRailDataFaults,
    createApp: ({ faults }) => createApp({ clock, railway, operators, faults, onUnknown }),
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
