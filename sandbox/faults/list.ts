// The faults to inject, of requests or gateway events: in the order added, each for a number of times. Some delay
// what they affect.

export interface AddedFault {
  /** How many times it was injected. */
  readonly met: number;
  /** Releases at once what it delays. */
  release(): void;
  /** Ends the fault and releases what it delays. */
  remove(): void;
}

/** A fault to inject. `held` takes the functions that release what it delays. */
export interface MetFault<F> {
  readonly fault: F;
  readonly held: Set<() => void>;
}

interface Entry<F> extends MetFault<F> {
  left: number;
  met: number;
}

export function createFaultList<F extends { readonly times?: number }>() {
  const entries = new Set<Entry<F>>();
  return {
    add: (fault: F): AddedFault => {
      const entry: Entry<F> = { fault, held: new Set(), left: fault.times ?? 1, met: 0 };
      entries.add(entry);
      return {
        get met() {
          return entry.met;
        },
        release: () => release(entry),
        remove() {
          entries.delete(entry);
          release(entry);
        },
      };
    },
    /** Takes the first fault that matches and has times left, and counts it. */
    take(fits: (fault: F) => boolean): MetFault<F> | undefined {
      for (const entry of entries) {
        if (entry.left > 0 && fits(entry.fault)) {
          entry.left -= 1;
          entry.met += 1;
          return entry;
        }
      }
      return undefined;
    },
    /** Removes all faults and releases what they delay. */
    clear: () => {
      for (const entry of entries) {
        release(entry);
      }
      entries.clear();
    },
    get isEmpty() {
      return entries.size === 0;
    },
  };
}

/** Releases each only once, even if a release adds or removes others. */
function release({ held }: MetFault<unknown>): void {
  const holding = [...held];
  held.clear();
  for (const letGo of holding) {
    letGo();
  }
}
