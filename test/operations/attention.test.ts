import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { MessengerError, type MessengerProblem } from "../../src/core/ports.ts";
import { textReply } from "../../src/core/reply.ts";
import { openDatabase } from "../../src/database.ts";
import { createAttention, applyResults, isMessageDue } from "../../src/operations/attention.ts";
import { type CheckResult, createAttentionChecks } from "../../src/operations/attention-checks.ts";
import { createStillClock } from "../support/still-clock.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const matter = (text: string, isTold: boolean, sinceMs = 0) => ({ name: "a", text, isTold, sinceMs });

describe("what is open", () => {
  it.each<[string, CheckResult, readonly object[]]>([
    ["keeps its beginning, and gets the words of now", { text: "new" }, [matter("new", true)]],
    ["stays as it was while nobody can tell", "unknown", [matter("old", true)]],
    ["ends when all is well", "ok", []],
  ])("%s", (_, seen, open) => {
    const before = { toldAtMs: 5, open: [matter("old", true)] };
    expect(applyResults(before, new Map([["a", seen]]), 9)).toEqual({ toldAtMs: 5, open });
  });

  it.each([
    ["something new that lasts", undefined, matter("x", false), true],
    ["what may pass yet", undefined, matter("x", false, 71 * MINUTE_MS), false],
    ["what was told", undefined, matter("x", true), false],
    [
      "something new within a day of the last message",
      110 * MINUTE_MS - 24 * HOUR_MS,
      matter("x", false),
      false,
    ],
    ["something new a day after the last message", 100 * MINUTE_MS - 24 * HOUR_MS, matter("x", false), true],
    [
      "something new after a message of the future: a clock was ahead",
      48 * HOUR_MS,
      matter("x", false),
      true,
    ],
  ])("is told or not: %s", (_, toldAtMs, open, expected) => {
    const state = { open: [open], ...(toldAtMs !== undefined && { toldAtMs }) };
    expect(isMessageDue(state, 100 * MINUTE_MS)).toBe(expected);
  });
});

async function arrange(
  fates: readonly (MessengerProblem | "dies after" | "arrives")[] = [],
  owners = new Set(["1"]),
) {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => database.close());
  const state: { seen: CheckResult } = { seen: "ok" };
  /** One for each nonce, as Discord has them. */
  const told = new Set<string>();
  const left = [...fates];
  const start = () =>
    createAttention({
      facts: database.facts,
      checks: [{ name: "a", run: async () => state.seen }],
      isOn: true,
      ownerIds: async () => owners,
      messenger: {
        async dm(userId, _reply, { nonce }) {
          const fate = left.shift() ?? "arrives";
          if (fate === "arrives" || fate === "dies after") {
            told.add(`${userId} ${nonce}`);
          }
          if (fate === "arrives") {
            return { channelId: "2", messageId: "3" };
          }
          throw fate === "dies after" ? new Error("the process ends") : new MessengerError(fate, "dm");
        },
      },
      present: (texts) => textReply(texts.join()),
      clock,
      log,
    });
  /** Looks as often as it would in this time. */
  async function pass(attention: ReturnType<typeof start>, durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 10 * MINUTE_MS) {
      clock.advance(10 * MINUTE_MS);
      await attention.work();
    }
  }
  return { state, told, start, pass };
}

it("tells once, also after a restart, and again when it comes back after all was well", async () => {
  const { state, told, start, pass } = await arrange();
  state.seen = { text: "It leaks." };
  const attention = start();
  await pass(attention, HOUR_MS);
  expect(told.size).toBe(1);
  expect(await attention.open()).toEqual(["It leaks."]);
  const next = start();
  await pass(next, 48 * HOUR_MS);
  expect(told.size).toBe(1);
  state.seen = "ok";
  await pass(next, HOUR_MS);
  expect(await next.open()).toEqual([]);
  state.seen = { text: "It leaks." };
  await pass(next, HOUR_MS);
  expect(told.size).toBe(2);
});

it("sends the same message again where Discord was away, or the process died before it was noted", async () => {
  const { state, told, start, pass } = await arrange(["unavailable", "dies after"]);
  state.seen = { text: "It leaks." };
  const attention = start();
  await expect(pass(attention, 2 * HOUR_MS)).rejects.toThrow("the process ends");
  expect(told.size).toBe(1);
  await pass(start(), 2 * HOUR_MS);
  expect(told.size).toBe(1);
});

it("is content with the list where the owner takes no direct messages", async () => {
  const { state, told, start, pass } = await arrange(["dm-closed"]);
  state.seen = { text: "It leaks." };
  const attention = start();
  await pass(attention, 3 * HOUR_MS);
  expect(told.size).toBe(0);
  expect(await attention.open()).toEqual(["It leaks."]);
});

it("tries again for the rest of a team, of whom one takes no direct messages and Discord was away for the other", async () => {
  const { state, told, start, pass } = await arrange(
    ["dm-closed", "unavailable", "dm-closed"],
    new Set(["1", "2"]),
  );
  state.seen = { text: "It leaks." };
  await pass(start(), 2 * HOUR_MS);
  expect([...told].map((each) => each.split(" ")[0])).toEqual(["2"]);
});

it("finds a plan too small when it has had no call left for hours, and when boards want more than it has", async () => {
  const plan = { left: 0, wants: undefined as number | undefined };
  const [boards, people] = createAttentionChecks({
    video: undefined,
    plans: [
      {
        what: "trains",
        limit: 1_000,
        budget: { state: async () => ({ limit: 1_000, windowMs: 1, used: 1, left: plan.left }) },
        boardsWant: () => plan.wants,
      },
    ],
    refusals: () => [],
    countMissed: async () => 0,
    newestBackupMs: undefined,
    clock: createStillClock(),
  });
  const run = async (times: number) => {
    let last: CheckResult | undefined = undefined;
    for (let time = 0; time < times; time += 1) {
      last = await people?.run();
    }
    return last;
  };
  expect(await run(17)).toBe("unknown");
  expect(await run(1)).toMatchObject({ text: expect.stringContaining("has had no call left") });
  plan.left = 1;
  expect(await run(18)).toMatchObject({ text: expect.any(String) });
  expect(await run(1)).toBe("ok");
  expect(await boards?.run()).toBe("unknown");
  plan.wants = 800;
  expect(await boards?.run()).toBe("ok");
  plan.wants = 801;
  expect(await boards?.run()).toMatchObject({ text: expect.stringContaining("they need 801 calls") });
});

it("misses a backup when a bot that has run for hours has made none for two days", async () => {
  const clock = createStillClock();
  const made: { atMs: number | undefined } = { atMs: undefined };
  const checks = createAttentionChecks({
    video: undefined,
    plans: [],
    refusals: () => [],
    countMissed: async () => 0,
    newestBackupMs: () => made.atMs,
    clock,
  });
  const run = () => checks.find(({ name }) => name === "backups")?.run();
  // A process in a fleet that has waited to run the jobs.
  clock.advance(10 * HOUR_MS);
  expect(await run()).toBe("unknown");
  clock.advance(2 * HOUR_MS);
  expect(await run()).toMatchObject({ text: expect.stringMatching(/^There's no backup yet/) });
  made.atMs = clock.now() - 48 * HOUR_MS;
  expect(await run()).toMatchObject({ text: expect.stringMatching(/^The last backup was made <t:/) });
  made.atMs += 1;
  expect(await run()).toBe("ok");
});

it.each([
  [
    "is refused",
    { isRefused: true, endsAtMs: undefined },
    0,
    /^The video service no longer accepts `VIDEO_ACCESS_TOKEN`/,
  ],
  ["has ended", { isRefused: false, endsAtMs: -1 }, 0, /^The video service no longer accepts/],
  [
    "ends within a week",
    { isRefused: false, endsAtMs: 167 * HOUR_MS },
    0,
    /^`VIDEO_ACCESS_TOKEN` expires <t:/,
  ],
  [
    "is good, but a linked account is not",
    { isRefused: false, endsAtMs: 168 * HOUR_MS },
    1,
    /^1 video account .* no longer works/,
  ],
  ["is missing, and two linked accounts are broken", undefined, 2, /^2 video accounts .* no longer work\./],
])("says of videos when the operator's token %s", async (_, token, broken, sentence) => {
  const clock = createStillClock();
  const checks = createAttentionChecks({
    video: {
      operatorToken: async () =>
        token && {
          ...token,
          endsAtMs: token.endsAtMs === undefined ? undefined : clock.now() + token.endsAtMs,
        },
      countBroken: async () => broken,
    },
    plans: [],
    refusals: () => [],
    countMissed: async () => 0,
    newestBackupMs: undefined,
    clock,
  });
  const seen = await Promise.all(checks.map(({ run }) => run()));
  expect(seen.filter((each) => each !== "ok")).toEqual([{ text: expect.stringMatching(sentence) }]);
});

it("tells of a source that refuses a key, by the variable to set, and while it does", async () => {
  let refusals: readonly { readonly source: "rail-data" | "tfl"; readonly product: string }[] = [];
  const checks = createAttentionChecks({
    video: undefined,
    plans: [],
    refusals: () => refusals,
    countMissed: async () => 0,
    newestBackupMs: undefined,
    clock: createStillClock(),
  });
  const run = () => checks.find(({ name }) => name === "refused keys")?.run();
  expect(await run()).toBe("ok");
  refusals = [
    { source: "rail-data", product: "arrivals" },
    { source: "tfl", product: "departures" },
  ];
  expect(await run()).toMatchObject({
    text: expect.stringContaining("`RAIL_DATA_ARRIVALS_KEY` and `TFL_APP_KEY`"),
  });
});
