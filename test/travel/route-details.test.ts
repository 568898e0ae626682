import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { boardKey, liveQuestion } from "../../src/rail/departures.ts";
import { createStations } from "../../src/rail/stations.ts";
import { createTrains } from "../../src/rail/trains.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import type { TransportQuestion, TransportRow, TransportStop } from "../../src/sources/transport-data.ts";
import { createFindRouteDetails } from "../../src/travel/route-details.ts";
import { ukTime } from "../support/boards.ts";
import { leg, route } from "../support/journeys.ts";
import { createStillClock } from "../support/still-clock.ts";

const NOW = ukTime("2026-11-21 17:20");
const at = (time: string): Temporal.Instant => ukTime(`2026-11-21 ${time}`);

function row(time: string, place: string, more: Partial<TransportRow> = {}): TransportRow {
  return {
    mode: "train",
    status: undefined,
    aimedAt: at(time),
    expectedAt: undefined,
    platform: undefined,
    operatorCode: undefined,
    operatorName: "LNER",
    place,
    trainUid: undefined,
    ...more,
  };
}

function stop(crs: string, name: string, times: Partial<TransportStop>): TransportStop {
  return {
    crs,
    name,
    platform: undefined,
    aimedArrivalAt: undefined,
    expectedArrivalAt: undefined,
    aimedDepartureAt: undefined,
    expectedDepartureAt: undefined,
    status: undefined,
    ...times,
  };
}

/** York 17:31 to London via Doncaster 18:00, and Doncaster 18:10 to Leeds 18:45. */
const TRAINS: Readonly<Record<string, readonly TransportStop[]>> = {
  A1: [
    stop("YRK", "York", { aimedDepartureAt: at("17:31"), expectedDepartureAt: at("17:36"), platform: "5" }),
    stop("DON", "Doncaster", {
      aimedArrivalAt: at("18:00"),
      aimedDepartureAt: at("18:02"),
      expectedDepartureAt: at("18:06"),
    }),
    stop("KGX", "London Kings Cross", { aimedArrivalAt: at("19:40") }),
  ],
  A2: [
    stop("YRK", "York", { aimedDepartureAt: at("17:31") }),
    stop("NCL", "Newcastle", { aimedArrivalAt: at("18:30") }),
  ],
  B1: [
    stop("DON", "Doncaster", { aimedDepartureAt: at("18:10") }),
    stop("LDS", "Leeds", { aimedArrivalAt: at("18:45") }),
  ],
};
const BOARDS: Readonly<Record<string, readonly TransportRow[]>> = {
  "YRK departures": [
    row("17:31", "Newcastle", { trainUid: "A2" }),
    row("17:31", "London Kings Cross", { trainUid: "A1" }),
    row("17:31", "Selby", { operatorName: "Northern" }),
  ],
  "DON departures": [row("18:10", "Leeds", { trainUid: "B1", platform: "8", operatorName: "Northern" })],
  "LDS arrivals": [row("18:45", "Doncaster", { trainUid: "B1", operatorName: "Northern" })],
};

function world({ fails, calls = 1_000 }: { fails?: ServiceError; calls?: number } = {}) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const asked: string[] = [];
  const transport = {
    async board({ crs, kind }: TransportQuestion) {
      asked.push(`${crs} ${kind}`);
      if (fails) {
        throw fails;
      }
      const rows = BOARDS[`${crs} ${kind}`] ?? [];
      return {
        source: "transport" as const,
        crs,
        dataAt: NOW,
        coversUntil: at("19:20"),
        rows,
      };
    },
    async train({ trainUid }: { readonly trainUid: string }) {
      asked.push(trainUid);
      return {
        source: "transport" as const,
        mode: "train" as const,
        origin: "York",
        destination: trainUid === "A1" ? "London Kings Cross" : "Leeds",
        operatorCode: undefined,
        operatorName: undefined,
        dataAt: NOW,
        stops: TRAINS[trainUid] ?? [],
      };
    },
  };
  const trains = createTrains({ transport, timetable: undefined, answers, clock });
  const terms = { calls, windowMs: 86_400_000 };
  return {
    asked,
    answers,
    transport,
    findDetails: createFindRouteDetails({
      transport,
      answers,
      trains,
      stations: createStations(),
      terms,
      clock,
    }),
  };
}

const [FIRST, SECOND] = [
  leg("train", "17:31", "18:00", { line: "LNER" }),
  leg("train", "18:10", "18:45", { line: "Northern" }),
];

describe("a journey without stations from the planner", () => {
  test("is completed from the board and the calling points of the train that arrives in time", async () => {
    const { asked, findDetails } = world();
    const { legs } = await findDetails(route([FIRST, SECOND]), { from: "YRK", to: "LDS" });
    expect(legs).toMatchObject([
      {
        from: "York",
        to: "Doncaster",
        destination: "London Kings Cross",
        departure: { platform: "5", expectedAt: at("17:36"), isCancelled: false },
        arrival: { expectedAt: at("18:06") },
      },
      { destination: "Leeds", departure: { platform: "8" } },
    ]);
    // Two trains of one operator leave York in that minute. Both ends of the last leg are known, so its board suffices.
    expect(asked).toEqual(["YRK departures", "A2", "A1", "DON departures"]);
  });

  test("is completed backwards from its end if it does not begin at a station", async () => {
    const { asked, findDetails } = world();
    const walk = leg("walk", "18:01", "18:08");
    const { legs } = await findDetails(route([walk, SECOND]), { to: "LDS" });
    expect(legs[1]).toMatchObject({ from: "Doncaster", to: "Leeds" });
    expect(asked).toEqual(["LDS arrivals", "B1"]);
  });

  test("gets the operator of a train that has only a number", async () => {
    const { asked, findDetails } = world();
    const numbered = { line: "1234", from: "York", to: "Selby", destination: "Selby" };
    const { legs } = await findDetails(route([leg("train", "17:31", "17:59", numbered)]), { from: "YRK" });
    expect(legs).toMatchObject([{ line: "Northern", destination: "Selby" }]);
    expect(asked).toEqual(["YRK departures"]);
  });

  test("stays unchanged if the plan is spent, without more requests", async () => {
    const { asked, findDetails } = world({ fails: new ServiceError("transport", "budget-spent", "spent") });
    const given = route([FIRST, SECOND]);
    expect((await findDetails(given, { from: "YRK", to: "LDS" })).legs).toEqual(given.legs);
    expect(asked).toHaveLength(1);
  });

  test("costs nothing on a small plan, but uses cached boards, and records that lookups were skipped", async () => {
    const { answers, asked, findDetails, transport } = world({ calls: 30 });
    const question = liveQuestion({ kind: "departures", crs: "DON" });
    await answers.ask(boardKey(question), () => transport.board(question));
    const second = { ...SECOND, from: "Doncaster" };
    const found = await findDetails(route([FIRST, second]), { from: "YRK", to: "LDS" });
    expect(found).toMatchObject({
      hasSkippedLookups: true,
      legs: [FIRST, { destination: "Leeds", departure: { platform: "8" } }],
    });
    expect(await findDetails(route([second]), { from: "DON", to: "LDS" })).toMatchObject({
      hasSkippedLookups: false,
    });
    expect(asked).toEqual(["DON departures"]);
  });

  test("costs at most eight requests", async () => {
    const { asked, findDetails } = world();
    const many = Array.from({ length: 12 }, () =>
      leg("train", "17:31", "17:59", { from: "York", line: "LNER" }),
    );
    await findDetails(route([FIRST, ...many]), { from: "YRK" });
    expect(asked.length).toBeLessThanOrEqual(8);
  });
});
