// A list of faults to inject into requests or gateway events. The fault that was added first comes first, and each is
// injected a limited number of times. Some faults delay what they affect.

export interface AddedFault {
  readonly hits: number;
  /** Releases at once what it delays. */
  release(): void;
  /** Ends the fault and releases what it delays. */
  remove(): void;
}

/** A fault to inject. `releases` takes the functions that release what it delays. */
export interface InjectedFault<F> {
  readonly fault: F;
  readonly releases: Set<() => void>;
}

interface Entry<F> extends InjectedFault<F> {
  left: number;
  hits: number;
}

export function createFaultList<F extends { readonly times?: number }>() {
  const entries = new Set<Entry<F>>();
  return {
    add: (fault: F): AddedFault => {
      const entry: Entry<F> = { fault, releases: new Set(), left: fault.times ?? 1, hits: 0 };
      entries.add(entry);
      return {
        get hits() {
          return entry.hits;
        },
        release: () => release(entry),
        remove() {
          entries.delete(entry);
          release(entry);
        },
      };
    },
    /** Returns the first fault that matches and is not used up, and counts the hit. */
    take(fits: (fault: F) => boolean): InjectedFault<F> | undefined {
      for (const entry of entries) {
        if (entry.left > 0 && fits(entry.fault)) {
          entry.left -= 1;
          entry.hits += 1;
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

/** Calls each release function once, even if one of them adds or removes others. */
function release({ releases }: InjectedFault<unknown>): void {
  const pending = [...releases];
  releases.clear();
  for (const releaseOne of pending) {
    releaseOne();
  }
}
