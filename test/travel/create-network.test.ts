import { describe, expect, it } from "vitest";
import type { TransportBoard, TransportRow } from "../../src/sources/transport-data.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createNetwork } from "../../src/travel/network.ts";
import { createStations } from "../../src/rail/stations.ts";
import { NOW, fakeAround, networkEntry, ukTime } from "../support/around.ts";
import { createStillClock } from "../support/still-clock.ts";
import { train } from "../sources/transport-api/fake-transport.ts";

function board(crs: string, rows: readonly TransportRow[], dataAt = NOW): TransportBoard {
  return { source: "transport", crs, stationName: undefined, dataAt, coversUntil: ukTime("19:20"), rows };
}

function open(
  basis: "status" | "bus-situations",
  entries = [networkEntry()],
  prepared: TransportBoard = board("YRK", []),
) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const { client, asked } = fakeAround({ network: { basis, dataAt: NOW, entries }, board: prepared });
  const network = createNetwork({ transport: client, answers, clock });
  const look = (key: string, value: TransportBoard) => answers.ask(key, async () => value);
  return { network, asked, look, clock };
}

const cancelled = { status: "CANCELLED", trainUid: "C1" };

describe("the network", () => {
  it("has a line for each operator, the worst first, and leaves out what is over", async () => {
    const { network } = open("status", [
      networkEntry({ name: "Victoria", mode: "tube", isDisrupted: false }),
      networkEntry({ name: "Roadworks", until: ukTime("16:00") }),
      networkEntry({ name: "Circle", mode: "tube", state: "Severe delays" }),
      networkEntry({ name: "Northern" }),
      networkEntry({ name: "Northern", state: "Good service", isDisrupted: false }),
    ]);
    const state = await network.state({});
    expect(state.lines.map(({ name, severity, entries }) => [name, severity, entries.length])).toEqual([
      ["Circle", "severe", 1],
      ["Northern", "minor", 2],
      ["Victoria", "good", 1],
    ]);
    expect(state.stations).toBeUndefined();
  });

  it("has buses only where they are asked for, and counts them otherwise", async () => {
    const { network, asked } = open("status", [
      networkEntry(),
      networkEntry({ mode: "bus", name: "First York" }),
      networkEntry({ mode: "bus", name: "Arriva" }),
    ]);
    expect(await network.state({})).toMatchObject({ busDisruptions: 2, lines: [{ name: "Northern" }] });
    const buses = await network.state({ mode: "bus" });
    expect(buses.lines.map(({ name }) => name)).toEqual(["Arriva", "First York"]);
    expect(asked).toEqual(["network"]);
  });

  it("is narrowed to an operator, or to what serves or speaks of a station", async () => {
    const entries = [
      networkEntry({ name: "Northern" }),
      networkEntry({ name: "LNER" }),
      networkEntry({ name: "Southern", description: "A tree near York." }),
      networkEntry({ name: "Thameslink", description: "Late from Yorktown." }),
    ];
    const { network, asked } = open("status", entries, board("YRK", [train("17:30", undefined)]));
    const named = await network.state({ operator: "gr" });
    expect(named.lines.map(({ name }) => name)).toEqual(["LNER"]);
    const near = createStations().resolve("York");
    expect((await network.state({ near })).lines.map(({ name }) => name)).toEqual(["LNER", "Southern"]);
    expect(asked).toEqual(["network", "board YRK"]);
  });

  it("counts the trains of boards that somebody looked at, each once, where the service has no state", async () => {
    const { network, asked, look } = open("bus-situations", []);
    await look(
      "board:departures:YRK:x",
      board("YRK", [
        train("17:30", undefined, cancelled),
        train("17:40", "18:02"),
        train("17:50", "17:50", { operatorName: "Hull Trains" }),
      ]),
    );
    await look(
      "board:departures:LDS:x",
      board("LDS", [train("18:00", undefined, cancelled)], ukTime("17:05")),
    );
    await look("bus-stop:1", board("XXX", [train("17:30", undefined, cancelled)]));
    const { lines, stations } = await network.state({});
    expect(asked).toEqual(["network"]);
    expect(stations).toBe(2);
    expect(lines).toMatchObject([
      { name: "LNER", severity: "minor", state: "2 trains: 1 cancelled, 1 running up to 22 min late" },
      { name: "Hull Trains", severity: "good" },
    ]);
  });

  it("believes the youngest board of a train, and nothing of a timetable", async () => {
    const { network, look } = open("bus-situations", []);
    const back = { trainUid: "C9", startDate: "2026-03-04" };
    const old = [train("17:50", undefined, { ...cancelled, ...back })];
    await look("board:departures:YRK:y", board("YRK", old, ukTime("17:00")));
    await look("board:departures:YRK:z", board("YRK", [train("17:50", "17:50", back)], ukTime("17:20")));
    await look("board:departures:YRK:rest", board("YRK", [train("17:55", undefined)], ukTime("17:21")));
    const { lines } = await network.state({});
    expect(lines).toMatchObject([{ name: "LNER", severity: "good", state: "running well" }]);
  });

  it("forgets boards that are too old, and trains that should have gone long ago", async () => {
    const { network, look, clock } = open("bus-situations", []);
    await look("board:departures:YRK:x", board("YRK", [train("17:30", undefined, cancelled)]));
    clock.advance(50 * 60_000);
    expect(await network.state({})).toMatchObject({ stations: 1, lines: [] });
    clock.advance(20 * 60_000);
    expect(await network.state({})).toMatchObject({ stations: 0 });
  });
});
