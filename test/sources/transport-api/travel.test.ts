import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createTransportClient,
  type TransportDialect,
} from "../../../src/sources/transport-api/transport-client.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { createLog } from "../../../src/core/log.ts";
import { formatUkTime } from "../../../src/time/uk-time.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { answerWith, openTransportStub, withoutCredentials } from "../../support/transport-stub.ts";
import {
  MILL_LANE,
  YORK_STATION,
  busAnswer,
  busRow,
  nearAnswer,
  placesAnswer,
  situationsAnswer,
} from "../travel-answers.ts";
import { cases } from "../../support/cases.ts";
import { failureKindOf } from "../../support/outcomes.ts";

const NOW_MS = Date.parse("2026-03-04T17:20:40Z");
const DIALECTS = ["specification", "public"] as const;

/** A client of a local server that gives one answer. */
async function openClient(dialect: TransportDialect, body: unknown, status = 200) {
  const clock = createStillClock(NOW_MS);
  const { client, seen } = await openTransportStub({ dialect, clock, answer: answerWith(body, status) });
  return {
    client,
    seen: () => {
      const { path, query } = seen();
      return { path, query: withoutCredentials(query) };
    },
  };
}

describe("places", () => {
  test.each(DIALECTS)("are requested by name in the %s dialect", async (dialect) => {
    const { client, seen } = await openClient(dialect, placesAnswer([YORK_STATION, MILL_LANE]));
    const page = await client.places({
      text: "York & around",
      kinds: ["train-station", "bus-stop"],
      page: 2,
    });
    expect(seen()).toEqual({
      path: "/v3/uk/places.json",
      query: { query: "York & around", type: "train_station,bus_stop", page: "2", limit: "25" },
    });
    expect(page.places).toEqual([
      expect.objectContaining({ kind: "train-station", name: "York", crs: "YRK", atco: undefined }),
      expect.objectContaining({ kind: "bus-stop", atco: "3290EX001", locality: "York", crs: undefined }),
    ]);
    expect(page.hasMore).toBe(false);
    expect(page.acknowledgements).toMatch(/NaPTAN/);
  });

  test("near a point are requested on the older paths if the specification has none", async () => {
    const near = { latitude: 53.95, longitude: -1.1 };
    const { client, seen } = await openClient(
      "specification",
      nearAnswer([{ ...MILL_LANE, type: undefined, distance: 12 }], { total: 60 }),
    );
    const page = await client.places({ near, kinds: ["bus-stop"], page: 1 });
    expect(seen()).toEqual({
      path: "/v3/uk/bus/stops/near.json",
      query: { lat: "53.95", lon: "-1.1", page: "1", rpp: "25" },
    });
    expect(page.places[0]).toMatchObject({ kind: "bus-stop", distanceMetres: 12 });
    expect(page.hasMore).toBe(true);
  });

  test("near a point are requested on the current path in the public dialect", async () => {
    const { client, seen } = await openClient("public", placesAnswer([]));
    await client.places({ near: { latitude: 53.95, longitude: -1.1 }, kinds: ["bus-stop"], page: 1 });
    expect(seen()).toMatchObject({ path: "/v3/uk/places.json", query: { lat: "53.95", type: "bus_stop" } });
  });

  test("may continue after a full page, and are other places if their kind is unknown", async () => {
    const full = Array.from({ length: 25 }, () => ({ ...MILL_LANE, type: "lighthouse" }));
    const { client } = await openClient("public", placesAnswer(full));
    const page = await client.places({ text: "Mill", page: 1 });
    expect(page.hasMore).toBe(true);
    expect(page.places[0]?.kind).toBe("other");
  });

  test("are left out if they have no name or point, and the answer is refused if none is usable", async () => {
    const odd = [{ name: "Nowhere" }, null, "x", { latitude: 53, longitude: -1 }];
    const { client } = await openClient("public", placesAnswer([...odd, MILL_LANE]));
    expect((await client.places({ text: "x", page: 1 })).places).toHaveLength(1);
    const { client: other } = await openClient("public", placesAnswer(odd));
    expect(await failureKindOf(other.places({ text: "x", page: 1 }))).toBe("unexpected-answer");
    const { client: none } = await openClient("public", { request_time: "2026-03-04T17:20:00Z" });
    expect(await failureKindOf(none.places({ text: "x", page: 1 }))).toBe("unexpected-answer");
  });
});

describe("a bus stop", () => {
  test("is requested in each dialect on its own path", async () => {
    const { client, seen } = await openClient("specification", busAnswer({ all: [busRow()] }));
    await client.busStop({ atco: "3290EX001", limit: 40 });
    expect(seen()).toEqual({
      path: "/v3/uk/bus/stop/3290EX001/live.json",
      query: { group: "no", limit: "40", nextbuses: "yes" },
    });
    const { client: other, seen: seenByOther } = await openClient("public", busAnswer({ all: [busRow()] }));
    await other.busStop({ atco: "3290EX001", limit: 40 });
    expect(seenByOther()).toEqual({
      path: "/v3/uk/bus/stop_timetables/3290EX001.json",
      query: { live: "true", limit: "40" },
    });
  });

  test("may list its buses in three layouts, and always gives them in the order in which they are due", async () => {
    const late = busRow({ line: "1", aimed_departure_time: "17:21", expected_departure_time: "17:40" });
    const soon = busRow({ line: undefined, aimed_departure_time: "17:30" });
    for (const departures of [
      { "4A": [soon], "1": [late] },
      { all: [late, { ...soon, line: "4A" }] },
      [late, { ...soon, line: "4A" }],
    ]) {
      const { client } = await openClient("public", busAnswer(departures));
      const stop = await client.busStop({ atco: "3290EX001", limit: 40 });
      expect(stop.departures.map(({ line }) => line)).toEqual(["4A", "1"]);
      expect(stop.point).toEqual({ latitude: 53.95, longitude: -1.1 });
    }
  });

  test("has no expected time if there is only a best estimate, and no aimed time in London", async () => {
    const rows = [
      busRow({ line: "estimated", aimed_departure_time: null, best_departure_estimate: "17:22" }),
      busRow({ line: "aimed" }),
      busRow({
        line: "london",
        aimed_departure_time: null,
        expected_departure_time: "17:30",
        direction: "No Information",
      }),
    ];
    const { client } = await openClient("public", busAnswer({ all: rows }));
    const { departures } = await client.busStop({ atco: "490000077E", limit: 40 });
    expect(
      departures.map(({ line, aimedAt, expectedAt, direction }) => [
        line,
        aimedAt && formatUkTime(aimedAt),
        expectedAt && formatUkTime(expectedAt),
        direction,
      ]),
    ).toEqual([
      ["estimated", "17:22", undefined, "City Centre"],
      ["aimed", "17:25", undefined, "City Centre"],
      ["london", undefined, "17:30", undefined],
    ]);
  });

  test("has correct dates after midnight and for later days' buses", async () => {
    const rows = [
      busRow({
        line: "N1",
        aimed_departure_time: "23:58",
        expected_departure_time: "00:04",
        expected_departure_date: "2026-03-05",
      }),
      busRow({ line: "6", aimed_departure_time: "16:00", date: "2026-03-06" }),
    ];
    const { client } = await openClient(
      "public",
      busAnswer({ all: rows }, { request_time: "2026-03-04T23:50:00+00:00" }),
    );
    const { departures } = await client.busStop({ atco: "3290EX001", limit: 40 });
    expect(
      departures.map(({ aimedAt, expectedAt }) => [aimedAt?.toString(), expectedAt?.toString()]),
    ).toEqual([
      ["2026-03-04T23:58:00Z", "2026-03-05T00:04:00Z"],
      ["2026-03-06T16:00:00Z", undefined],
    ]);
  });

  test("has the nearer of two possible times in the hour that comes twice", async () => {
    const { client } = await openClient(
      "public",
      busAnswer(
        { all: [busRow({ date: "2026-10-25", aimed_departure_time: "01:30" })] },
        { request_time: "2026-10-25T01:10:00+01:00" },
      ),
    );
    const { departures } = await client.busStop({ atco: "3290EX001", limit: 40 });
    expect(departures[0]?.aimedAt?.toString()).toBe("2026-10-25T00:30:00Z");
  });

  test("has an expected time near the aimed time, because a row's date is the timetable's", async () => {
    const rows = [
      busRow({ line: "late", aimed_departure_time: "23:58", expected_departure_time: "00:03" }),
      busRow({
        line: "early",
        date: "2026-03-05",
        aimed_departure_time: "00:01",
        expected_departure_time: "23:59",
      }),
    ];
    const { client } = await openClient(
      "public",
      busAnswer({ all: rows }, { request_time: "2026-03-04T23:50:00+00:00" }),
    );
    const { departures } = await client.busStop({ atco: "3290EX001", limit: 40 });
    expect(departures.map(({ line, expectedAt }) => [line, expectedAt?.toString()])).toEqual([
      ["early", "2026-03-04T23:59:00Z"],
      ["late", "2026-03-05T00:03:00Z"],
    ]);
  });

  test("has a bus ahead, not behind, in the hour that comes twice", async () => {
    const rows = [busRow({ date: "2026-10-25", aimed_departure_time: "01:45" })];
    const { client } = await openClient(
      "public",
      busAnswer({ all: rows }, { request_time: "2026-10-25T01:55:00+01:00" }),
    );
    const { departures } = await client.busStop({ atco: "3290EX001", limit: 40 });
    expect(departures[0]?.aimedAt?.toString()).toBe("2026-10-25T01:45:00Z");
  });

  test("may have no buses, but is refused if it has rows and none is usable", async () => {
    for (const departures of [{}, { all: [] }, null, []]) {
      const { client } = await openClient("public", busAnswer(departures));
      expect((await client.busStop({ atco: "3290EX001", limit: 40 })).departures).toEqual([]);
    }
    const { client } = await openClient("public", busAnswer({ all: [{ line: "4" }, 7] }));
    expect(await failureKindOf(client.busStop({ atco: "3290EX001", limit: 40 }))).toBe("unexpected-answer");
    const { client: other } = await openClient("public", {});
    expect(await failureKindOf(other.busStop({ atco: "3290EX001", limit: 40 }))).toBe("unexpected-answer");
  });

  test("is requested only by a code", async () => {
    const { client, seen } = await openClient("public", busAnswer({}));
    await expect(client.busStop({ atco: "../../train", limit: 1 })).rejects.toThrow(RangeError);
    expect(seen().path).toBe("/");
  });
});

describe("the network", () => {
  test("has a status in the specification, in any of its layouts", async () => {
    const northern = {
      mode: "train",
      name: "Northern",
      status: "MINOR DELAYS",
      description: "A signal failed.",
    };
    const victoria = { mode: "tube", line_name: "Victoria", state: "Good service" };
    for (const body of [
      { status: [northern, victoria] },
      { lines: { train: [northern], tube: [victoria] } },
      { all: [northern, victoria] },
      {
        status: {
          Northern: { ...northern, name: undefined },
          Victoria: { ...victoria, line_name: undefined },
        },
      },
    ]) {
      const { client, seen } = await openClient("specification", {
        request_time: "2026-03-04T17:20:00Z",
        ...body,
      });
      const network = await client.network();
      expect(seen().path).toBe("/v3/uk/status.json");
      expect(network.basis).toBe("status");
      expect(network.entries).toEqual([
        expect.objectContaining({
          mode: "train",
          name: "Northern",
          state: "MINOR DELAYS",
          isDisrupted: true,
        }),
        expect.objectContaining({ mode: "tube", name: "Victoria", isDisrupted: false }),
      ]);
    }
  });

  test("may be described by one word for each line", async () => {
    const { client } = await openClient("specification", {
      status: { Victoria: "Good service", Central: "Suspended" },
    });
    const { entries } = await client.network();
    expect(entries.map(({ name, isDisrupted }) => [name, isDisrupted])).toEqual([
      ["Victoria", false],
      ["Central", true],
    ]);
  });

  test("is a list of bus situations with their periods in the public dialect", async () => {
    const { client, seen } = await openClient(
      "public",
      situationsAnswer([
        {
          summary: "Roadworks in Mill Lane",
          description: "Line 4A is diverted.",
          validity_periods: [
            { start_time: "2026-03-04T09:30:00+00:00", end_time: "2026-03-05T16:00:00+00:00" },
            { start_time: "2026-03-07T09:30:00+00:00", end_time: "2026-03-08T16:00:00+00:00" },
          ],
        },
        { title: "Stop closed", progress: "open" },
        { summary: "Long over", progress: "closed" },
      ]),
    );
    const network = await client.network();
    expect(seen().path).toBe("/v3/uk/bus/situations.json");
    expect(network.basis).toBe("bus-situations");
    expect(network.entries.map(({ name }) => name)).toEqual(["Roadworks in Mill Lane", "Stop closed"]);
    expect(network.entries[0]).toMatchObject({ mode: "bus", isDisrupted: true });
    expect(network.entries[0]?.from?.toString()).toBe("2026-03-04T09:30:00Z");
    expect(network.entries[0]?.until?.toString()).toBe("2026-03-08T16:00:00Z");
  });

  test("is empty if there is nothing to report, and refused if the answer is about something else", async () => {
    const { client } = await openClient("public", situationsAnswer([]));
    expect((await client.network()).entries).toEqual([]);
    const { client: other } = await openClient("specification", { status: "ok" });
    expect(await failureKindOf(other.network())).toBe("unexpected-answer");
    const { client: closed } = await openClient(
      "public",
      situationsAnswer([{ summary: "x", progress: "closed" }]),
    );
    expect((await closed.network()).entries).toEqual([]);
  });
});

test("any answer of the service is read or refused with a ServiceError", async () => {
  const anything = fc.oneof(
    fc.object({
      key: fc.constantFrom("member", "status", "departures", "all", "name", "line", "atcocode", "latitude"),
      maxDepth: 4,
    }),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (body) => {
      const clock = createStillClock(NOW_MS);
      const client = createTransportClient({
        http: {
          request: async () => ({
            status: 200,
            headers: {},
            bytes: new TextEncoder().encode(JSON.stringify(body) ?? "null"),
          }),
        },
        baseUrl: new URL("http://127.0.0.1/"),
        appId: "ID",
        appKey: "KEY",
        dialect: "public",
        clock,
        log: createLog({ level: "silent", secrets: [] }),
        spend: async () => {},
      });
      for (const asking of [
        client.places({ text: "x", page: 1 }),
        client.busStop({ atco: "3290EX001", limit: 1 }),
        client.network(),
      ]) {
        const error: unknown = await asking.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error === undefined || error instanceof ServiceError).toBe(true);
      }
    }),
    { numRuns: cases(300) },
  );
});

/** The path of a captured answer beside the repository; `undefined` if it is not there. */
function sample(name: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../../shared/samples/transport/${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

const PLACES_SAMPLE = sample("places-waterloo-2021.json");
const BUS_SAMPLE = sample("bus-stop-timetable-450024834-2021.json");

describe(`captured answers${PLACES_SAMPLE ? "" : " (skipped: ../shared/samples is not there)"}`, () => {
  test.skipIf(PLACES_SAMPLE === undefined)("of places are read completely", async () => {
    const body: unknown = JSON.parse(readFileSync(PLACES_SAMPLE ?? "", "utf8"));
    const { client } = await openClient("public", body);
    const { places, hasMore } = await client.places({ text: "Waterloo", page: 1 });
    expect(places).toHaveLength(25);
    expect(hasMore).toBe(true);
    expect(new Set(places.map(({ kind }) => kind))).toEqual(
      new Set(["train-station", "settlement", "bus-stop", "tram-stop", "tube-station"]),
    );
  });

  test.skipIf(BUS_SAMPLE === undefined)("of a bus stop are read completely", async () => {
    const body: unknown = JSON.parse(readFileSync(BUS_SAMPLE ?? "", "utf8"));
    const { client } = await openClient("public", body);
    const stop = await client.busStop({ atco: "450024834", limit: 100 });
    expect(stop.name).toBe("Boar Lane (stop P6)");
    expect(stop.departures.length).toBeGreaterThan(5);
    expect(stop.departures.every(({ aimedAt, expectedAt }) => aimedAt && !expectedAt)).toBe(true);
  });
});
