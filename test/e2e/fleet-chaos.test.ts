// A short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { runFleetChaos } from "../support/fleet-chaos.ts";
import { reportChecks } from "../support/checked-world.ts";

reportChecks();

const { missing } = await findPostgres();

it.skipIf(missing !== undefined)(
  "two processes neither lose nor repeat any of 300 slots, 30 publications and 30 watches while PostgreSQL stops repeatedly",
  { timeout: 300_000 },
  async () => {
    const report = await runFleetChaos(20_261_122, { slots: 300, publications: 30, watches: 30 });
    expect(report.broken).toEqual([]);
    expect(report).toMatchObject({ slots: 300, publications: 30, watches: 30, unknown: 0 });
    expect(report.stops).toBeGreaterThan(2);
    expect(report.felt).toBeGreaterThan(report.stops);
    // A stop is shorter than the two minutes after which a slot counts as missed.
    expect(report.missed).toBeLessThan(report.slots / 100);
  },
);
