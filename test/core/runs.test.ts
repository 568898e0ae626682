import { expect, it } from "vitest";
import { createKeyedQueue } from "../../src/core/runs.ts";

it("a keyed queue does the work of one key in order, however many other keys have work", async () => {
  const inTurn = createKeyedQueue();
  const done: string[] = [];
  const begun = Promise.withResolvers<void>();
  const first = inTurn("a", async () => {
    await begun.promise;
    done.push("first");
  });
  await Promise.all(Array.from({ length: 2_000 }, (_, index) => inTurn(`${index}`, async () => undefined)));
  const second = inTurn("a", async () => void done.push("second"));
  await inTurn("b", async () => void done.push("other"));
  begun.resolve();
  await Promise.all([first, second]);
  expect(done).toEqual(["other", "first", "second"]);
});

it("a keyed queue continues after work that failed", async () => {
  const inTurn = createKeyedQueue();
  const failed = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
