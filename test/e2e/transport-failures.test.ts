// The transport service on its worst days: each failure has its own sentence, nothing leaks, the next command works.
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

async function ask(world: World, station = "YRK") {
  return world.member("Ada").slash(world.channels.trains, "departures", { station, view: "text" });
}

/** What people must never read. */
function expectNoLeak(world: World, text: string): void {
  expect(text).not.toContain(world.transport.appKey);
  expect(text).not.toContain(world.transport.appId);
  expect(text).not.toMatch(/https?:\/\/127|app_key|app_id|\bat .*\.ts|node:|undefined|\[object/);
}

describe("bad input", () => {
  it("suggests the three nearest names for an unknown station, to the one who asked", async () => {
    await using world = await openJudgedWorld();
    const answer = await ask(world, "Yrok");
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/Yrok/);
    expect(answer.text).toMatch(/York \(YRK\)/);
    expect([...answer.text.matchAll(/\([A-Z]{3}\)/g)]).toHaveLength(3);
    expect(world.transport.ledger).toHaveLength(0);
  });

  it.each(["", "🚂", "@everyone", "x".repeat(60), "../../live.json?app_key=1", "`; drop table"])(
    "survives the station %j",
    async (station) => {
      await using world = await openJudgedWorld();
      const answer = await ask(world, station === "" ? " " : station);
      expect(answer.message.ephemeral).toBe(true);
      expect(answer.message.pings).toEqual([]);
      expect(answer.text.length).toBeLessThan(400);
      expect(world.transport.ledger).toHaveLength(0);
    },
  );
});

describe("wrong or used-up credentials", () => {
  it("says that the operator must look at a wrong key", async () => {
    await using world = await openJudgedWorld({ env: { TRANSPORT_APP_KEY: "wrong-key-0123456789" } });
    const answer = await ask(world);
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/key|credentials|sign in/i);
    expect(answer.text).not.toContain("wrong-key-0123456789");
    expectNoLeak(world, answer.text);
  });

  it("says that the plan is used up, and works again when it turns", async () => {
    await using world = await openJudgedWorld();
    world.transport.plan.set({ limit: 0, windowMs: 3_600_000 });
    const spent = await ask(world);
    expect(spent.message.ephemeral).toBe(true);
    expect(spent.text).toMatch(/used up|allowance|plan/i);
    expectNoLeak(world, spent.text);
    world.transport.plan.set({ limit: 1_000, windowMs: 3_600_000 });
    expect((await ask(world)).text).toMatch(/York/);
  });
});
