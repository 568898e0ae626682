import { describe, expect, it } from "vitest";
import { coalesce } from "../../../../../sandbox/page/client/state/coalesce.ts";

/** Runs that end when the test says so. */
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
  it("is done once more for all who ask while it goes on", async () => {
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

  it("tells its failure to those who asked for it, and is done anew for the next", async () => {
    const { runs, ask } = createRuns();
    const first = ask();
    const second = ask();
    runs[0]?.reject(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    await expect.poll(() => runs).toHaveLength(2);
    runs[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
  });

  it("is done at once when nothing goes on", async () => {
    const { runs, ask } = createRuns();
    const first = ask();
    runs[0]?.resolve();
    await first;
    void ask();
    expect(runs).toHaveLength(2);
  });
});
