import { describe, expect, it } from "vitest";
import { coalesce } from "../../../../../sandbox/page/client/state/coalesce.ts";

/** Coalesced work whose runs the test ends. */
function createRuns() {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { runs, ask };
}

describe("coalesced work", () => {
  it("runs once more for all calls during a run", async () => {
    const { runs, ask } = createRuns();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await first;
    await expect.poll(() => runs).toHaveLength(2);
    runs[1]?.resolve();
    await Promise.all(others);
    expect(runs).toHaveLength(2);
  });

  it("rejects only the calls of the run that failed, and then runs for the others", async () => {
    const { runs, ask } = createRuns();
    const first = ask();
    const second = ask();
    runs[0]?.reject(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    await expect.poll(() => runs).toHaveLength(2);
    runs[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
  });

  it("starts at once if no run is in progress", async () => {
    const { runs, ask } = createRuns();
    const first = ask();
    runs[0]?.resolve();
    await first;
    void ask();
    expect(runs).toHaveLength(2);
  });
});
