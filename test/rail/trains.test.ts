import { describe, expect, test } from "vitest";
import type { TransportTrain, TransportTrainQuestion } from "../../src/sources/transport-data.ts";
import { ServiceError, UserError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { type TrainReference, createTrains } from "../../src/rail/trains.ts";
import { createStillClock } from "../support/still-clock.ts";
import { NOW, type Prepared, at, fakeTransport, train } from "../sources/transport-api/fake-transport.ts";

const SEEN: TrainReference = {
  crs: "YRK",
  kind: "departures",
  aimedAt: at("17:31"),
  place: "London Kings Cross",
  trainUid: "C00001",
  startDate: "2026-03-04",
};

const TRAIN: TransportTrain = {
  source: "transport",
  mode: "train",
  origin: "Edinburgh",
  destination: "London Kings Cross",
  operatorCode: "GR",
  operatorName: undefined,
  dataAt: NOW,
  stops: [
    {
      crs: "YRK",
      name: "York",
      platform: "4",
      aimedArrivalAt: undefined,
      expectedArrivalAt: undefined,
      aimedDepartureAt: at("17:31"),
      expectedDepartureAt: at("17:33"),
      status: undefined,
    },
  ],
};

/** A source whose trains run only on these days. */
function world(days: readonly string[], ...boards: readonly Prepared[]) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransport(...boards);
  const opened: string[] = [];
  const transport = {
    board: client.board,
    async train({ trainUid, startDate }: TransportTrainQuestion) {
      opened.push(`${trainUid} ${startDate.toString()}`);
      if (!days.includes(startDate.toString())) {
        throw new ServiceError("transport", "not-found", "answered 404");
      }
      return TRAIN;
    },
  };
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  return { asked, opened, trains: createTrains({ transport, timetable: undefined, answers, clock }) };
}

describe("opening a train", () => {
  test("costs one request, however many people open it", async () => {
    const { opened, trains } = world(["2026-03-04"]);
    const [one] = await Promise.all([trains.open(SEEN), trains.open(SEEN), trains.open(SEEN)]);
    expect(opened).toEqual(["C00001 2026-03-04"]);
    expect(one).toMatchObject({ operator: "LNER", delayMinutes: 2, position: { kind: "not-started" } });
  });

  test("finds a train of one source in the timetable, by time and destination, if that source no longer knows it", async () => {
    const { client, asked } = fakeTransport({
      rows: [train("17:31", undefined, { trainUid: "C00001", startDate: "2026-03-04" })],
    });
    const transport = {
      board: client.board,
      async train({ trainUid }: TransportTrainQuestion) {
        if (trainUid.startsWith("ldb:")) {
          throw new ServiceError("rail-data", "not-found", "answered 500");
        }
        return TRAIN;
      },
    };
    const clock = createStillClock(NOW.epochMilliseconds);
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const reference = {
      ...SEEN,
      aimedAt: at("17:31"),
      trainUid: "ldb:1337298YORK____",
      startDate: undefined,
    };
    const timetable = client;
    const opened = await createTrains({ transport, timetable, answers, clock }).open(reference);
    expect(opened.destination).toBe("London Kings Cross");
    expect(asked).toHaveLength(1);
    const alone = createTrains({ transport, timetable: undefined, answers, clock }).open(reference);
    await expect(alone).rejects.toThrow(/know anything more about that train/);
  });

  test("never shows another train of the same minute for a button without a destination", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const { client: timetable } = fakeTransport({
      rows: ["Leeds", "London Kings Cross"].map((place, index) =>
        train("17:31", undefined, { trainUid: `C0000${index}`, startDate: "2026-03-04", place }),
      ),
    });
    const transport = {
      board: timetable.board,
      async train({ trainUid }: TransportTrainQuestion): Promise<TransportTrain> {
        if (trainUid.startsWith("ldb:")) {
          throw new ServiceError("rail-data", "not-found", "answered 500");
        }
        return { ...TRAIN, destination: trainUid === "C00001" ? "London Kings Cross" : "Leeds" };
      },
    };
    const trains = createTrains({ transport, timetable, answers, clock });
    const reference = { ...SEEN, trainUid: "ldb:1337298YORK____", startDate: undefined };
    await expect(trains.open({ ...reference, place: "" })).rejects.toThrow(/know anything more/);
    expect((await trains.open(reference)).destination).toBe("London Kings Cross");
  });

  test("gives each portion of a train its destination, and its calling points with times", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const { client } = fakeTransport();
    const stop = (name: string, time: string) => ({
      ...TRAIN.stops[0],
      crs: undefined,
      name,
      platform: undefined,
      aimedArrivalAt: at(time),
      expectedArrivalAt: at(time),
      aimedDepartureAt: undefined,
      expectedDepartureAt: undefined,
      status: undefined,
    });
    const stops = [stop("Selby", "17:50"), stop("Hull", "18:20")];
    const portions = (["divides", "joins"] as const).map((kind) => ({
      kind,
      at: "Selby",
      stops,
      coaches: 3,
    }));
    const reason = "This service has been delayed by snow";
    const transport = {
      board: client.board,
      train: async () => ({ ...TRAIN, reason, coaches: 6, portions }),
    };
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const opened = await createTrains({ transport, timetable: undefined, answers, clock }).open(SEEN);
    expect(opened).toMatchObject({ reason, coaches: 6 });
    expect(opened.portions).toMatchObject([
      {
        kind: "divides",
        at: "Selby",
        place: "Hull",
        coaches: 3,
        points: [{ name: "Hull", aimedAt: at("18:20") }],
      },
      { kind: "joins", at: "Selby", place: "Selby", points: [{ name: "Selby" }] },
    ]);
  });

  test("tries the day before if the board does not say when the train started", async () => {
    const { opened, trains } = world(["2026-03-03"]);
    await trains.open({
      ...SEEN,
      startDate: undefined,
      aimedAt: Temporal.Instant.from("2026-03-04T00:10:00Z"),
    });
    expect(opened).toEqual(["C00001 2026-03-04", "C00001 2026-03-03"]);
  });

  test("tries no second day for an id of the railway's live boards", async () => {
    const { opened, trains } = world([]);
    const reference = { ...SEEN, trainUid: "ldb:1337298YORK____", startDate: undefined };
    await expect(trains.open(reference)).rejects.toThrow(UserError);
    expect(opened).toEqual(["ldb:1337298YORK____ 2026-03-04"]);
  });

  test("takes the day on which the train is there at that time, if it runs on both", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const { client } = fakeTransport();
    const opened: string[] = [];
    const transport = {
      board: client.board,
      async train({ startDate }: TransportTrainQuestion) {
        opened.push(startDate.toString());
        const start = Temporal.Instant.from(`${startDate.toString()}T23:50:00Z`);
        const [stop] = TRAIN.stops;
        return { ...TRAIN, stops: stop ? [{ ...stop, aimedDepartureAt: start.add({ minutes: 20 }) }] : [] };
      },
    };
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const trains = createTrains({ transport, timetable: undefined, answers, clock });
    const aimedAt = Temporal.Instant.from("2026-03-05T00:10:00Z");
    const one = await trains.open({ ...SEEN, startDate: undefined, aimedAt });
    expect(opened).toEqual(["2026-03-05", "2026-03-04"]);
    expect(one.points[0]?.aimedAt.equals(aimedAt)).toBe(true);
  });

  test("finds a train in the timetable if the board has no id for it", async () => {
    const rows = [
      train("17:31", undefined, { place: "Hull" }),
      train("17:31", undefined, { trainUid: "C00007" }),
    ];
    const { asked, opened, trains } = world(["2026-03-04"], { rows });
    await trains.open({ ...SEEN, trainUid: undefined, startDate: undefined });
    expect(asked[0]).toMatchObject({ crs: "YRK", live: false });
    expect(opened).toEqual(["C00007 2026-03-04"]);
  });

  test("says that the service does not know the train any more", async () => {
    await expect(world([]).trains.open(SEEN)).rejects.toThrow(/know anything more about that train/);
  });

  test("says that the train cannot be found if the service has only live boards", async () => {
    const { trains } = world([], new ServiceError("transport", "not-found", "answered 404"));
    await expect(trains.open({ ...SEEN, trainUid: undefined })).rejects.toThrow(/find out where/);
  });

  test("says that the train cannot be found if the timetable has no id for it", async () => {
    const { opened, trains } = world([], { rows: [train("17:31", undefined, { trainUid: undefined })] });
    await expect(trains.open({ ...SEEN, trainUid: undefined })).rejects.toThrow(UserError);
    expect(opened).toEqual([]);
  });
});
