import { isLondonStop } from "../../src/sources/tfl/tfl-client.ts";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { createBuses } from "../../src/travel/buses.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createPlaces } from "../../src/travel/places.ts";
import { createStations } from "../../src/rail/stations.ts";
import {
  NOW,
  type PreparedAnswers,
  bus,
  busStop,
  fakeTransportClient,
  place,
  placesPage,
} from "../support/travel-data.ts";
import { createStillClock } from "../support/still-clock.ts";

function open(prepared: PreparedAnswers) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransportClient(prepared);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const places = createPlaces({ transport: client, answers, stations: createStations() });
  return {
    buses: createBuses({ transport: client, london: undefined, answers, places, clock }),
    asked,
    clock,
  };
}

describe("a stop's buses", () => {
  it("leave out buses that have gone", async () => {
    const { buses } = open({
      busStop: busStop([
        bus("17:10", undefined, { line: "gone" }),
        bus("17:10", "17:22", { line: "late" }),
        bus("17:19", undefined, { line: "perhaps still there" }),
        bus("17:18", "17:19", { line: "went" }),
        bus(undefined, "17:30", { line: "london" }),
      ]),
    });
    const board = await buses.stop("3290EX001");
    expect(board.departures.map(({ line }) => line)).toEqual(["late", "perhaps still there", "london"]);
  });

  it("are requested once a minute, however many people ask", async () => {
    const { buses, asked, clock } = open({ busStop: busStop([]) });
    await Promise.all(Array.from({ length: 500 }, () => buses.stop("3290EX001")));
    expect(asked).toHaveLength(1);
    clock.advance(61_000);
    // Codes that people may type and that no stop in London has.
    for (const other of ["3290EX001", "4901", "490G00077", "490009131w"]) {
      await buses.stop(other);
    }
    expect(asked).toHaveLength(5);
  });

  it("are an error, not an empty list, if all buses of an old answer have gone", async () => {
    const spent = new ServiceError("transport", "budget-spent", "spent");
    const clock = createStillClock(NOW.epochMilliseconds);
    const { client } = fakeTransportClient({});
    const given = [busStop([bus("17:30", undefined)]), spent];
    const transport = {
      ...client,
      async busStop() {
        const next = given.shift();
        if (next === undefined || next instanceof Error) {
          throw next ?? spent;
        }
        return next;
      },
    };
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const places = createPlaces({ transport, answers, stations: createStations() });
    const buses = createBuses({ transport, london: undefined, answers, places, clock });
    await buses.stop("3290EX001");
    clock.advance(5 * 60_000);
    expect(await buses.stop("3290EX001")).toMatchObject({
      departures: [{ line: "4A" }],
      stale: { ageMinutes: 5 },
    });
    clock.advance(15 * 60_000);
    await expect(buses.stop("3290EX001")).rejects.toBe(spent);
  });

  it("in London come from TfL, or from the transport service if TfL fails", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const { client, asked } = fakeTransportClient({ busStop: busStop([bus("17:30", undefined)]) });
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const places = createPlaces({ transport: client, answers, stations: createStations() });
    const london = {
      async busStop({ atco }: { readonly atco: string }) {
        if (!isLondonStop(atco)) {
          throw new RangeError("no stop in London has this id");
        }
        if (atco === "490000077F") {
          throw new ServiceError("tfl", "unavailable", "it is down");
        }
        return busStop([bus(undefined, "17:30", { line: "N38" })], { source: "tfl", atco });
      },
    };
    const buses = createBuses({ transport: client, london, answers, places, clock });

    expect(await buses.stop("490009131W")).toMatchObject({ source: "tfl", departures: [{ line: "N38" }] });
    expect(asked).toEqual([]);
    expect(await buses.stop("490000077F")).toMatchObject({
      source: "transport",
      departures: [{ line: "4A" }],
    });
    // Codes that people may type and that no stop in London has.
    for (const other of ["3290EX001", "4901", "490G00077", "490009131w"]) {
      await buses.stop(other);
    }
    expect(asked).toHaveLength(5);
  });

  it("take the stop's name from an earlier answer if there is no bus that gives it", async () => {
    const { buses } = open({
      busStop: busStop([], { name: undefined, locality: undefined, atco: "3290EX001" }),
      places: () => placesPage([place({ name: "King Avenue", locality: "Euston, London" })]),
    });
    expect(await buses.stop("3290EX001")).toMatchObject({ name: undefined });
    await buses.findStop({ kind: "text", text: "King Avenue" });
    expect(await buses.stop("3290EX001")).toMatchObject({ name: "King Avenue", locality: "Euston, London" });
  });

  it("at an unknown stop are refused with a sentence", async () => {
    const { buses } = open({ busStop: new ServiceError("transport", "not-found", "x") });
    await expect(buses.stop("3290EX999")).rejects.toThrow(/don't know a bus stop with the code 3290EX999/);
  });
});

describe("the stop that a person means", () => {
  it("is known by its code without a request", async () => {
    const { buses, asked } = open({});
    expect(await buses.findStop({ kind: "stop", atcocode: "3290EX001" })).toEqual({ atco: "3290EX001" });
    expect(asked).toEqual([]);
  });

  it("is the only one with the name; several are offered as choices; none is refused", async () => {
    const text = { kind: "text", text: "Mill Lane" } as const;
    const one = open({ places: () => placesPage([place()]) });
    expect(await one.buses.findStop(text)).toEqual({ atco: "3290EX001" });
    const acknowledgements = "Contains DfT data";
    const two = open({
      places: () => placesPage([place(), place({ atco: "3290EX002", latitude: 53 })], { acknowledgements }),
    });
    const york = { kind: "station", crs: "YRK", name: "York" } as const;
    expect(await two.buses.findStop(york)).toMatchObject({ acknowledgements, isNear: true });
    expect(await two.buses.findStop(text)).toMatchObject({
      acknowledgements,
      choices: [{ atco: "3290EX001" }, { atco: "3290EX002" }],
    });
    const none = open({ places: () => placesPage([place({ atco: undefined })]) });
    await expect(none.buses.findStop(text)).rejects.toThrow(/can't find a bus stop called “Mill Lane”/);
  });

  it("may be near a station or a postcode", async () => {
    const { buses, asked } = open({ places: () => placesPage([place(), place({ atco: "3290EX002" })]) });
    const found = await buses.findStop({ kind: "station", crs: "YRK", name: "York" });
    expect(found).toMatchObject({ choices: [{ distanceMetres: expect.any(Number) }, {}] });
    expect(asked).toEqual([expect.objectContaining({ kinds: ["bus-stop"], near: expect.anything() })]);
  });
});
