import { SnowflakeUtil } from "discord.js";
import { expect, it } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { createOldEditLimiter } from "../../src/discord/old-edit-limiter.ts";
import { NotSentError } from "../../src/discord/rate-limiter.ts";

const MINUTE_MS = 60_000;
const { signal } = new AbortController();

it("has all of 50 old messages in a channel edited, while few edits wait and none for more than 13 seconds", async () => {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const untilOldEdit = createOldEditLimiter(clock, {
    now: () => clock.elapsed(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
  });
  const messageId = String(SnowflakeUtil.generate({ timestamp: clock.now() - 60 * MINUTE_MS }));
  const tryAtMs = Array.from({ length: 50 }, () => 0);
  const edits = tryAtMs.map(() => 0);

  async function edit(index: number): Promise<void> {
    tryAtMs[index] = Infinity;
    const startMs = clock.elapsed();
    try {
      await untilOldEdit({ channelId: "c", messageId }, signal);
      expect(clock.elapsed() - startMs).toBeLessThanOrEqual(13_000);
      edits[index] = (edits[index] ?? 0) + 1;
      // The board's next update.
      tryAtMs[index] = startMs + 5 * MINUTE_MS;
    } catch (error) {
      const waitMs = error instanceof NotSentError ? error.retryAfterMs : undefined;
      tryAtMs[index] = clock.elapsed() + (waitMs ?? Infinity);
    }
  }

  const editing: Promise<void>[] = [];
  for (let second = 0; second < 15 * 60; second += 1) {
    editing.push(...tryAtMs.flatMap((atMs, index) => (atMs <= clock.elapsed() ? [edit(index)] : [])));
    await new Promise(setImmediate);
    expect(tryAtMs.filter((atMs) => atMs === Infinity).length, "waiting").toBeLessThanOrEqual(9);
    await clock.advance(1_000);
  }
  await Promise.all(editing);
  expect(Math.min(...edits)).toBeGreaterThanOrEqual(2);
});
