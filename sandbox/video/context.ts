// What the routes of the stand-in share.
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import type { ProcessingEnd, Token } from "./entities.ts";
import type { VideoTwist } from "./faults.ts";
import type { WriteRecord } from "./ledger.ts";
import type { Form } from "./read-form.ts";
import type { Store } from "./store.ts";

const MIB = 1024 * 1024;

/** What may be changed while the stand-in runs, as it is unless told otherwise. */
export const DEFAULT_SETTINGS = {
  /** How long processing takes on the sandbox's clock. */
  processingMs: 8_000,
  /** How many bytes are wanted next of an upload that stands at a byte. As told of the real one: the first is small. */
  windowBytes: (startByte: number) => (startByte === 0 ? 2 * MIB : 4 * MIB),
  /** The smallest and the largest file that is taken. */
  smallestBytes: 1024,
  largestBytes: 2 * 1024 * MIB,
  /** Whether calls without a proof of the application's secret are refused. */
  needsProof: false,
  /** Whether lists of videos are refused, as newer versions may; posts are listed all the same. */
  deniesVideoLists: false,
  /** Whether videos are counted as Reels are: other metrics are known then, but have no values. */
  countsAsReels: false,
};

export type VideoSettings = typeof DEFAULT_SETTINGS & {
  /** How processing ends for videos that are made from now on. */
  processingEnd: ProcessingEnd;
  /** Metrics that are gone, beyond those that nobody has any more. */
  retiredMetrics: ReadonlySet<string>;
};

export interface VideoContext {
  readonly clock: Clock;
  readonly store: Store;
  readonly settings: VideoSettings;
  /** e.g. `http://127.0.0.1:4000`, known once the server listens. */
  readonly baseUrl: () => string;
}

/** What is known of a request when its route is reached. */
export interface GraphCall {
  readonly caller: Token;
  readonly form: Form;
  readonly twist: VideoTwist | undefined;
  /** Writes down what a write came to. */
  readonly recordWrite: (write: WriteRecord) => void;
}

/** Hono's environment of the stand-in. */
export interface VideoEnv extends ServerEnv {
  // oxlint-disable-next-line typescript/naming-convention -- Hono's own name
  Variables: { call: GraphCall };
}
