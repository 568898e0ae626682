// Faults waiting to be met, whatever they befall: in the order added, each for so many times, some holding things back.

/** A fault that was added. */
export interface AddedFault {
  /** How many have met it. */
  readonly met: number;
  /** Lets go at once what it holds back. */
  release(): void;
  /** Is met no more, and lets go what it holds back. */
  remove(): void;
}

/** A fault that was met. `held` takes what lets go of something that it holds back. */
export interface MetFault<F> {
  readonly fault: F;
  readonly held: Set<() => void>;
}

export interface FaultList<F> {
  readonly add: (fault: F) => AddedFault;
  /** The first that fits and still has times left; it is counted as met. */
  take(fits: (fault: F) => boolean): MetFault<F> | undefined;
  /** Forgets all and lets go what they hold back. */
  readonly clear: () => void;
  readonly isEmpty: boolean;
}

interface Entry<F> extends MetFault<F> {
  left: number;
  met: number;
}

export function createFaultList<F extends { readonly times?: number }>(): FaultList<F> {
  const entries = new Set<Entry<F>>();
  return {
    add(fault) {
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
    take(fits) {
      for (const entry of entries) {
        if (entry.left > 0 && fits(entry.fault)) {
          entry.left -= 1;
          entry.met += 1;
          return entry;
        }
      }
      return undefined;
    },
    clear() {
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

/** Each only once, even where letting go adds or takes away. */
function release({ held }: MetFault<unknown>): void {
  const holding = [...held];
  held.clear();
  for (const letGo of holding) {
    letGo();
  }
}
