// What was asked of the stand-in, for tests and for the sandbox's page.
import type { Call } from "../http/stand-in.ts";

export interface LedgerEntry extends Call {
  /** What it cost of the plan. */
  readonly weight: number;
  /** The application that called, by the name that it gave; empty for none. */
  readonly caller: string;
}

/** The path of a request as it may be kept: its query goes along, credentials do not. */
export function withoutCredentials(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("app_id");
  query.delete("app_key");
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}
