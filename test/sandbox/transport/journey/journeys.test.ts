import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openStandIn } from "../open-stand-in.ts";
import { askJourneys, summarise } from "./journey-answers.ts";

const specificationSchema = z.object({
  routes: z.array(
    z.strictObject({
      duration: z.int().positive(),
      price: z.number().positive().optional(),
      route_parts: z.array(
        z.strictObject({
          mode: z.string(),
          line_name: z.string().min(1).optional(),
          departure_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
          arrival_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
        }),
      ),
    }),
  ),
});

describe("journeys in the specification's shape", () => {
  test("have its fields and no others, and sometimes a price", async () => {
    await using open = await openStandIn();
    const { status, body } = await open.ask(
      "/public/journey/from/crs:YRK/to/crs:BTN.json?from=crs:YRK&to=crs:BTN&time=18:00",
    );
    expect(status).toBe(200);
    const { routes } = specificationSchema.parse(body);
    expect(routes.length).toBeGreaterThan(2);
    const more = await open.ask("/public/journey/from/crs:LDS/to/crs:KGX.json?time=08:00");
    const all = [...routes, ...specificationSchema.parse(more.body).routes];
    expect(all.some((route) => route.price !== undefined)).toBe(true);
    expect(all.some((route) => route.price === undefined)).toBe(true);
    expect(all.flatMap((route) => route.route_parts.map((part) => part.line_name))).toContain("LNER");
  });

  test("are found on the legacy path for departure at and arrival by a time", async () => {
    await using open = await openStandIn();
    const at = await open.ask("/public/journey/from/crs:YRK/to/crs:LDS/at/2026-11-20/09:00.json");
    const by = await open.ask("/public/journey/from/crs:YRK/to/crs:LDS/by/2026-11-20/09:00.json");
    const departures = specificationSchema
      .parse(at.body)
      .routes.map((route) => route.route_parts[0]?.departure_time);
    const arrivals = specificationSchema
      .parse(by.body)
      .routes.map((route) => route.route_parts.at(-1)?.arrival_time);
    expect(departures.every((time) => (time ?? "") >= "09:00")).toBe(true);
    expect(arrivals.every((time) => (time ?? "99:99") <= "09:00")).toBe(true);
    expect([departures.length, arrivals.length].every((count) => count > 2)).toBe(true);
  });
});

describe("journeys in the public shape", () => {
  test("cross London by tube between its termini", async () => {
    await using open = await openStandIn();
    const routes = (await askJourneys(open, "from=crs:LDS&to=crs:PMS")).map(summarise);
    expect(routes.some((route) => /tube .*Underground Station > .*Underground Station/.test(route))).toBe(
      true,
    );
  });

  test("begin and end on foot at postcodes and points, under the service's names for them", async () => {
    await using open = await openStandIn();
    const routes = await askJourneys(open, "from=postcode:YO24%201AB&to=lonlat:-0.1246,51.5007");
    expect(routes.length).toBeGreaterThan(0);
    for (const { route_parts: parts } of routes) {
      expect(parts[0]).toMatchObject({ mode: "foot", from_point_name: "Journey Origin", line_name: "" });
      expect(parts.at(-1)).toMatchObject({ mode: "foot", to_point_name: "Journey Destination" });
      expect(parts[0]?.from_point.place).toBeNull();
      expect(parts.some((part) => part.mode === "train")).toBe(true);
    }
  });

  test("can use boats and trams", async () => {
    await using open = await openStandIn({ at: "2026-11-18T09:00:00Z" });
    const toShanklin = (await askJourneys(open, "from=crs:WAT&to=crs:SHN")).map(summarise);
    expect(toShanklin[0]).toContain("boat Portsmouth Harbour Pier > Ryde Pier Head");
    const toBury = (await askJourneys(open, "from=crs:MAN&to=atcocode:9400ZZMABUR")).map(summarise);
    expect(toBury.some((route) => route.includes("tram"))).toBe(true);
    const toArran = (await askJourneys(open, "from=crs:GLC&to=atcocode:9300BRO")).map(summarise);
    expect(toArran[0]).toContain("Brodick Ferry Terminal");
  });

  test("are only a walk if that is the best way", async () => {
    await using open = await openStandIn();
    expect((await askJourneys(open, "from=crs:KGX&to=crs:STP")).map(summarise)).toEqual([
      "foot London Kings Cross > London St Pancras International",
    ]);
  });

  test("have the right duration, even on the nights when the clocks change", async () => {
    for (const at of ["2026-03-28T20:00:00Z", "2026-10-24T19:00:00Z", "2026-11-18T20:00:00Z"]) {
      await using open = await openStandIn({ at });
      const routes = await askJourneys(open, "from=crs:EUS&to=crs:INV");
      expect(routes.length).toBeGreaterThan(0);
      for (const route of routes) {
        const minutes = (Date.parse(route.arrival_datetime) - Date.parse(route.departure_datetime)) / 60_000;
        const [hours = 0, rest = 0] = route.duration.split(":").map(Number);
        expect(hours * 60 + rest).toBe(minutes);
      }
    }
  });

  test("link to the calling points of their trains, which match the journey", async () => {
    await using open = await openStandIn();
    const [route] = await askJourneys(open, "from=crs:YRK&to=crs:KGX");
    const part = route?.route_parts.find(({ mode }) => mode === "train");
    const service = await open.askRaw(
      new URL(part?.service.id ?? "").pathname + new URL(part?.service.id ?? "").search,
    );
    const stops = z.array(
      z.looseObject({ station_name: z.string(), aimed_departure_time: z.string().nullable() }),
    );
    const call = stops
      .parse(service.body["stops"])
      .find((stop) => stop.station_name === part?.from_point_name);
    expect(call?.aimed_departure_time).toBe(part?.departure_time);
    const board = await open.ask("/train/station_timetables/YRK.json?limit=1000&train_status=passenger");
    expect(board.departures.map((row) => row["aimed_departure_time"])).toContain(part?.departure_time);
  });
});

describe("the journey planner", () => {
  test.each([
    ["from=crs:YRK&to=crs:YRK", "from and to are the same place"],
    ["from=crs:YRK&to=crs:ZZZ", "No station has the code ZZZ"],
    ["from=crs:YRK&to=postcode:ZZ1+1AA", "The postcode ZZ1 1AA was not found"],
    ["from=crs:YRK&to=lonlat:2.35,48.85", "The position 2.35,48.85 is outside Great Britain"],
    ["from=crs:YRK&to=lonlat:somewhere", "The position somewhere was not understood"],
    ["from=crs:YRK&to=atcocode:1", "No stop has the ATCO code 1"],
    ["from=crs:YRK&to=Xanadu", "The place Xanadu was not understood"],
    ["from=crs:YRK", "from and to are required"],
    ["from=crs:YRK&to=crs:LDS&time=24:61", "The date or the time is not valid"],
    ["from=crs:YRK&to=crs:LDS&date=2026-02-30", "The date or the time is not valid"],
    [
      "from=crs:YRK&to=crs:LDS&journey_time_type=arrive_before",
      "The value of journey_time_type is not valid",
    ],
  ])("refuses %s", async (query, error) => {
    await using open = await openStandIn();
    const { status, body } = await open.ask(`/public_journey.json?${query}`);
    expect([status, body]).toEqual([422, { error }]);
    expect(open.standIn.plan.used).toBe(1);
  });

  test("refuses with 400 on the legacy path", async () => {
    await using open = await openStandIn();
    const { status, body } = await open.ask("/public/journey/from/crs:YRK/to/crs:YRK.json");
    expect([status, body]).toEqual([400, { error: "from and to are the same place" }]);
  });

  test("gives no routes if there is no way", async () => {
    await using open = await openStandIn();
    expect(await askJourneys(open, "from=lonlat:-7.3,57.7&to=crs:YRK")).toEqual([]);
  });
});
