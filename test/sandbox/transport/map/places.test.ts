import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openStandIn } from "../open-stand-in.ts";
import type { OpenStandIn } from "../open-stand-in.ts";

const memberSchema = z.looseObject({
  type: z.string(),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  atcocode: z.string().optional(),
});

async function find(open: OpenStandIn, query: string) {
  const { body } = await open.ask(`/places.json?${query}`);
  return z.object({ member: z.array(memberSchema) }).parse(body).member;
}

describe("the search for places", () => {
  test("finds stations, settlements and stops by name, well-known ones first", async () => {
    await using open = await openStandIn();
    const found = await find(open, "query=waterloo");
    expect(found[0]).toMatchObject({ type: "train_station", name: "London Waterloo", station_code: "WAT" });
    const types = new Set(found.map((place) => place.type));
    expect([...types].toSorted()).toEqual(
      expect.arrayContaining(["settlement", "train_station", "tram_stop", "tube_station"]),
    );
    expect((await find(open, "query=kings%20cross&type=tube_station"))[0]?.name).toBe(
      "King's Cross St. Pancras Underground Station",
    );
    expect((await find(open, "query=YRK"))[0]?.name).toBe("York");
    expect((await find(open, "query=Brodick&type=ferry_terminal"))[0]?.atcocode).toBe("9300BRO");
  });

  test("gives pages of at most 25, which do not overlap, and no total", async () => {
    await using open = await openStandIn();
    const first = await open.ask("/places.json?query=church&type=bus_stop&limit=100");
    expect(Object.keys(first.body).toSorted()).toEqual([
      "acknowledgements",
      "member",
      "request_time",
      "source",
    ]);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => find(open, `query=church&type=bus_stop&page=${page}`)),
    );
    expect(pages.map((page) => page.length)).toEqual([25, 25, 25]);
    expect(new Set(pages.flat().map((stop) => stop.atcocode)).size).toBe(75);
    expect((await find(open, "query=york&limit=4")).length).toBe(4);
  });

  test("finds places near a point or a postcode, the nearest first", async () => {
    await using open = await openStandIn();
    expect((await find(open, "lat=53.958&lon=-1.093&type=train_station"))[0]?.name).toBe("York");
    const near = await find(open, "query=YO24%201AB");
    expect(
      near.every(({ latitude, longitude }) => Math.hypot(latitude - 53.95, longitude + 1.1) < 0.15),
    ).toBe(true);
  });

  test("finds nothing for an unknown postcode or name", async () => {
    await using open = await openStandIn();
    expect(await find(open, "query=ZZ1%201AA")).toEqual([]);
    expect(await find(open, "query=Xanadu")).toEqual([]);
    expect(await find(open, `query=${encodeURIComponent("🚂")}`)).toEqual([]);
    expect(await find(open, `query=${"a".repeat(300)}`)).toEqual([]);
  });

  test.each([
    ["", "One of query, or lat and lon, is required"],
    ["lat=48.85&lon=2.35", "The position is outside Great Britain"],
    ["lat=north&lon=1", "The value of lat is not valid"],
    ["lat=53", "The value of lon is not valid"],
    ["query=york&type=palace", "The value of type is not valid"],
    ["query=york&page=0", "The value of page is not valid"],
  ])("refuses ?%s", async (query, error) => {
    await using open = await openStandIn();
    const { status, body } = await open.ask(`/places.json?${query}`);
    expect([status, body]).toEqual([422, { error }]);
  });
});

describe("the legacy lists of places nearby", () => {
  test("contain distances, pages and a total", async () => {
    await using open = await openStandIn();
    const { body } = await open.ask("/bus/stops/near.json?lat=53.958&lon=-1.093&page=2&rpp=10");
    const schema = z.looseObject({
      page: z.literal(2),
      rpp: z.literal(10),
      total: z.int().positive(),
      stops: z.array(z.looseObject({ atcocode: z.string(), name: z.string(), distance: z.int() })),
    });
    const { stops, total } = schema.parse(body);
    expect(stops.length).toBe(10);
    expect(total).toBeGreaterThan(20);
    const distances = stops.map((stop) => stop.distance);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const stations = await open.ask("/train/stations/near.json?lat=51.5&lon=-0.12&rpp=99");
    expect(stations.body).toMatchObject({ rpp: 25 });
    expect(JSON.stringify(stations.body)).toContain('"station_code":"WAT"');
  });

  test("refuse bad parameters with 400", async () => {
    await using open = await openStandIn();
    expect((await open.ask("/bus/stops/near.json")).status).toBe(400);
    expect((await open.ask("/bus/stops/near.json?lat=1&lon=1")).status).toBe(400);
    expect((await open.ask("/train/stations/near.json?lat=52&lon=-1&rpp=none")).status).toBe(400);
  });
});
