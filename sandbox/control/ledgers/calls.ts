// What the ledgers of all stand-ins say of a call.
import type { ServiceCall } from "../api/services.ts";

/** So many of a ledger are told, the last ones. */
export const TOLD_CALLS = 200;

interface Call {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly tookMs: number | undefined;
  readonly fault: string | undefined;
}

export function formatCall({ at, method, path, status, tookMs, fault }: Call): ServiceCall {
  return {
    atMs: at,
    method,
    path,
    status: status ?? null,
    tookMs: tookMs === undefined ? null : Math.round(tookMs * 10) / 10,
    fault: fault ?? null,
  };
}
