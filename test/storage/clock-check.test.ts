import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { collectLog } from "../support/collect-log.ts";
import { openDatabase } from "../../src/database.ts";
import { findPostgres } from "../support/databases.ts";
import { createTestDatabase } from "../open.ts";

const postgres = await findPostgres();

/** Opens a PostgreSQL database for a process, each with its own clock. */
async function open() {
  const at = { atMs: Date.UTC(2026, 10, 18, 17, 20), mode: "still" } as const;
  const [own, server] = [createSandboxClock(at), createSandboxClock(at)];
  const { log, lines } = collectLog();
  const url = await createTestDatabase(postgres);
  const database = await openDatabase({ url, clock: own, log, databaseNow: () => server.now() });
  onTestFinished(() => database.close());
  const takeCall = () =>
    database.spending.take({
      service: "transport",
      windowMs: 60_000,
      limit: 1,
      weight: 1,
      purpose: "person",
      stepMs: 1,
      floors: { person: 0, board: 0 },
      leave: 0,
    });
  const takeLease = () => database.leases.take("jobs", "me", 18_000);
  return {
    own,
    server,
    takeCall,
    takeLease,
    clockLines: () => lines.filter((line) => line.includes("clock")),
  };
}

const WRONG = { service: "storage", kind: "unavailable", message: expect.stringContaining("clock") };

describe.skipIf(postgres.missing !== undefined)("a process on PostgreSQL", () => {
  it.each([5_001, -5_001, 86_400_000])(
    "takes no lease and no budget while its clock is %i ms off, and does again when it is right",
    async (offMs) => {
      const { own, takeCall, takeLease, clockLines } = await open();
      expect(await takeLease()).toBe(true);
      await own.jump(offMs);
      await expect(takeLease()).rejects.toMatchObject(WRONG);
      await expect(takeCall()).rejects.toMatchObject(WRONG);
      expect(clockLines()).toHaveLength(1);
      expect(clockLines()[0]).toContain(`"differenceMs":${offMs}`);
      await own.jump(-offMs);
      expect(await takeLease()).toBe(true);
      expect(await takeCall()).toEqual({ taken: true });
      expect(clockLines()).toHaveLength(2);
    },
  );

  it("takes both with a clock that is at most 5 s off", async () => {
    const { own, takeCall, takeLease, clockLines } = await open();
    await own.jump(5_000);
    expect(await takeLease()).toBe(true);
    await own.jump(-10_000);
    expect(await takeCall()).toEqual({ taken: true });
    expect(clockLines()).toEqual([]);
  });

  it("takes no call from the budget twice after the server's clock was ahead for a while", async () => {
    const { server, takeCall } = await open();
    expect(await takeCall()).toEqual({ taken: true });
    await server.jump(7_200_000);
    await expect(takeCall()).rejects.toMatchObject(WRONG);
    await server.jump(-7_200_000);
    expect(await takeCall()).toMatchObject({ taken: false, freesInMs: 60_000 });
  });
});
