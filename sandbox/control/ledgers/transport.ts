// For the page: the plan of the transport service, and the calls to all sources of trains.
import type { ControlParts } from "../parts.ts";
import type { TransportCall, TransportLedger } from "../api/services.ts";
import { formatCall, TOLD_CALLS } from "./calls.ts";

export function formatTransport({
  transport: { ledger, plan },
  railData,
  tfl,
}: Pick<ControlParts, "transport" | "railData" | "tfl">): TransportLedger {
  const { limit, used, windowMs, turnsAt } = plan;
  return {
    plan: { limit, used, windowMs, turnsAtMs: turnsAt },
    calls: [
      ...ledger.map((entry) => ({ source: "transport" as const, ...entry })),
      ...[
        { source: "rail-data" as const, ledger: railData.ledger },
        { source: "tfl" as const, ledger: tfl.ledger },
      ].flatMap((one) => one.ledger.map((entry) => ({ source: one.source, weight: 1, ...entry }))),
    ]
      .toSorted((a, b) => a.at - b.at)
      .slice(-TOLD_CALLS)
      .map(({ source, weight, ...call }): TransportCall => ({ ...formatCall(call), source, weight })),
  };
}
