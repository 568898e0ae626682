/** Times must not go backwards. Events that left the window are deleted. */
export function createSlidingWindow(windowMs: number) {
  let times: number[] = [];
  let first = 0;
  let largest = 0;

  function slideTo(nowMs: number): void {
    while (first < times.length && (times[first] ?? Infinity) <= nowMs - windowMs) {
      first += 1;
    }
    if (first > 1000 && first > times.length / 2) {
      times = times.slice(first);
      first = 0;
    }
  }

  return {
    /** The count in the window that ended at the last call. */
    get size() {
      return times.length - first;
    },
    /** The largest count of any window. */
    get largest() {
      return largest;
    },
    add(atMs: number) {
      slideTo(atMs);
      times.push(atMs);
      largest = Math.max(largest, times.length - first);
    },
    /** Milliseconds until the window has fewer than `most` events; 0 if it has already. */
    msUntilBelow(most: number, nowMs: number) {
      slideTo(nowMs);
      const deciding = times[times.length - most];
      return times.length - first < most || deciding === undefined ? 0 : deciding + windowMs - nowMs;
    },
    clear() {
      times = [];
      first = 0;
      largest = 0;
    },
    forgetLargest(nowMs: number) {
      slideTo(nowMs);
      largest = times.length - first;
    },
  };
}
