import { setImmediate as nextTurn } from "node:timers/promises";
import { DiscordAPIError } from "discord.js";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { noMeter } from "../../src/core/meter.ts";
import { createInteractionApi } from "../../src/discord/interaction-api.ts";
import { createStillClock } from "../support/still-clock.ts";

const key = { id: "1", token: "t", application_id: "900" };

function refusal(code: number): DiscordAPIError {
  return new DiscordAPIError({ code, message: "No" }, code, 400, "POST", "/", {
    files: undefined,
    body: undefined,
  });
}

/**
 * An API whose requests meet these in turn, and then succeed; waits pass at once and are noted. A number stands for so
 * many turns of the event loop until the answer is read.
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
        // What is cancelled before its turn was a timeout and no wait.
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

describe("the first answer", () => {
  it("is tried again within the three seconds that Discord waits", async () => {
    const { api, sent, waitsMs } = open(outage, outage, outage);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(4);
    expect(waitsMs.reduce((sum, waitMs) => sum + waitMs, 0)).toBeLessThan(1_500);
  });

  it("is not sent again by a process so late that each timer is due before it has read the answer", async () => {
    const { api, sent } = open(5);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(1);
  });

  it("is sent again where no answer comes in time", async () => {
    const { api, sent } = open(50, 50);
    expect(await api.callback(key, 4)).toBe("accepted");
    expect(sent).toHaveLength(3);
  });

  it("fails when nothing helps", async () => {
    await expect(open(outage, outage, outage, outage).api.callback(key, 4)).rejects.toBe(outage);
  });

  it("is over when Discord no longer waits for it", async () => {
    const { api, sent } = open(refusal(10_062));
    expect(await api.callback(key, 4)).toBe("closed");
    expect(sent).toHaveLength(1);
  });

  it("was taken before where a try whose answer was lost came through", async () => {
    const { api, sent, elsewhere } = open(outage, refusal(40_060));
    expect(await api.callback(key, 4)).toBe("accepted-earlier");
    expect([sent.length, elsewhere()]).toEqual([2, 0]);
  });

  it("was taken before where all tries of an earlier one, whose answers were lost, seemed to fail", async () => {
    const { api, elsewhere } = open(outage, outage, outage, outage, refusal(40_060));
    await expect(api.callback(key, 5)).rejects.toBe(outage);
    expect(await api.callback(key, 4)).toBe("accepted-earlier");
    expect(elsewhere()).toBe(0);
  });

  it("is left to another process that has given it, which is counted", async () => {
    const { api, sent, elsewhere } = open(refusal(40_060));
    expect(await api.callback(key, 4)).toBe("closed");
    expect([sent.length, elsewhere()]).toEqual([1, 1]);
  });
});

describe("what follows the first answer", () => {
  it("is tried again for a while, because nothing else would be said", async () => {
    const { api, sent, waitsMs } = open(outage, outage, outage);
    await api.editOriginal(key, {});
    expect(sent).toHaveLength(4);
    expect(waitsMs).toEqual(waitsMs.toSorted((a, b) => a - b));
  });

  it("is not tried again when Discord refuses it", async () => {
    const { api, sent } = open(refusal(50_035));
    await expect(api.followUp(key, {})).rejects.toThrow("No");
    expect(sent).toEqual(["POST"]);
  });

  it("never sends a follow-up twice, because nobody could tell the second from a repetition", async () => {
    const { api, sent } = open(outage);
    expect(await api.followUp(key, {})).toBe("unknown");
    expect(sent).toEqual(["POST"]);
  });

  it("lets a message go that somebody deleted meanwhile", async () => {
    await expect(open(refusal(10_008)).api.editOriginal(key, {})).resolves.toBeUndefined();
    // Its answer was lost, and the message was already deleted then.
    await expect(open(outage, refusal(10_008)).api.deleteOriginal(key)).resolves.toBeUndefined();
  });
});
