import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createTimetables } from "../../src/rail/timetable.ts";
import { YORK } from "../support/boards.ts";
import { createStillClock } from "../support/still-clock.ts";
import { NOW, type Prepared, at, fakeTransport, train } from "../sources/transport-api/fake-transport.ts";

function world(...prepared: readonly Prepared[]) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransport(...prepared);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  return { asked, clock, timetables: createTimetables({ transport: client, answers, clock }) };
}

const DEPARTURES = { kind: "departures", via: undefined } as const;
const HOURLY = Array.from({ length: 6 }, (_, hour) => train(`${18 + hour}:00`.slice(0, 5), undefined));

describe("a timetable's page", () => {
  test("costs one request for the trains scheduled from that time on", async () => {
    const { asked, timetables } = world({ rows: HOURLY.slice(0, 3) });
    const page = await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    expect(page.rows.map(({ aimedAt }) => aimedAt.toString())).toEqual([
      "2026-03-04T18:00:00Z",
      "2026-03-04T19:00:00Z",
      "2026-03-04T20:00:00Z",
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ crs: "YRK", kind: "departures", live: false });
    await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    expect(asked).toHaveLength(1);
  });

  test("may show arrivals from another station, which is a separate question", async () => {
    const { asked, timetables } = world({ rows: HOURLY }, { rows: HOURLY });
    const leeds = { ...YORK, crs: "LDS", name: "Leeds" };
    await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    await timetables.page({ station: YORK, kind: "arrivals", via: leeds, from: at("18:00") });
    expect(asked[1]).toMatchObject({ crs: "YRK", kind: "arrivals", via: "LDS" });
    await expect(
      timetables.page({ ...DEPARTURES, station: YORK, via: YORK, from: at("18:00") }),
    ).rejects.toThrow(/Both stations are York/);
  });

  test("begins no earlier than now, and leads no further back", async () => {
    const { asked, timetables } = world({ rows: HOURLY }, { rows: HOURLY });
    const old = await timetables.page({ ...DEPARTURES, station: YORK, from: at("12:00") });
    expect(asked[0]?.from?.equals(at("17:20"))).toBe(true);
    expect(old.earlierFrom).toBeUndefined();
    const soon = await timetables.page({ ...DEPARTURES, station: YORK, from: at("17:50") });
    expect(soon.earlierFrom?.equals(at("17:20"))).toBe(true);
  });

  test("continues where a long list was cut", async () => {
    const rows = Array.from({ length: 15 }, (_, minute) => train(`18:${10 + minute}`, undefined));
    const { timetables } = world({ rows });
    const page = await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    expect(page.rows).toHaveLength(10);
    expect(page.laterFrom?.equals(at("18:20"))).toBe(true);
  });

  test("covers the rest of the day if nothing leaves for hours", async () => {
    const { asked, timetables } = world({}, { rows: [train("2026-03-05T05:12:00Z", undefined)] });
    const page = await timetables.page({ ...DEPARTURES, station: YORK, from: at("22:00") });
    expect(asked).toHaveLength(2);
    expect(page.rows).toHaveLength(1);
  });

  test("may be empty, and still leads on", async () => {
    const { timetables } = world({}, {});
    const page = await timetables.page({ ...DEPARTURES, station: YORK, from: at("22:00") });
    expect(page.rows).toEqual([]);
    expect(page.laterFrom && page.laterFrom.since(at("22:00")).total("hours")).toBeGreaterThan(0);
  });

  test("is an old one if the budget is spent", async () => {
    const spent = new ServiceError("transport", "budget-spent", "spent");
    const { clock, timetables } = world({ rows: HOURLY }, spent);
    await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    clock.advance(5 * 60_000);
    const page = await timetables.page({ ...DEPARTURES, station: YORK, from: at("18:00") });
    expect(page.stale).toMatchObject({ ageMinutes: 5, why: "budget-spent" });
  });
});
