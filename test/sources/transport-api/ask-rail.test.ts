import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeLegs } from "../../../src/sources/transport-api/read-journey.ts";
import type { TransportJourneyQuestion } from "../../../src/sources/transport-data.ts";
import { formatUkTime } from "../../../src/time/uk-time.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { answerWith, openTransportStub, withoutCredentials } from "../../support/transport-stub.ts";
import {
  publicJourney,
  publicPart,
  publicTrain,
  specificationPart,
  specificationRoute,
  stop,
} from "../rail-answers.ts";
import { cases } from "../../support/cases.ts";
import { failureKindOf } from "../../support/outcomes.ts";

const at = (text: string) => Temporal.Instant.from(text);
const NOW = at("2026-03-04T17:20:40Z");
const QUESTION: TransportJourneyQuestion = {
  from: { kind: "station", crs: "YRK" },
  to: { kind: "station", crs: "LDS" },
  at: at("2026-03-04T17:20:00Z"),
  arriveBy: false,
};
const TRAIN = { trainUid: "C00001", startDate: Temporal.PlainDate.from("2026-03-04") };

async function openClient(dialect: "specification" | "public", body: unknown) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, seen } = await openTransportStub({ dialect, clock, answer: answerWith(body) });
  return {
    client,
    seen: () => {
      const { path, query } = seen();
      return { path, query: withoutCredentials(query) };
    },
  };
}

async function journeysIn(body: unknown, question = QUESTION) {
  const { client } = await openClient("specification", body);
  return client.journeys(question);
}

describe("a request for a journey", () => {
  test("uses the specification's path for today, with its query", async () => {
    const { client, seen } = await openClient("specification", publicJourney([]));
    await client.journeys(QUESTION);
    expect(seen()).toEqual({
      path: "/v3/uk/public/journey/from/crs:YRK/to/crs:LDS.json",
      query: { from: "crs:YRK", to: "crs:LDS", time: "17:20" },
    });
  });

  test("uses the specification's dated path for another day or a time to arrive by", async () => {
    const { client, seen } = await openClient("specification", publicJourney([]));
    await client.journeys({ ...QUESTION, at: at("2026-07-01T08:00:00Z") });
    expect(seen().path).toBe("/v3/uk/public/journey/from/crs:YRK/to/crs:LDS/at/2026-07-01/09:00.json");
    await client.journeys({ ...QUESTION, arriveBy: true });
    expect(seen().path).toBe("/v3/uk/public/journey/from/crs:YRK/to/crs:LDS/by/2026-03-04/17:20.json");
  });

  test("uses the public service's planner for the whole country", async () => {
    const { client, seen } = await openClient("public", publicJourney([]));
    await client.journeys({
      ...QUESTION,
      from: { kind: "postcode", postcode: "YO24 1AB" },
      to: { kind: "point", latitude: 53.95, longitude: -1.08 },
    });
    expect(seen()).toEqual({
      path: "/v3/uk/public_journey.json",
      query: {
        from: "postcode:YO241AB",
        to: "lonlat:-1.08,53.95",
        date: "2026-03-04",
        time: "17:20",
        journey_time_type: "leave_after",
        service: "silverrail",
      },
    });
    await client.journeys({ ...QUESTION, arriveBy: true });
    expect(seen()).toEqual({
      path: "/v3/uk/public/journey/from/crs:YRK/to/crs:LDS/by/2026-03-04/17:20.json",
      query: { service: "silverrail" },
    });
  });

  test("accepts only places", async () => {
    const { client } = await openClient("specification", publicJourney([]));
    const ends = [
      { kind: "station", crs: "../x" },
      { kind: "postcode", postcode: "YO24/1AB?x=1" },
      { kind: "stop", atcocode: "a/b" },
      { kind: "point", latitude: Number.NaN, longitude: 0 },
    ] as const;
    for (const from of ends) {
      await expect(client.journeys({ ...QUESTION, from })).rejects.toThrow(RangeError);
    }
  });
});

describe("a journey's answer", () => {
  test("of the public service has walks as legs but not as changes, and no empty names", async () => {
    const walk = publicPart({
      mode: "foot",
      line_name: "",
      destination: "",
      from_point_name: "Journey Origin",
      to_point_name: "York",
      duration: "00:07:00",
      departure_time: "23:25",
      arrival_time: "23:32",
      departure_datetime: "2026-03-04T23:25:00+00:00",
      arrival_datetime: "2026-03-04T23:32:00+00:00",
    });
    const { routes, dataAt } = await journeysIn(
      publicJourney([{ duration: "01:05:00", departure_time: "23:25", route_parts: [walk, publicPart()] }]),
    );
    expect(dataAt.toString()).toBe("2026-03-04T17:20:00Z");
    expect(routes).toHaveLength(1);
    expect(routes[0]).toMatchObject({ durationMinutes: 65, pricePounds: undefined, changes: 0 });
    expect(routes[0]?.arrivesAt.toString()).toBe("2026-03-05T00:30:00Z");
    expect(routes[0]?.legs[0]).toMatchObject({ mode: "walk", line: undefined, from: undefined, to: "York" });
    expect(routes[0]?.legs[1]).toMatchObject({ mode: "train", destination: "Hull" });
  });

  test("of the specification gets dates, after midnight too", async () => {
    const { routes } = await journeysIn({
      routes: [
        specificationRoute([specificationPart("23:32", "23:58"), specificationPart("00:10", "00:30")]),
      ],
    });
    expect(routes[0]).toMatchObject({ durationMinutes: 58, pricePounds: 12.4, changes: 1 });
    expect(routes[0]?.legs.map(({ departsAt }) => departsAt.toString())).toEqual([
      "2026-03-04T23:32:00Z",
      "2026-03-05T00:10:00Z",
    ]);
    expect(routes[0]?.legs[0]?.line).toBe("Northern");
  });

  test("gets dates before the time to arrive by", async () => {
    const question = { ...QUESTION, at: at("2026-03-06T01:00:00Z"), arriveBy: true };
    const { routes } = await journeysIn(
      { routes: [specificationRoute([specificationPart("22:10", "00:40")])] },
      question,
    );
    expect(routes[0]?.departsAt.toString()).toBe("2026-03-05T22:10:00Z");
    expect(routes[0]?.arrivesAt.toString()).toBe("2026-03-06T00:40:00Z");
  });

  test("may contain no routes or no list of routes", async () => {
    expect((await journeysIn({ routes: [] })).routes).toEqual([]);
    expect((await journeysIn({})).routes).toEqual([]);
    expect((await journeysIn({ routes: null })).routes).toEqual([]);
  });

  test("may be long", async () => {
    const coordinates = Array.from({ length: 30_000 }, () => [-1.0901, 53.9601]);
    const { routes } = await journeysIn(
      publicJourney([{ duration: "00:58:00", route_parts: [publicPart({ coordinates })] }]),
    );
    expect(routes).toHaveLength(1);
  });

  test("loses only the routes that cannot be used", async () => {
    const { routes } = await journeysIn({
      routes: [
        null,
        { duration: 5, route_parts: [] },
        specificationRoute([specificationPart("soon", "later")]),
        specificationRoute([{ ...specificationPart("18:00", "18:30"), mode: null, line_name: null }], {
          duration: "x",
          price: "free",
        }),
      ],
    });
    expect(routes).toHaveLength(1);
    expect(routes[0]).toMatchObject({ durationMinutes: 30, pricePounds: undefined });
  });

  test("is an unexpected answer if its shape is unknown", async () => {
    expect(await failureKindOf(journeysIn({ routes: "none" }))).toBe("unexpected-answer");
    expect(await failureKindOf(journeysIn({ routes: [{ duration: 1 }] }))).toBe("unexpected-answer");
    expect(await failureKindOf(journeysIn({ error: "place not found" }))).toBe("not-found");
  });
});

describe("journey times without dates", () => {
  test("move forwards through the night when an hour comes twice", () => {
    const times = timeLegs(
      [
        { departs: "00:50", arrives: "01:20", minutes: 30 },
        { departs: "01:30", arrives: "01:10", minutes: 40 },
        { departs: "01:20", arrives: "02:05", minutes: undefined },
      ],
      { at: at("2026-10-24T23:30:00Z"), arriveBy: false },
    );
    expect(
      times?.map(({ departsAt, arrivesAt }) => `${departsAt.toString()} ${arrivesAt.toString()}`),
    ).toEqual([
      "2026-10-24T23:50:00Z 2026-10-25T00:20:00Z",
      "2026-10-25T00:30:00Z 2026-10-25T01:10:00Z",
      "2026-10-25T01:20:00Z 2026-10-25T02:05:00Z",
    ]);
  });

  test("in an hour that comes twice are after the requested departure or before the requested arrival", () => {
    const asked = at("2026-10-25T00:30:00Z");
    const [after] =
      timeLegs([{ departs: "01:10", arrives: "01:40", minutes: 30 }], { at: asked, arriveBy: false }) ?? [];
    expect(after?.departsAt.toString()).toBe("2026-10-25T01:10:00Z");
    const [inTime] =
      timeLegs([{ departs: "00:50", arrives: "01:20", minutes: 30 }], { at: asked, arriveBy: true }) ?? [];
    expect(inTime?.arrivesAt.toString()).toBe("2026-10-25T00:20:00Z");
  });

  test("are resolved by a leg's length if two times are possible", () => {
    const [leg] =
      timeLegs([{ departs: "00:40", arrives: "01:30", minutes: 110 }], {
        at: at("2026-10-24T23:30:00Z"),
        arriveBy: false,
      }) ?? [];
    expect(leg?.arrivesAt.toString()).toBe("2026-10-25T01:30:00Z");
  });

  const starts = fc
    .record({
      day: fc.constantFrom(
        "2026-03-04",
        "2026-12-31",
        "2026-03-28",
        "2026-03-29",
        "2026-10-24",
        "2026-10-25",
      ),
      minute: fc.integer({ min: 0, max: 1_439 }),
    })
    .map(({ day, minute }) => at(`${day}T00:00:00Z`).add({ minutes: minute }));
  const steps = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 90 }), ride: fc.integer({ min: 1, max: 300 }) }),
    { minLength: 1, maxLength: 5 },
  );

  test("are resolved for any journey, across midnight and both clock changes", () => {
    fc.assert(
      fc.property(starts, steps, fc.boolean(), (asked, legs, arriveBy) => {
        let reached = asked;
        const meant = legs.map(({ wait, ride }) => {
          const departsAt = reached.add({ minutes: wait });
          reached = departsAt.add({ minutes: ride });
          return { departsAt, arrivesAt: reached };
        });
        const written = meant.map(({ departsAt, arrivesAt }) => ({
          departs: formatUkTime(departsAt),
          arrives: formatUkTime(arrivesAt),
          minutes: arrivesAt.since(departsAt).total("minutes"),
        }));
        const read = timeLegs(written, { at: arriveBy ? reached : asked, arriveBy }) ?? [];
        expect(read).toHaveLength(meant.length);
        let previous = asked;
        for (const [index, { departsAt, arrivesAt }] of read.entries()) {
          expect(formatUkTime(departsAt)).toBe(written[index]?.departs);
          expect(formatUkTime(arrivesAt)).toBe(written[index]?.arrives);
          // Times never go backwards, and are wrong at most by the hour that comes twice.
          expect(departsAt.since(previous).total("minutes")).toBeGreaterThanOrEqual(0);
          expect(arrivesAt.since(departsAt).total("minutes")).toBeGreaterThanOrEqual(0);
          const off = Math.abs(departsAt.since(meant[index]?.departsAt ?? asked).total("minutes"));
          expect([0, 60]).toContain(off);
          previous = arrivesAt;
        }
      }),
      { numRuns: cases(2_000) },
    );
  });
});

describe("one train", () => {
  test("is requested by its id and the day on which it starts", async () => {
    const body = publicTrain([stop("York", null, "17:31")]);
    const specification = await openClient("specification", body);
    await specification.client.train(TRAIN);
    expect(specification.seen()).toEqual({
      path: "/v3/uk/train/service/train_uid:C00001/2026-03-04/timetable.json",
      query: { live: "true" },
    });
    const current = await openClient("public", body);
    await current.client.train(TRAIN);
    expect(current.seen()).toEqual({
      path: "/v3/uk/train/service_timetables/C00001:2026-03-04.json",
      query: { live: "true" },
    });
    await expect(current.client.train({ ...TRAIN, trainUid: "../x" })).rejects.toThrow(RangeError);
  });

  test("is read across midnight, with or without dates", async () => {
    const dateless = { aimed_arrival_date: null, aimed_departure_date: null };
    const stops = [
      stop("York", null, "23:50"),
      stop("Selby", "00:05", "00:06", dateless),
      stop("Doncaster", "00:20", null, {
        aimed_arrival_date: "2026-03-05",
        expected_arrival_time: "00:31",
        expected_arrival_date: "2026-03-05",
        status: "late",
        platform: 3,
      }),
      { station_name: "Passed", aimed_pass_time: "00:10" },
      null,
    ];
    const { client } = await openClient("public", publicTrain(stops));
    const train = await client.train(TRAIN);
    expect(train.stops.map(({ name }) => name)).toEqual(["York", "Selby", "Doncaster"]);
    expect(train.stops[1]?.aimedDepartureAt?.toString()).toBe("2026-03-05T00:06:00Z");
    expect(train.stops[2]?.expectedArrivalAt?.toString()).toBe("2026-03-05T00:31:00Z");
    expect(train.stops[2]).toMatchObject({ platform: "3", status: "LATE", crs: "DON" });
    expect(train).toMatchObject({ origin: "Edinburgh", operatorName: "LNER", mode: "train" });
  });

  test("moves forwards in the hour that comes twice", async () => {
    const night = { aimed_arrival_date: "2026-10-25", aimed_departure_date: "2026-10-25" };
    const stops = [
      stop("York", null, "00:55", night),
      stop("Selby", "01:40", "01:45", night),
      stop("Doncaster", "01:10", null, night),
    ];
    const { client } = await openClient("public", publicTrain(stops));
    const train = await client.train({ ...TRAIN, startDate: Temporal.PlainDate.from("2026-10-25") });
    expect(train.stops[2]?.aimedArrivalAt?.toString()).toBe("2026-10-25T01:10:00Z");
  });

  test("is an unexpected answer if it has no usable stop", async () => {
    for (const stops of [[], null, [{ station_name: "York" }]]) {
      const { client } = await openClient("public", publicTrain([], { stops }));
      expect(await failureKindOf(client.train(TRAIN))).toBe("unexpected-answer");
    }
  });
});

const SAMPLES = new URL("../../../../shared/samples/transport/", import.meta.url);
const SAMPLE = new URL("service-timetable-G49263-2019.json", SAMPLES);

describe.runIf(existsSync(SAMPLE))("a real answer of 2019", () => {
  test("is read completely", async () => {
    const body: unknown = JSON.parse(readFileSync(SAMPLE, "utf8"));
    const { client } = await openClient("public", body);
    const train = await client.train({
      trainUid: "G49263",
      startDate: Temporal.PlainDate.from("2019-09-24"),
    });
    expect(train.stops.length).toBeGreaterThan(10);
    expect(train.stops[0]?.aimedDepartureAt?.toString()).toBe("2019-09-24T11:24:00Z");
    const times = train.stops.map(
      ({ aimedDepartureAt, aimedArrivalAt }) => aimedDepartureAt ?? aimedArrivalAt,
    );
    expect(
      times.every(
        (time, index) =>
          index === 0 || (times[index - 1]?.epochMilliseconds ?? 0) <= (time?.epochMilliseconds ?? 0),
      ),
    ).toBe(true);
  });
});
