import { describe, expect, it } from "vitest";
import type { TransportBoard, TransportRow } from "../../src/sources/transport-data.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createNetwork } from "../../src/travel/network.ts";
import { createStations } from "../../src/rail/stations.ts";
import { NOW, fakeAround, networkEntry, ukTime } from "../support/around.ts";
import { createStillClock } from "../support/still-clock.ts";
import { train } from "../sources/transport-api/fake-transport.ts";

function board(crs: string, rows: readonly TransportRow[], dataAt = NOW): TransportBoard {
  return { crs, stationName: undefined, dataAt, coversUntil: ukTime("19:20"), rows };
}

function open(basis: "status" | "bus-situations", entries = [networkEntry()]) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const { client, asked } = fakeAround({ network: { basis, dataAt: NOW, entries } });
  const network = createNetwork({
    transport: client,
    answers,
    stations: createStations(),
    clock,
  });
  const look = (key: string, value: TransportBoard) => answers.ask(key, async () => value);
  return { network, asked, look, clock };
}

const cancelled = { status: "CANCELLED", trainUid: "C1" };

describe("the network", () => {
  it("has trouble first, by mode and name, and leaves out what is over", async () => {
    const { network } = open("status", [
      networkEntry({ name: "Victoria", mode: "tube", isDisrupted: false }),
      networkEntry({ name: "Roadworks", mode: "bus", until: ukTime("16:00") }),
      networkEntry({ name: "Circle", mode: "tube" }),
      networkEntry({ name: "Northern" }),
    ]);
    const state = await network.state();
    expect(state.entries.map(({ name }) => name)).toEqual(["Northern", "Circle", "Victoria"]);
    expect(state.seen).toBeUndefined();
  });

  it("adds the cancelled trains of boards that somebody looked at, each once, without asking for any", async () => {
    const { network, asked, look } = open("bus-situations", []);
    await look(
      "board:departures:YRK:x",
      board("YRK", [train("17:30", undefined, cancelled), train("17:40", "17:41")]),
    );
    await look(
      "board:departures:LDS:x",
      board("LDS", [train("18:00", undefined, cancelled)], ukTime("17:05")),
    );
    await look(
      "board:arrivals:KGX:x",
      board("KGX", [train("19:00", undefined, { ...cancelled, trainUid: "C2", place: "York" })]),
    );
    await look("bus-stop:1", board("XXX", [train("17:30", undefined, cancelled)]));
    const { seen } = await network.state();
    expect(asked).toEqual(["network"]);
    expect(seen?.stations).toBe(3);
    expect(seen?.cancelled.map(({ station, kind, place }) => [station.name, kind, place])).toEqual([
      ["York", "departures", "London Kings Cross"],
      ["London Kings Cross", "arrivals", "York"],
    ]);
  });

  it("tells the trains of two days apart, and believes the youngest board of a train", async () => {
    const { network, look } = open("bus-situations", []);
    const tomorrow = train("2026-03-05T17:30:00Z", undefined, { ...cancelled, startDate: "2026-03-05" });
    const today = train("17:30", undefined, { ...cancelled, startDate: "2026-03-04", status: "CANCELED" });
    await look("board:departures:YRK:x", board("YRK", [today, tomorrow]));
    const back = { trainUid: "C9", startDate: "2026-03-04" };
    const old = [train("17:50", undefined, { ...cancelled, ...back })];
    await look("board:departures:YRK:y", board("YRK", old, ukTime("17:00")));
    await look("board:departures:YRK:z", board("YRK", [train("17:50", "17:50", back)], ukTime("17:20")));
    // A timetable knows nothing of cancellations.
    const planned = train("17:30", undefined, { ...today, status: undefined });
    await look("board:departures:YRK:rest", board("YRK", [planned], ukTime("17:21")));
    const { seen } = await network.state();
    expect(seen?.cancelled.map(({ aimedAt }) => aimedAt.toString())).toEqual([
      "2026-03-04T17:30:00Z",
      "2026-03-05T17:30:00Z",
    ]);
  });

  it("forgets boards that are too old, and trains that should have gone long ago", async () => {
    const { network, look, clock } = open("bus-situations", []);
    await look("board:departures:YRK:x", board("YRK", [train("17:30", undefined, cancelled)]));
    clock.advance(50 * 60_000);
    expect((await network.state()).seen).toMatchObject({ stations: 1, cancelled: [] });
    clock.advance(20 * 60_000);
    expect((await network.state()).seen).toMatchObject({ stations: 0 });
  });
});
