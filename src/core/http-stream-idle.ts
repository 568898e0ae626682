// Notices that nothing moves any more.
import type { Clock } from "./clock.ts";

/** Somebody who looks at the clock now and then. */
export interface IdleWatch {
  /** Something has moved. */
  readonly touch: () => void;
  /** From now on, only time in which this holds counts. */
  readonly onlyWhile: (isWaiting: () => boolean) => void;
  readonly stop: () => void;
}

/** Calls `onIdle` once, when nothing was touched for `idleMs`. One timer for all touches: there is one for each chunk. */
export function watchIdle(clock: Clock, idleMs: number, onIdle: () => void): IdleWatch {
  let touchedAt = clock.elapsed();
  let isWaiting = always;
  let cancel = clock.after(idleMs, look);

  function look(): void {
    if (!isWaiting()) {
      touchedAt = clock.elapsed();
    }
    const leftMs = touchedAt + idleMs - clock.elapsed();
    if (leftMs > 0) {
      cancel = clock.after(leftMs, look);
    } else {
      onIdle();
    }
  }

  return {
    touch: () => (touchedAt = clock.elapsed()),
    onlyWhile: (condition) => (isWaiting = condition),
    stop: () => cancel(),
  };
}

function always(): boolean {
  return true;
}
