// The transport service's ledger for the page.
import type { TransportStandIn } from "../../transport/server.ts";
import type { TransportLedger } from "../api/services.ts";
import { formatCall, TOLD_CALLS } from "./calls.ts";

export function formatTransport({ ledger, plan }: TransportStandIn): TransportLedger {
  const { limit, used, windowMs, turnsAt } = plan;
  const callers = Map.groupBy(ledger, ({ caller }) => caller);
  return {
    plan: { limit, used, windowMs, turnsAtMs: turnsAt },
    callers: [...callers].map(([caller, calls]) => ({
      caller,
      calls: calls.length,
      weight: calls.reduce((sum, { weight }) => sum + weight, 0),
    })),
    calls: ledger
      .slice(-TOLD_CALLS)
      .map((entry) => ({ ...formatCall(entry), weight: entry.weight, caller: entry.caller })),
  };
}
