// The pools of connections: one for the services we chose, one that only connects to public addresses.
import { Agent, type Dispatcher } from "undici";
import { type ResolveAddresses, createPublicLookup } from "./url-guard.ts";

/** Connections to lend out. */
export interface Connections {
  /** For the services' own addresses. */
  readonly open: Dispatcher;
  /** Refuses to connect to anything but a public address. Names only: addresses never pass its look-up. */
  readonly guarded: Dispatcher;
  /** Breaks every connection. */
  close(): Promise<void>;
}

/**
 * How long a connection may take to come about, in machine time: a backstop, because the clock's own time-out
 * already fails the request, but would leave the socket trying.
 */
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens both pools; connections are made when first needed. */
export function createConnections(resolve?: ResolveAddresses): Connections {
  const open = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_TIMEOUT_MS } });
  const guarded = new Agent({
    ...SETTINGS,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: createPublicLookup(resolve) },
  });
  return {
    open,
    guarded,
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };
}

// Time-outs are the attempt's, on the clock. HTTP/1.1 only: undici 8 would offer HTTP/2, whose refused streams
// and shared connections make "was it sent?" harder to answer.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;
