// Two processes handle 5,000 slots of boards, 500 publications and 500 watches while PostgreSQL stops every 5 to 10
// seconds for up to 2. None is lost beyond the stated rule, none is repeated, and no process ends.
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { runFleetChaos } from "../support/fleet-chaos.ts";

const { missing } = await findPostgres();

it.skipIf(missing !== undefined).each([1])(
  "two processes neither lose nor repeat anything while PostgreSQL stops repeatedly, seed %d",
  { timeout: 1_800_000 },
  async (seed) => {
    const report = await runFleetChaos(seed, { slots: 5_000, publications: 500, watches: 500 });
    process.stdout.write(`${JSON.stringify({ ...report, broken: report.broken.length })}\n`);
    expect(report.broken, `seed ${seed}`).toEqual([]);
    expect(report).toMatchObject({ slots: 5_000, publications: 500, watches: 500, unknown: 0 });
    expect(report.stops).toBeGreaterThan(30);
    expect(report.felt).toBeGreaterThan(report.stops);
    // A stop is shorter than the two minutes after which a slot counts as missed.
    expect(report.missed).toBeLessThan(report.slots / 100);
  },
);
