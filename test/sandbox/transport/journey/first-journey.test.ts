// In a file of its own: what the first journey makes is kept for the process.
import { expect, test } from "vitest";
import { openStandIn } from "../open-stand-in.ts";
import { turnsDuring } from "../turns-during.ts";

test("the first journey of a process lets everything else go on", async () => {
  await using open = await openStandIn();
  const journey = open.ask("/public/journey/from/crs:YRK/to/crs:LDS.json");
  const turns = await turnsDuring(journey);
  const { status, body } = await journey;
  expect(status).toBe(200);
  expect(body["routes"]).not.toEqual([]);
  // Made at once, it took a second in one turn of the event loop.
  expect(turns).toBeGreaterThan(20);
});

test("prepared beforehand it is the same", async () => {
  await using open = await openStandIn({ at: "2026-11-20T07:00:00Z" });
  await open.standIn.prepare();
  const { status, body } = await open.ask("/public/journey/from/crs:YRK/to/crs:LDS.json");
  expect(status).toBe(200);
  expect(body["routes"]).not.toEqual([]);
});
