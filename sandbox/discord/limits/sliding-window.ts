// How many of something happened in a window that slides.

export interface SlidingWindow {
  /** Of the window that ends with the last moment asked about. */
  readonly size: number;
  /** The most that any window has held. */
  readonly largest: number;
  add(atMs: number): void;
  /** How long until fewer than `most` are in the window; 0 where they are. */
  msUntilBelow(most: number, nowMs: number): number;
  /** Begins anew. */
  clear(): void;
  /** Forgets the largest, not what is in the window. */
  forgetLargest(nowMs: number): void;
}

/** Times must not go backwards. What has left the window is forgotten. */
export function createSlidingWindow(windowMs: number): SlidingWindow {
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
    get size() {
      return times.length - first;
    },
    get largest() {
      return largest;
    },
    add(atMs) {
      slideTo(atMs);
      times.push(atMs);
      largest = Math.max(largest, times.length - first);
    },
    msUntilBelow(most, nowMs) {
      slideTo(nowMs);
      const deciding = times[times.length - most];
      return times.length - first < most || deciding === undefined ? 0 : deciding + windowMs - nowMs;
    },
    clear() {
      times = [];
      first = 0;
      largest = 0;
    },
    forgetLargest(nowMs) {
      slideTo(nowMs);
      largest = times.length - first;
    },
  };
}
