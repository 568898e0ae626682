import { expect, test } from "vitest";
import { turnsDuring } from "./turns-during.ts";
import { gradual, inOneGo, inSlices, type Steps } from "../../../sandbox/transport/gradual.ts";

const COUNT = 1_000;

/** Counts to a thousand, and tells how often it was begun and went on. */
function counting() {
  const seen = { begun: 0, steps: 0 };
  const made = gradual(function* count(): Steps<number> {
    seen.begun += 1;
    for (let step = 0; step < COUNT; step += 1) {
      seen.steps += 1;
      yield;
    }
    return COUNT;
  });
  return { seen, made };
}

test("is made at first use and once", () => {
  const { seen, made } = counting();
  expect(seen.begun).toBe(0);
  expect([made.now(), made.now()]).toEqual([COUNT, COUNT]);
  expect(seen).toEqual({ begun: 1, steps: COUNT });
});

test("is finished at once for who cannot wait, and those who wait get the same", async () => {
  const { seen, made } = counting();
  const waited = made.steps();
  waited.next();
  waited.next();
  expect(made.now()).toBe(COUNT);
  expect(await inSlices(waited)).toBe(COUNT);
  expect(seen).toEqual({ begun: 1, steps: COUNT });
});

test("two that wait share the work", async () => {
  const { seen, made } = counting();
  expect(await Promise.all([inSlices(made.steps()), inSlices(made.steps())])).toEqual([COUNT, COUNT]);
  expect(seen).toEqual({ begun: 1, steps: COUNT });
});

test("others come in between slices", async () => {
  expect(await turnsDuring(inSlices(busySteps(60)))).toBeGreaterThan(3);
});

test("what fails, fails for everyone", () => {
  const broken = gradual(function* fail(): Steps<number> {
    yield;
    throw new Error("no map");
  });
  expect(() => broken.now()).toThrow("no map");
  expect(() => inOneGo(broken.steps())).toThrow("no map");
});

/** Steps of a millisecond each. */
function* busySteps(count: number): Steps<undefined> {
  for (let step = 0; step < count; step += 1) {
    const untilMs = performance.now() + 1;
    while (performance.now() < untilMs) {
      // It works.
    }
    yield;
  }
  return undefined;
}
