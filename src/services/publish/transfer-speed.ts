// How fast bytes go, by the last ten seconds: an average of all would tell a slow line of its better days.
import type { Clock } from "../../core/clock.ts";

/** Counts what is done. */
export interface TransferSpeed {
  /** So many bytes are done now. */
  note(doneBytes: number): void;
  /** `undefined` where it is too early to tell. */
  bytesPerSecond(): number | undefined;
}

const WINDOW_MS = 10_000;
const TOO_EARLY_MS = 1_000;
/** More often nobody looks. */
const SAMPLE_MS = 250;

/** Begins to count. */
export function createTransferSpeed(clock: Clock): TransferSpeed {
  const samples: { readonly atMs: number; readonly doneBytes: number }[] = [];
  let doneNow = 0;

  return {
    note(doneBytes) {
      doneNow = doneBytes;
      const atMs = clock.elapsed();
      const last = samples.at(-1);
      if (last !== undefined && atMs - last.atMs < SAMPLE_MS) {
        return;
      }
      samples.push({ atMs, doneBytes });
      // One older than the window stays: the window begins with it.
      while ((samples[1]?.atMs ?? Infinity) <= atMs - WINDOW_MS) {
        samples.shift();
      }
    },
    bytesPerSecond() {
      const [first] = samples;
      const passedMs = first === undefined ? 0 : clock.elapsed() - first.atMs;
      return first === undefined || passedMs < TOO_EARLY_MS
        ? undefined
        : ((doneNow - first.doneBytes) * 1000) / passedMs;
    },
  };
}
