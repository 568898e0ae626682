// The plan through many kills, jumps of the clock and restarts: a longer campaign than in test/e2e/budget.test.ts.
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { hammerFleet } from "../support/hammered-fleet.ts";

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined).each([
  { calls: 20, pauseMinutes: 7 },
  { calls: 50, pauseMinutes: 13 },
  { calls: 3, pauseMinutes: 29 },
])("a plan of $calls calls an hour is never exceeded", async ({ calls, pauseMinutes }) => {
  await using database = await postgres.create();
  const { mostInAnHour, kills, answered } = await hammerFleet({
    databaseUrl: database.url,
    calls,
    rounds: 60,
    asksPerRound: 24,
    pauseMs: pauseMinutes * 60_000,
  });
  expect(kills).toBe(15);
  expect(Math.min(...answered)).toBeGreaterThan(100);
  // Two servers leave part of the plan to others.
  expect(mostInAnHour).toBeGreaterThan(calls / 2);
  expect(mostInAnHour).toBeLessThanOrEqual(calls);
});
