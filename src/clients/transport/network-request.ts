// Where a question about the network goes, in each of the two dialects.
import type { TransportDialect, TransportRequest } from "./ask.ts";

/** The specification has a short path for it; the public service has no state of the network, only bus situations. */
export function formatNetworkRequest(dialect: TransportDialect): TransportRequest {
  return dialect === "public"
    ? { path: "/v3/uk/bus/situations.json", query: { limit: "20" } }
    : { path: "/v3/uk/status.json", query: {} };
}
