// Large things that are made at first use without holding up the process: the sandbox serves Discord from it too.
import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";

/** Work that can be put down between any two steps, each far below a millisecond or two. */
export type Steps<Value> = Generator<undefined, Value, undefined>;

/** Something that is made once. */
export interface Gradual<Value> {
  /** For who needs it at once: what is missing is made in one go. */
  now(): Value;
  /** For who can wait. Several may make it in turns: no step is done twice. */
  steps(): Steps<Value>;
}

/** Real milliseconds: too short for anybody to notice. */
const SLICE_MS = 8;

export function gradual<Value>(make: () => Steps<Value>): Gradual<Value> {
  let made: { readonly value: Value } | undefined;
  let making: Steps<Value> | undefined;

  /** What failed halfway is begun anew: a generator that threw would say that it is done. */
  function next(): IteratorResult<undefined, Value> {
    making ??= make();
    try {
      return making.next();
    } catch (error) {
      making = undefined;
      throw error;
    }
  }

  function* steps(): Steps<Value> {
    while (made === undefined) {
      const step = next();
      if (step.done === true) {
        made = step;
        break;
      }
      yield;
    }
    return made.value;
  }

  return { steps, now: () => made?.value ?? inOneGo(steps()) };
}

/** Does the work at once. */
export function inOneGo<Value>(steps: Steps<Value>): Value {
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  return step.value;
}

/** Does the work in slices, between which the process does what else there is, and rests for so long. */
export async function inSlices<Value>(steps: Steps<Value>, restMs = 0): Promise<Value> {
  for (;;) {
    const untilMs = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
    } while (performance.now() < untilMs);
    await (restMs === 0 ? breathe() : pause(restMs, undefined, { ref: false }));
  }
}
