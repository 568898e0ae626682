import { describe, expect, it } from "vitest";
import { createBuckets } from "../../../../sandbox/discord/limits/buckets.ts";

const rules = {
  "*": { limit: 9, windowMs: 1000 },
  "POST /channels/:id/messages": { limit: 2, windowMs: 5000 },
};

describe("route buckets", () => {
  it("count down from the first request, run out, and fill again", () => {
    const buckets = createBuckets(() => rules);
    const take = (nowMs: number) => {
      const { limit, remaining, resetAfterMs, isExhausted } = buckets.take(
        "POST",
        "/channels/1/messages",
        nowMs,
      );
      return [limit, remaining, resetAfterMs, isExhausted];
    };
    expect([take(0), take(100), take(200), take(4999), take(5000)]).toEqual([
      [2, 1, 5000, false],
      [2, 0, 4900, false],
      [2, 0, 4800, true],
      [2, 0, 1, true],
      [2, 1, 5000, false],
    ]);
  });

  it("are separate for each channel, method and route, while the channels of a route share a hash", () => {
    const buckets = createBuckets(() => rules);
    const taken = [
      ["POST", "/channels/1/messages"],
      ["POST", "/channels/2/messages"],
      ["PATCH", "/channels/1/messages/5"],
      ["PATCH", "/channels/1/messages/6"],
    ].map(([method = "", path = ""]) => buckets.take(method, path, 0));
    expect(taken.map(({ remaining }) => remaining)).toEqual([1, 1, 8, 7]);
    const [first, second, third, fourth] = taken.map(({ hash }) => hash);
    expect([first === second, third === fourth, first === third]).toEqual([true, true, false]);
  });

  it("are removed once they are full again, so that those of webhook tokens do not pile up", () => {
    const buckets = createBuckets(() => rules);
    for (let count = 0; count < 5000; count += 1) {
      buckets.take("POST", `/webhooks/1/t${count}`, count * 1000);
    }
    expect(buckets.size).toBeLessThanOrEqual(2000);
  });
});
