// What was asked of the stand-in, for tests and for the sandbox's page.

export interface LedgerEntry {
  /** When it was received, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly method: string;
  /** With its query, without credentials. */
  readonly path: string;
  /** `undefined` while unanswered, and for good if the connection is dropped. */
  readonly status: number | undefined;
  /** Real milliseconds; `undefined` while unanswered. */
  readonly tookMs: number | undefined;
  /** The fault that it met. */
  readonly fault: string | undefined;
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
