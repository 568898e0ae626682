import { describe, expect, it, onTestFinished } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { MessengerError, type MessengerProblem } from "../../src/core/ports.ts";
import { textReply } from "../../src/core/reply.ts";
import { openMemoryDatabase } from "../open.ts";
import { createNotices } from "../../src/operations/notice.ts";
import { createStillClock } from "../support/still-clock.ts";

const CHANNELS = ["900000000000000002", "1000000000000000001", "900000000000000001", "1000000000000000009"];
const IN_ORDER = ["900000000000000001", "900000000000000002", "1000000000000000001", "1000000000000000009"];

/** The outcome of a message: it arrives, Discord refuses it, or the process dies before or after it arrives. */
type Outcome = "arrives" | MessengerProblem | "dies before" | "dies after";

async function open(outcomes: readonly Outcome[] = []) {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  /** The messages at Discord, which accepts a nonce only once in two minutes. */
  const posted: { readonly channelId: string; readonly nonce: string; readonly atMs: number }[] = [];
  const left = [...outcomes];
  const boards = new Set(CHANNELS);

  function arrive(channelId: string, nonce: string): void {
    const isKnown = posted.some((each) => each.nonce === nonce && clock.now() - each.atMs < 120_000);
    if (!isKnown) {
      posted.push({ channelId, nonce, atMs: clock.now() });
    }
  }

  const notices = createNotices({
    facts: database.facts,
    boardChannels: async () => [...boards],
    messenger: {
      async post(channelId, _reply, { nonce }) {
        const outcome = left.shift() ?? "arrives";
        if (outcome === "arrives" || outcome === "dies after") {
          arrive(channelId, nonce);
        }
        if (outcome === "arrives") {
          return { channelId, messageId: "1" };
        }
        throw outcome.startsWith("dies")
          ? new Error("the process ends")
          : // All other outcomes are problems.
            new MessengerError(outcome as MessengerProblem, "post");
      },
    },
    present: (text) => textReply(text),
    clock,
    log,
  });
  const send = async () => notices.send((await notices.draft("Hello")).id);
  const work = () => notices.work(() => undefined);
  return {
    clock,
    notices,
    posted,
    boards,
    send,
    work,
    channels: () => posted.map(({ channelId }) => channelId),
  };
}

it("a notice goes to each channel once, with a valid nonce", async () => {
  const { notices, posted, send, work, channels } = await open();
  await work();
  await notices.draft("Hello");
  await work();
  expect(posted).toEqual([]);
  await send();
  await work();
  await work();
  expect(channels()).toEqual(IN_ORDER);
  expect(new Set(posted.map(({ nonce }) => nonce)).size).toBe(4);
  expect(posted.every(({ nonce }) => nonce.length <= 25)).toBe(true);
  expect(await notices.last()).toMatchObject({ state: "sent", channels: 4, posted: 4, unreachable: 0 });
});

it("a notice counts channels that it cannot reach, and those with an unknown outcome", async () => {
  const { notices, send, work, channels } = await open(["channel-gone", "outcome-unknown", "not-allowed"]);
  await send();
  await work();
  expect(channels()).toEqual(IN_ORDER.slice(3));
  expect(await notices.last()).toMatchObject({ state: "sent", posted: 1, unreachable: 2, unsure: 1 });
});

it("a notice waits while Discord fails, and continues where it stopped", async () => {
  const { notices, send, work, channels } = await open(["arrives", "unavailable", "slow-down"]);
  await send();
  await work();
  expect(channels()).toEqual(IN_ORDER.slice(0, 1));
  expect(await notices.last()).toMatchObject({ state: "sending" });
  await work();
  await work();
  expect(channels()).toEqual(IN_ORDER);
  expect(await notices.last()).toMatchObject({ state: "sent", posted: 4, unsure: 0 });
});

describe("after a crash", () => {
  it.each([
    ["before a message arrived", "dies before", IN_ORDER, 0],
    ["after a message arrived", "dies after", IN_ORDER, 0],
  ] as const)(
    "%s, no message is lost or sent twice within a minute",
    async (_, outcome, expected, unsure) => {
      const { clock, notices, send, work, channels } = await open(["arrives", outcome]);
      await send();
      await expect(work()).rejects.toThrow("the process ends");
      clock.advance(60_000);
      await work();
      expect(channels()).toEqual(expected);
      expect(await notices.last()).toMatchObject({ state: "sent", posted: 4, unsure });
    },
  );

  it("the channel whose message may have arrived is counted even if its last board is removed", async () => {
    const { notices, boards, send, work, channels } = await open(["arrives", "dies after"]);
    await send();
    await expect(work()).rejects.toThrow("the process ends");
    boards.delete(IN_ORDER[1] ?? "");
    await work();
    expect(channels()).toEqual(IN_ORDER);
    expect(await notices.last()).toMatchObject({ state: "sent", posted: 3, unsure: 1 });
  });

  it.each([
    ["before", "dies before", 3],
    ["after", "dies after", 4],
  ] as const)("%s a message arrived, no message is sent twice later", async (_, outcome, arrived) => {
    const { clock, notices, send, work, channels } = await open(["arrives", outcome]);
    await send();
    await expect(work()).rejects.toThrow("the process ends");
    clock.advance(200_000);
    await work();
    expect(channels()).toHaveLength(arrived);
    expect(new Set(channels()).size).toBe(arrived);
    expect(await notices.last()).toMatchObject({ state: "sent", posted: 3, unsure: 1 });
  });
});

it("a notice is sent once, only as it was last shown, and is not replaced while it is sent", async () => {
  const { notices, send, work, channels } = await open();
  const first = await notices.draft("First");
  const second = await notices.draft("Second");
  await expect(notices.send(first.id)).rejects.toThrow(/out of date/);
  await Promise.allSettled([notices.send(second.id), notices.send(second.id)]);
  await expect(notices.draft("Third")).rejects.toThrow(UserError);
  await work();
  expect(channels()).toHaveLength(4);
  await notices.send(second.id);
  await work();
  expect(channels()).toHaveLength(4);
  await send();
});

it("a notice sends no message twice if Discord fails after a crash", async () => {
  const { clock, notices, send, work, channels } = await open(["dies after", "unavailable"]);
  await send();
  await expect(work()).rejects.toThrow("the process ends");
  clock.advance(30_000);
  await work();
  clock.advance(150_000);
  await work();
  expect(channels()).toEqual(IN_ORDER);
  expect(await notices.last()).toMatchObject({ state: "sent", posted: 3, unsure: 1 });
});
