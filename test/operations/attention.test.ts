import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { MessengerError, type MessengerProblem } from "../../src/core/ports.ts";
import { textReply } from "../../src/core/reply.ts";
import { openMemoryDatabase } from "../open.ts";
import { createAttention, applyResults, isMessageDue } from "../../src/operations/attention.ts";
import { type CheckResult, createAttentionChecks } from "../../src/operations/attention-checks.ts";
import { createStillClock } from "../support/still-clock.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const problem = (text: string, isTold: boolean, sinceMs = 0) => ({ name: "a", text, isTold, sinceMs });

describe("an open problem", () => {
  it.each<[string, CheckResult, readonly object[]]>([
    ["keeps its start and gets the latest text", { text: "new" }, [problem("new", true)]],
    ["stays unchanged while its check is unknown", "unknown", [problem("old", true)]],
    ["ends when its check is ok", "ok", []],
  ])("%s", (_, seen, open) => {
    const before = { toldAtMs: 5, open: [problem("old", true)] };
    expect(applyResults(before, new Map([["a", seen]]), 9)).toEqual({ toldAtMs: 5, open });
  });

  it.each([
    ["a new problem that lasts", undefined, problem("x", false), true],
    ["a problem that may still pass", undefined, problem("x", false, 71 * MINUTE_MS), false],
    ["a problem that was reported", undefined, problem("x", true), false],
    [
      "a new problem within a day of the last message",
      110 * MINUTE_MS - 24 * HOUR_MS,
      problem("x", false),
      false,
    ],
    ["a new problem a day after the last message", 100 * MINUTE_MS - 24 * HOUR_MS, problem("x", false), true],
    [
      "a new problem after a message from the future, because a clock was ahead",
      48 * HOUR_MS,
      problem("x", false),
      true,
    ],
  ])("is reported or not: %s", (_, toldAtMs, open, expected) => {
    const state = { open: [open], ...(toldAtMs !== undefined && { toldAtMs }) };
    expect(isMessageDue(state, 100 * MINUTE_MS)).toBe(expected);
  });
});

async function arrange(
  outcomes: readonly (MessengerProblem | "dies after" | "arrives")[] = [],
  owners = new Set(["1"]),
) {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const state: { seen: CheckResult } = { seen: "ok" };
  /** The messages, one for each person and nonce, as at Discord. */
  const told = new Set<string>();
  const left = [...outcomes];
  const start = () =>
    createAttention({
      facts: database.facts,
      checks: [{ name: "a", run: async () => state.seen }],
      isOn: true,
      ownerIds: async () => owners,
      messenger: {
        async dm(userId, _reply, { nonce }) {
          const outcome = left.shift() ?? "arrives";
          if (outcome === "arrives" || outcome === "dies after") {
            told.add(`${userId} ${nonce}`);
          }
          if (outcome === "arrives") {
            return { channelId: "2", messageId: "3" };
          }
          throw outcome === "dies after" ? new Error("the process ends") : new MessengerError(outcome, "dm");
        },
      },
      present: (texts) => textReply(texts.join()),
      clock,
      log,
    });
  /** Lets this time pass, with a check every ten minutes. */
  async function pass(attention: ReturnType<typeof start>, durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 10 * MINUTE_MS) {
      clock.advance(10 * MINUTE_MS);
      await attention.work();
    }
  }
  return { state, told, start, pass };
}

it("a problem is reported once, even after a restart, and again if it comes back", async () => {
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

it("a report is sent again with the same nonce if Discord failed or the process died before it was recorded", async () => {
  const { state, told, start, pass } = await arrange(["unavailable", "outcome-unknown", "dies after"]);
  state.seen = { text: "It leaks." };
  const attention = start();
  await expect(pass(attention, 2 * HOUR_MS)).rejects.toThrow("the process ends");
  expect(told.size).toBe(1);
  await pass(start(), 2 * HOUR_MS);
  expect(told.size).toBe(1);
});

it("a report is only listed if the owner accepts no direct messages", async () => {
  const { state, told, start, pass } = await arrange(["dm-closed"]);
  state.seen = { text: "It leaks." };
  const attention = start();
  await pass(attention, 3 * HOUR_MS);
  expect(told.size).toBe(0);
  expect(await attention.open()).toEqual(["It leaks."]);
});

it("a report is retried for one owner even if another accepts no direct messages", async () => {
  const { state, told, start, pass } = await arrange(
    ["dm-closed", "unavailable", "dm-closed"],
    new Set(["1", "2"]),
  );
  state.seen = { text: "It leaks." };
  await pass(start(), 2 * HOUR_MS);
  expect([...told].map((each) => each.split(" ")[0])).toEqual(["2"]);
});

it("a budget is reported as too small if it has had no call left for hours, or if boards need too much of it", async () => {
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
    styleRefusal: undefined,
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
  expect(await boards?.run()).toMatchObject({
    text: expect.stringContaining("they need 801 calls, and at most 800 of its 1,000 are for them"),
  });
});

it("a missing backup is reported after 12 hours without any, or two days after the last", async () => {
  const clock = createStillClock();
  const made: { atMs: number | undefined } = { atMs: undefined };
  const checks = createAttentionChecks({
    video: undefined,
    plans: [],
    refusals: () => [],
    styleRefusal: undefined,
    countMissed: async () => 0,
    newestBackupMs: () => made.atMs,
    clock,
  });
  const run = () => checks.find(({ name }) => name === "backups")?.run();
  // The process may belong to a fleet and have waited to run the jobs.
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
])("a problem with videos is reported if the operator's token %s", async (_, token, broken, sentence) => {
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
    styleRefusal: undefined,
    countMissed: async () => 0,
    newestBackupMs: undefined,
    clock,
  });
  const seen = await Promise.all(checks.map(({ run }) => run()));
  expect(seen.filter((each) => each !== "ok")).toEqual([{ text: expect.stringMatching(sentence) }]);
});

it("a source that refuses a key is reported with the variable to set", async () => {
  let refusals: readonly { readonly source: "rail-data" | "tfl"; readonly product: string }[] = [];
  const checks = createAttentionChecks({
    video: undefined,
    plans: [],
    refusals: () => refusals,
    styleRefusal: undefined,
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

it("a style service that refuses the key, or an account without credit, is reported until a picture comes", async () => {
  let refusal: "unauthorised" | "out-of-credit" | undefined;
  const checks = createAttentionChecks({
    video: undefined,
    plans: [],
    refusals: () => [],
    styleRefusal: () => refusal,
    countMissed: async () => 0,
    newestBackupMs: undefined,
    clock: createStillClock(),
  });
  const run = () => checks.find(({ name }) => name === "style service")?.run();
  expect(await run()).toBe("ok");
  refusal = "unauthorised";
  expect(await run()).toMatchObject({ text: expect.stringContaining("`STYLE_API_KEY`") });
  refusal = "out-of-credit";
  expect(await run()).toMatchObject({ text: expect.stringContaining("no credit left") });
  refusal = undefined;
  expect(await run()).toBe("ok");
});
