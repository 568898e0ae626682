// The transport service on its worst days: each failure has its own sentence, no secret leaks, and the next command
// works.
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { advanceUntil } from "../support/until.ts";

reportChecks();

/** If the service says that the plan is used up, the bot waits for at most an hour; its calls count slightly longer. */
const LONGEST_CLOSING_MS = 61 * 60_000;

async function ask(world: World, station = "YRK") {
  return world.member("Ada").slash(world.channels.trains, "departures", { station, view: "text" });
}

/** Waits for the message that only Ada sees; a late failure comes beside a public "thinking…". */
function told(world: World) {
  return world.member("Ada").waitForMessage(world.channels.trains, ({ ephemeral }) => ephemeral);
}

/** Checks that a text contains nothing that people must never read. */
function expectNoLeak(world: World, text: string): void {
  expect(text).not.toContain(world.transport.appKey);
  expect(text).not.toContain(world.transport.appId);
  expect(text).not.toMatch(/https?:\/\/127|app_key|app_id|\bat .*\.ts|node:|undefined|\[object/);
}

describe("a name that is no station", () => {
  it("is corrected if it can mean only one station, and leads to a question if it may mean several", async () => {
    await using world = await openCheckedWorld();
    const meant = await ask(world, "Yrok");
    expect(meant.text).toContain("Showing York for “Yrok”");
    expect(world.transport.ledger).toHaveLength(1);
    const unclear = await ask(world, "new st");
    expect(unclear.message.ephemeral).toBe(true);
    expect(unclear.text).toContain("Did you mean one of these?");
    expect(world.transport.ledger).toHaveLength(1);
  });

  it.each(["", "🚂", "@everyone", "x".repeat(60), "../../live.json?app_key=1", "`; drop table"])(
    "is refused without a call: %j",
    async (station) => {
      await using world = await openCheckedWorld();
      const answer = await ask(world, station === "" ? " " : station);
      expect(answer.message.ephemeral).toBe(true);
      expect(answer.message.pings).toEqual([]);
      expect(answer.text.length).toBeLessThan(400);
      expect(world.transport.ledger).toHaveLength(0);
    },
  );
});

describe("a refused call", () => {
  it("is explained if the key is wrong", async () => {
    await using world = await openCheckedWorld({ env: { TRANSPORT_APP_KEY: "wrong-key-0123456789" } });
    const answer = await ask(world);
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/key|credentials|sign in/i);
    expect(answer.text).not.toContain("wrong-key-0123456789");
    expectNoLeak(world, answer.text);
  });

  it("is explained if the plan is used up, and works again later", async () => {
    await using world = await openCheckedWorld();
    world.transport.plan.set({ limit: 0, windowMs: 3_600_000 });
    const spent = await ask(world);
    expect(spent.message.ephemeral).toBe(true);
    expect(spent.text).toMatch(/used up|allowance|plan/i);
    expectNoLeak(world, spent.text);
    world.transport.plan.set({ limit: 1_000, windowMs: 3_600_000 });
    await world.clock.advance(LONGEST_CLOSING_MS);
    expect((await ask(world)).text).toMatch(/York/);
  });
});

describe("a failing service", () => {
  const cases = [
    { does: "503", says: /can't reach/ },
    { does: "html", says: /an answer I don't understand/ },
    { does: "renamed-fields", says: /an answer I don't understand/ },
    { does: "text-for-list", says: /an answer I don't understand/ },
    { does: "drop", says: /can't reach/ },
    { does: "429", says: /busy/ },
    { does: "200-error", says: /service/ },
    { does: "used-up", says: /used up its train data/ },
    { does: "401", says: /credentials/ },
  ] as const;

  it.each(cases)("is explained after the fault $does, and the next command works", async ({ does, says }) => {
    await using world = await openCheckedWorld();
    const fault = world.transport.faults.add({ path: /live/, do: does, times: 99 });
    const asking = ask(world);
    // Retries wait on the clock, which nothing else advances.
    const turning = advanceUntil(world, asking);
    await asking;
    const answer = await told(world);
    await turning;
    expect(answer.text).toMatch(says);
    expect(answer.text.length).toBeLessThan(300);
    expectNoLeak(world, answer.text);
    fault.remove();
    if (does === "used-up") {
      await world.clock.advance(LONGEST_CLOSING_MS);
    }
    expect((await ask(world)).text).toMatch(/Departures from York/);
  });

  it("times out if it never answers, and Try again works", async () => {
    await using world = await openCheckedWorld();
    const fault = world.transport.faults.add({ path: /live/, do: "hang", times: 99 });
    const asking = ask(world);
    const turning = advanceUntil(world, asking);
    await asking;
    const answer = await told(world);
    await turning;
    expect(answer.text).toMatch(/too long|in time|time/i);
    expectNoLeak(world, answer.text);
    fault.remove();
    const again = await world.member("Ada").click(answer, "Try again");
    expect(again.text).toMatch(/Departures from York/);
    expect(again.message.ephemeral).toBe(false);
  });

  it("leaves no key in the log", async () => {
    await using world = await openCheckedWorld({ env: { LOG_LEVEL: "trace" } });
    for (const does of ["401", "used-up", "html"] as const) {
      world.transport.faults.add({ path: /live/, do: does });
      const asking = ask(world);
      await Promise.all([asking, advanceUntil(world, asking)]);
    }
    expect(world.bot.log.length).toBeGreaterThan(3);
    const log = world.bot.log.join("\n");
    expect(log).not.toContain(world.transport.appKey);
    expect(log).not.toContain(world.discord.token);
  });
});
