import { setImmediate as nextTurn } from "node:timers/promises";
import { DiscordAPIError, RateLimitError } from "discord.js";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { noMeter } from "../../src/core/meter.ts";
import { createInteractionApi, isFileRefusal } from "../../src/discord/interaction-api.ts";
import { createStillClock } from "../support/still-clock.ts";

const key = { id: "1", token: "t", application_id: "900", attachment_size_limit: 1_000 };

function refusal(code: number): DiscordAPIError {
  return new DiscordAPIError({ code, message: "No" }, code, 400, "POST", "/", {
    files: undefined,
    body: undefined,
  });
}

/**
 * An API whose requests meet these troubles in turn and then succeed. An error is thrown; a number delays the answer by
 * that many turns of the event loop. Waits end at once and are recorded.
 */
function open(...troubles: readonly (Error | number)[]) {
  const sent: string[] = [];
  const waitsMs: number[] = [];
  let elsewhere = 0;
  const meet = (method: string) => async () => {
    const trouble = troubles[sent.push(method) - 1] ?? 0;
    if (trouble instanceof Error) {
      throw trouble;
    }
    for (let turn = 0; turn < trouble; turn += 1) {
      await nextTurn();
    }
  };
  const api = createInteractionApi({
    rest: { patch: meet("PATCH"), delete: meet("DELETE") },
    restOnce: { post: meet("POST") },
    direct: { post: meet("POST") },
    clock: {
      ...createStillClock(),
      after(delayMs, callback) {
        // A timer that is cancelled before its turn was a timeout, not a wait.
        const turn = setImmediate(() => {
          waitsMs.push(delayMs);
          callback();
        });
        return () => clearImmediate(turn);
      },
    },
    log: createLog({ level: "silent", secrets: [] }),
    meter: { ...noMeter, count: () => void (elsewhere += 1) },
  });
  return { api, sent, waitsMs, elsewhere: () => elsewhere };
}

const outage = new Error("Service Unavailable");
const rateLimit = new RateLimitError({
  global: false,
  hash: "unknown",
  limit: 5,
  majorParameter: "1",
  method: "PATCH",
  retryAfter: 90_000,
  route: "/",
  scope: "user",
  sublimitTimeout: 0,
  timeToReset: 90_000,
  url: "/",
});

describe("the first answer", () => {
  it("is retried within the three seconds that Discord waits", async () => {
    const { api, sent, waitsMs } = open(outage, outage, outage);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(4);
    expect(waitsMs.reduce((sum, waitMs) => sum + waitMs, 0)).toBeLessThan(1_500);
  });

  it("is not sent again by a busy process whose time-out is due before it reads the answer", async () => {
    const { api, sent } = open(5);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(1);
  });

  it("is sent again if no response arrives in time", async () => {
    const { api, sent } = open(50, 50);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(3);
  });

  it("fails if all retries fail", async () => {
    await expect(open(outage, outage, outage, outage).api.callback(key, 4)).rejects.toBe(outage);
  });

  it("is not retried if a rate limit lasts for longer than a minute", async () => {
    const { api, sent } = open(outage, rateLimit);
    await expect(api.callback(key, 4)).rejects.toBe(rateLimit);
    expect(sent).toHaveLength(2);
  });

  it("is closed if Discord no longer waits for it", async () => {
    const { api, sent } = open(refusal(10_062));
    expect(await api.callback(key, 4)).toBe("closed");
    expect(sent).toHaveLength(1);
  });

  it("was accepted earlier if an attempt succeeded but its response was lost", async () => {
    const { api, sent, elsewhere } = open(outage, refusal(40_060));
    expect(await api.callback(key, 4)).toBe("accepted-earlier");
    expect([sent.length, elsewhere()]).toEqual([2, 0]);
  });

  it("was accepted earlier if a previous answer succeeded but all its responses were lost", async () => {
    const { api, elsewhere } = open(outage, outage, outage, outage, refusal(40_060));
    await expect(api.callback(key, 5)).rejects.toBe(outage);
    expect(await api.callback(key, 4)).toBe("accepted-earlier");
    expect(elsewhere()).toBe(0);
  });

  it("is still open if it would change a message that has just been deleted", async () => {
    expect(await open(refusal(10_008)).api.callback(key, 7)).toBe("gone");
    await expect(open(refusal(10_008)).api.callback(key, 9)).rejects.toThrow("No");
  });

  it("is left to another process that has already answered, and that is counted", async () => {
    const { api, sent, elsewhere } = open(refusal(40_060));
    expect(await api.callback(key, 4)).toBe("closed");
    expect([sent.length, elsewhere()]).toEqual([1, 1]);
  });
});

describe("a request after the first answer", () => {
  it("is retried for a while", async () => {
    const { api, sent, waitsMs } = open(outage, outage, outage);
    await api.editOriginal(key, {});
    expect(sent).toHaveLength(4);
    expect(waitsMs).toEqual(waitsMs.toSorted((a, b) => a - b));
  });

  it("is not retried if Discord refuses it", async () => {
    const { api, sent } = open(refusal(50_035));
    await expect(api.followUp(key, {})).rejects.toThrow("No");
    expect(sent).toEqual(["POST"]);
  });

  it("is never sent twice if it is a follow-up, because Discord would not recognise a duplicate", async () => {
    const { api, sent } = open(outage);
    expect(await api.followUp(key, {})).toBe("unknown");
    expect(sent).toEqual(["POST"]);
  });

  it("is not retried if a rate limit lasts for longer than a minute", async () => {
    const { api, sent } = open(rateLimit, rateLimit);
    await expect(api.editOriginal(key, {})).rejects.toBe(rateLimit);
    // Its caller then shows the message in another way.
    expect(await api.followUp(key, {})).toBe("unknown");
    expect(sent).toEqual(["PATCH", "POST"]);
  });

  it("succeeds if somebody has deleted the message", async () => {
    await expect(open(refusal(10_008)).api.editOriginal(key, {})).resolves.toBeUndefined();
    // The first response was lost, but the message was deleted.
    await expect(open(outage, refusal(10_008)).api.deleteOriginal(key)).resolves.toBeUndefined();
  });
});

describe("a refusal of files", () => {
  it("is recognised by its code", () => {
    const codes = [40_005, 400_001, 50_035];
    expect(codes.map((code) => isFileRefusal(refusal(code)))).toEqual([true, true, false]);
  });
});
