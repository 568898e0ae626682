import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import type { ProcessingEnd, Token } from "./entities.ts";
import type { VideoAlteration } from "./faults.ts";
import type { WriteRecord } from "./ledger.ts";
import type { Form } from "./read-form.ts";
import type { Store } from "./store.ts";

const MIB = 1024 * 1024;

/** The defaults of settings that may be changed while the stand-in runs. */
export const DEFAULT_SETTINGS = {
  /** Milliseconds that processing takes on the sandbox's clock. */
  processingMs: 8_000,
  /** The size of the piece that begins at `startByte`. The real service is said to ask for a small first piece. */
  windowBytes: (startByte: number) => (startByte === 0 ? 2 * MIB : 4 * MIB),
  /** The smallest and the largest file that is accepted. */
  smallestBytes: 1024,
  largestBytes: 2 * 1024 * MIB,
  /** Refuses calls without a proof of the application's secret (`appsecret_proof`). */
  needsProof: false,
  /** Refuses lists of videos, as newer versions may do. Lists of posts still work. */
  deniesVideoLists: false,
  /** Videos then have the metrics of Reels. All other metrics are known, but have no values. */
  countsAsReels: false,
};

export type VideoSettings = typeof DEFAULT_SETTINGS & {
  /** How processing ends for videos that are created from now on. */
  processingEnd: ProcessingEnd;
  /** Metrics that a test retires, in addition to those that the service has retired. */
  retiredMetrics: ReadonlySet<string>;
};

export interface VideoContext {
  readonly clock: Clock;
  readonly store: Store;
  readonly settings: VideoSettings;
  /** e.g. `http://127.0.0.1:4000`. Known once the server listens. */
  readonly baseUrl: () => string;
}

/** A request after its form has been read and its caller checked. */
export interface GraphCall {
  readonly caller: Token;
  readonly form: Form;
  readonly alteration: VideoAlteration | undefined;
  readonly recordWrite: (write: WriteRecord) => void;
}

export interface VideoEnv extends ServerEnv {
  // oxlint-disable-next-line typescript/naming-convention -- Hono's own name
  Variables: { call: GraphCall };
}
