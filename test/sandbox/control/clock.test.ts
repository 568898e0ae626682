import { describe, expect, it } from "vitest";
import type { ClockState, JumpId } from "../../../sandbox/control/api/clock.ts";
import { listJumps } from "../../../sandbox/control/clock-routes.ts";
import { openWorld } from "../../../sandbox/world.ts";
import { openControl } from "./ask-control.ts";

const commandsDir = new URL("../../fixtures/commands/", import.meta.url);

function jumpFrom(now: string, jump: JumpId): string {
  const found = listJumps(Date.parse(now)).find(({ id }) => id === jump);
  return new Date(found?.atMs ?? Number.NaN).toISOString();
}

/** Whether a time is between `fromMs` and now by the machine's clock. */
const isSince = (fromMs: number, atMs: number): boolean => fromMs <= atMs && atMs <= Date.now();

describe("the clock's jumps", () => {
  it.each([
    ["rush-hour", "2026-11-18T07:59:59Z", "2026-11-18T08:00:00.000Z"],
    ["rush-hour", "2026-11-18T08:00:00Z", "2026-11-19T08:00:00.000Z"],
    // Across a weekend, and in summer time.
    ["rush-hour", "2026-11-20T17:20:00Z", "2026-11-23T08:00:00.000Z"],
    ["rush-hour", "2026-07-01T03:00:00Z", "2026-07-01T07:00:00.000Z"],
    ["night", "2026-11-18T17:20:00Z", "2026-11-19T02:30:00.000Z"],
    ["night", "2026-11-18T02:30:00Z", "2026-11-19T02:30:00.000Z"],
    ["spring-change", "2026-11-18T17:20:00Z", "2027-03-28T00:30:00.000Z"],
    ["spring-change", "2027-03-28T00:30:00Z", "2028-03-26T00:30:00.000Z"],
    ["autumn-change", "2026-11-18T17:20:00Z", "2027-10-31T00:30:00.000Z"],
    ["autumn-change", "2026-10-25T00:29:00Z", "2026-10-25T00:30:00.000Z"],
  ] as const)("to %s from %s lead to %s", (jump, now, then) => {
    expect(jumpFrom(now, jump)).toBe(then);
  });

  it("to now lead to the machine's time", () => {
    const fromMs = Date.now();
    expect(isSince(fromMs, Date.parse(jumpFrom("2030-01-01T00:00:00Z", "now")))).toBe(true);
  });
});

describe("the clock's routes", () => {
  it("give the time and the targets of jumps, and jump", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    const before = await control.get<ClockState>("/clock");
    expect(before).toMatchObject({ mode: "still", nowMs: world.clock.now() });
    expect(before.jumps.every(({ label, description }) => label !== "" && description !== "")).toBe(true);
    const after = await control.post<ClockState>("/clock", { jump: "night" });
    expect(after.nowMs).toBe(before.jumps.find(({ id }) => id === "night")?.atMs);
    await control.until<{ nowMs: number }>("clock", ({ nowMs }) => nowMs === after.nowMs);
    await expect(control.post("/clock", { jump: "yesterday" })).rejects.toThrow("Invalid input");
    await expect(control.post("/clock", { passMs: 3_600_000 })).rejects.toThrow("Too big");
  });

  it("can return to the real time", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    const jumpedMs = Date.now();
    const { nowMs } = await control.post<ClockState>("/clock", { jump: "now" });
    expect(isSince(jumpedMs, nowMs)).toBe(true);
  });

  it("let a bot answer while time runs fast", async () => {
    await using world = await openWorld({ bot: "process", commandsDir });
    await using control = await openControl(world);
    const fromMs = world.clock.now();
    const passing = Promise.all(Array.from({ length: 6 }, () => control.post("/clock", { passMs: 10_000 })));
    for (let round = 0; round < 8; round += 1) {
      const answer = await world.member("Ada").slash(world.channels.trains, "fast", { text: `${round}` });
      expect(answer.text).toContain(String(round));
    }
    await passing;
    expect(world.clock.now() - fromMs).toBe(60_000);
  });
});
