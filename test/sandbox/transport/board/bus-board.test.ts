import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openStandIn } from "../open-stand-in.ts";
import type { OpenStandIn } from "../open-stand-in.ts";

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const rowSchema = z.looseObject({
  mode: z.literal("bus"),
  line: z.string().min(1),
  direction: z.string().min(1),
  operator: z.string(),
  aimed_departure_time: time.nullable(),
  expected_departure_time: time.nullable(),
  best_departure_estimate: time,
  id: z.url(),
});
const groupedSchema = z.record(z.string(), z.array(rowSchema).min(1).max(3));

async function stopNear(open: OpenStandIn, name: string, point: string): Promise<string> {
  const { body } = await open.ask(`/places.json?type=bus_stop&${point}`);
  const schema = z.object({ member: z.array(z.looseObject({ name: z.string(), atcocode: z.string() })) });
  const found = schema.parse(body).member.find((stop) => stop.name.includes(name));
  if (!found) {
    throw new Error(`there is no bus stop near there whose name contains ${name}`);
  }
  return found.atcocode;
}

const YORK = "lat=53.958&lon=-1.093";
const LONDON = "lat=51.5031&lon=-0.1132";

describe("a bus stop", () => {
  test("lists departures by line, at most three of each, or all in one list", async () => {
    await using open = await openStandIn();
    const code = await stopNear(open, "York Rail Station", YORK);
    const grouped = await open.ask(`/bus/stop/${code}/live.json?nextbuses=yes`);
    expect(grouped.body).toMatchObject({ atcocode: code, locality: "York" });
    const lists = groupedSchema.parse(grouped.body["departures"]);
    expect(Object.entries(lists).every(([line, rows]) => rows.every((row) => row.line === line))).toBe(true);
    const all = await open.ask(`/bus/stop/${code}/live.json?group=no&nextbuses=yes&limit=12`);
    const rows = all.departures.map((row) => rowSchema.parse(row));
    expect(rows.length).toBe(12);
    const aimed = rows.map((row) => row.aimed_departure_time ?? "");
    expect(aimed).toEqual(aimed.toSorted());
  });

  test("is live only if asked, and estimates fall back to the timetable", async () => {
    await using open = await openStandIn();
    const code = await stopNear(open, "York Rail Station", YORK);
    const planned = await open.ask(`/bus/stop_timetables/${code}.json?limit=50`);
    const live = await open.ask(`/bus/stop_timetables/${code}.json?limit=50&live=true`);
    const rowsOf = (departures: unknown) =>
      Object.values(z.record(z.string(), z.array(rowSchema)).parse(departures)).flat();
    const plannedRows = rowsOf(planned.body["departures"]);
    expect(plannedRows.every((row) => row.expected_departure_time === null)).toBe(true);
    expect(plannedRows.every((row) => row.best_departure_estimate === row.aimed_departure_time)).toBe(true);
    const liveRows = rowsOf(live.body["departures"]);
    expect(liveRows.some((row) => row.expected_departure_time !== null)).toBe(true);
    expect(liveRows.some((row) => row.expected_departure_time === null)).toBe(true);
  });

  test("in London is live without being asked, and has no planned times for tracked buses", async () => {
    await using open = await openStandIn();
    const code = await stopNear(open, "London Waterloo Rail Station", LONDON);
    const { departures } = await open.ask(`/bus/stop/${code}/live.json?group=no&limit=40`);
    const followed = departures.filter((row) => row["expected_departure_time"] !== null);
    expect(followed.length).toBeGreaterThan(0);
    expect(followed.every((row) => row["aimed_departure_time"] === null)).toBe(true);
  });

  test("sometimes gives No Information as a direction", async () => {
    await using open = await openStandIn();
    const directions = new Set<unknown>();
    const code = await stopNear(open, "York Rail Station", YORK);
    for (let hour = 0; hour < 6; hour += 1) {
      const { departures } = await open.ask(`/bus/stop/${code}/live.json?group=no&limit=100&nextbuses=yes`);
      departures.forEach((row) => directions.add(row["direction"]));
      await open.clock.advance(3_600_000);
    }
    expect(directions).toContain("No Information");
    expect(directions.size).toBeGreaterThan(2);
  });

  test("is not found for an unknown code, nor if only tubes or ferries stop there", async () => {
    await using open = await openStandIn();
    for (const code of ["nowhere", "9400ZZLUWLO", "9300BRO"]) {
      expect(await open.ask(`/bus/stop/${code}/live.json`)).toMatchObject({
        status: 404,
        body: { error: "Bus stop not found" },
      });
    }
    expect((await open.ask("/bus/stop/nowhere///timetable.json")).status).toBe(404);
  });
});

describe("bus situations", () => {
  const listSchema = z.object({
    request_time: z.string(),
    member: z.array(z.looseObject({ id: z.string(), summary: z.string(), description: z.string() })),
  });

  test("come in pages of at most 20", async () => {
    await using open = await openStandIn();
    const first = listSchema.parse((await open.ask("/bus/situations.json?limit=5")).body).member;
    const second = listSchema.parse((await open.ask("/bus/situations.json?limit=5&page=2")).body).member;
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(10);
    const all = listSchema.parse((await open.ask("/bus/situations.json?limit=99")).body).member;
    expect(all.length).toBe(20);
    expect((await open.ask("/bus/situations.json?date=soon")).status).toBe(422);
  });
});
