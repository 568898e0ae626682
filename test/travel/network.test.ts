import { describe, expect, it } from "vitest";
import type { TransportBoard, TransportNetwork, TransportRow } from "../../src/sources/transport-data.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createNetwork } from "../../src/travel/network.ts";
import { createStations } from "../../src/rail/stations.ts";
import { NOW, fakeTransportClient, networkEntry, ukTime } from "../support/travel-data.ts";
import { createStillClock } from "../support/still-clock.ts";
import { train } from "../sources/transport-api/fake-transport.ts";

function board(crs: string, rows: readonly TransportRow[], dataAt = NOW): TransportBoard {
  return { source: "transport", crs, dataAt, coversUntil: ukTime("19:20"), rows };
}

function open(
  basis: "status" | "bus-situations",
  entries = [networkEntry()],
  prepared: TransportBoard = board("YRK", []),
  london?: { network(): Promise<TransportNetwork> },
) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  const { client, asked } = fakeTransportClient({
    network: { basis, dataAt: NOW, entries },
    board: prepared,
  });
  const network = createNetwork({
    person: client,
    transport: client,
    london,
    knowsTrains: true,
    answers,
    clock,
  });
  const cacheBoard = (key: string, value: TransportBoard) => answers.ask(key, async () => value);
  return { network, asked, cacheBoard, clock };
}

const cancelled = { status: "CANCELLED", trainUid: "C1" };

describe("the network", () => {
  it("has a line for each operator, the worst first, and leaves out disruptions that are over", async () => {
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

  it("prefers the train operators' own reports, and uses other sources if they are unavailable", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const entries = [networkEntry({ name: "Northern" }), networkEntry({ name: "Victoria", mode: "tube" })];
    const { client } = fakeTransportClient({
      network: { basis: "status", dataAt: NOW, entries },
      board: board("YRK", []),
    });
    const state = (transport: typeof client | undefined, network: () => Promise<TransportNetwork>) =>
      createNetwork({
        person: client,
        transport,
        railway: { network },
        london: undefined,
        knowsTrains: true,
        answers: createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 }),
        clock,
      }).state({});
    const own = [networkEntry({ name: "London North Eastern Railway", state: "Major disruption" })];
    const known = await state(client, async () => ({ basis: "status", dataAt: NOW, entries: own }));
    expect(known.lines.map(({ name }) => name)).toEqual(["LNER", "Victoria"]);
    expect(known.credit).toContain("National Rail");
    const fails = () => Promise.reject(new ServiceError("rail-data", "unavailable", "503"));
    const down = await state(client, fails);
    expect(down.lines.map(({ name }) => name)).toEqual(["Northern", "Victoria"]);
    expect(down.missing).toEqual(["rail-data"]);
    expect(await state(undefined, fails)).toMatchObject({ lines: [], stations: 0, missing: ["rail-data"] });
  });

  it("lists buses only on request, and counts them otherwise", async () => {
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

  it("can be limited to an operator, or to lines that serve a station or mention it", async () => {
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

  it("counts the trains of recently opened boards, each once, if the service gives no status", async () => {
    const { network, asked, cacheBoard } = open("bus-situations", []);
    await cacheBoard(
      "board:departures:YRK:x",
      board("YRK", [
        train("17:30", undefined, cancelled),
        train("17:40", "18:02"),
        train("17:50", "17:50", { operatorName: "Hull Trains" }),
      ]),
    );
    await cacheBoard(
      "board:departures:LDS:x",
      board("LDS", [train("18:00", undefined, cancelled)], ukTime("17:05")),
    );
    await cacheBoard("bus-stop:1", board("XXX", [train("17:30", undefined, cancelled)]));
    const { lines, stations } = await network.state({});
    expect(asked).toEqual(["network"]);
    expect(stations).toBe(2);
    expect(lines).toMatchObject([
      { name: "LNER", severity: "minor", state: "2 trains: 1 cancelled, 1 running up to 22 min late" },
      { name: "Hull Trains", severity: "good" },
    ]);
  });

  it("uses the newest board that lists a train, and no timetables", async () => {
    const { network, cacheBoard } = open("bus-situations", []);
    const back = { trainUid: "C9", startDate: "2026-03-04" };
    const old = [train("17:50", undefined, { ...cancelled, ...back })];
    await cacheBoard("board:departures:YRK:y", board("YRK", old, ukTime("17:00")));
    await cacheBoard(
      "board:departures:YRK:z",
      board("YRK", [train("17:50", "17:50", back)], ukTime("17:20")),
    );
    await cacheBoard("board:departures:YRK:rest", board("YRK", [train("17:55", undefined)], ukTime("17:21")));
    const { lines } = await network.state({});
    expect(lines).toMatchObject([{ name: "LNER", severity: "good", state: "running well" }]);
  });

  it("ignores boards that are too old, and trains whose time is long past", async () => {
    const { network, cacheBoard, clock } = open("bus-situations", []);
    await cacheBoard("board:departures:YRK:x", board("YRK", [train("17:30", undefined, cancelled)]));
    clock.advance(50 * 60_000);
    expect(await network.state({})).toMatchObject({ stations: 1, lines: [] });
    clock.advance(20 * 60_000);
    expect(await network.state({})).toMatchObject({ stations: 0 });
  });
});

describe("London's lines", () => {
  const tube = (line: string, name: string, more: Parameters<typeof networkEntry>[0] = {}) =>
    networkEntry({ line, name, mode: "tube", state: "Severe delays", ...more });
  const lines = [
    tube("victoria", "Victoria line", { description: "A signal failed at Euston." }),
    tube("circle", "Circle line", { isDisrupted: false, state: "Good service" }),
  ];
  const answer: TransportNetwork = { basis: "status", dataAt: NOW, entries: lines };
  const london = { network: async () => answer };
  const failing = (service: string) => ({
    network: () => Promise.reject(new ServiceError(service, "unavailable", "it is down")),
  });

  it("are listed with the transport service's lines, and take precedence over its entries", async () => {
    const { network } = open(
      "status",
      [networkEntry(), networkEntry({ name: "Victoria", mode: "tube", state: "Minor delays" })],
      undefined,
      london,
    );
    const state = await network.state({});

    expect(state.lines.map(({ name, severity }) => [name, severity])).toEqual([
      ["Victoria line", "severe"],
      ["Northern", "minor"],
      ["Circle line", "good"],
    ]);
    expect(state).toMatchObject({ missing: [], stations: undefined });
    expect(state.credit).toMatch(/transportapi.* · Powered by TfL Open Data/);
    expect((await network.state({ mode: "bus" })).credit).not.toContain("TfL");
  });

  it("are distinct from an operator of the same name, and an exact name wins over longer ones", async () => {
    const entries = ["Northern", "Great Northern", "Grand Central"].map((name) => networkEntry({ name }));
    const own = [tube("northern", "Northern line"), tube("central", "Central line"), ...lines];
    const { network } = open(
      "status",
      entries,
      board("LDS", [train("17:30", undefined, { operatorName: "Northern" })]),
      {
        network: async () => ({ ...answer, entries: own }),
      },
    );
    const named = async (operator: string) =>
      (await network.state({ operator })).lines.map(({ name }) => name);

    expect(await named("Northern")).toEqual(["Northern line", "Northern"]);
    expect(await named("Northern (NT)")).toEqual(["Northern line", "Northern"]);
    expect(await named("northern line")).toEqual(["Northern line"]);
    expect(await named("Central")).toEqual(["Central line"]);
    expect(await named("great north")).toEqual(["Great Northern"]);
    expect(await named("vic")).toEqual(["Victoria line"]);
    expect(await named("LNER")).toEqual([]);
    expect(await named("Jubilee")).toEqual([]);
    const near = createStations().resolve("Leeds");
    expect((await network.state({ near })).lines.map(({ name }) => name)).toEqual(["Northern"]);
  });

  it("appear once, even if another source gives them another mode", async () => {
    const own = networkEntry({ name: "Elizabeth line", mode: "train", line: "elizabeth" });
    const others = ["other", "tube"] as const;
    const entries = others.map((mode) => networkEntry({ name: "Elizabeth line", mode, isDisrupted: false }));
    const { network } = open("status", [...entries, networkEntry({ name: "Northern Rail" })], undefined, {
      network: async () => ({ ...answer, entries: [own] }),
    });
    const shown = (await network.state({})).lines.map(({ name, severity }) => [name, severity]);
    expect(shown).toEqual([
      ["Elizabeth line", "minor"],
      ["Northern", "minor"],
    ]);
    expect((await network.state({ operator: "Northern" })).lines).toHaveLength(1);
  });

  it("replace the London Overground, which other sources list as one operator", async () => {
    const own = ["Mildmay", "Weaver"].map((name) =>
      networkEntry({ name: `${name} line`, mode: "train", line: name.toLowerCase() }),
    );
    const others = [networkEntry({ name: "London Overground" }), networkEntry()];
    const source = { network: async () => ({ ...answer, entries: [...own, ...lines] }) };
    const { network } = open("status", others, undefined, source);
    const named = async (question: Parameters<typeof network.state>[0]) =>
      (await network.state(question)).lines.map(({ name }) => name);
    expect(await named({ mode: "train" })).toEqual(["Mildmay line", "Northern", "Weaver line"]);
    expect(await named({ operator: "Overground" })).toEqual(["Mildmay line", "Weaver line"]);
    const alone = open("status", others).network;
    expect((await alone.state({ operator: "Overground" })).lines).toMatchObject([
      { name: "London Overground" },
    ]);
    const unsure = open("status", others, undefined, failing("tfl")).network;
    expect((await unsure.state({})).lines).toHaveLength(2);
  });

  it("are suggested together with operators, and an unknown name is refused", async () => {
    const { network } = open("status", [networkEntry()], undefined, london);
    expect(network.suggest("north").map(({ name }) => name)).toEqual(["Northern (NT)", "Northern line"]);
    expect(network.suggest("elizabeth")).toHaveLength(1);
    expect(open("status").network.suggest("north")).toHaveLength(1);

    await expect(network.state({ operator: "Nort hern foo" })).rejects.toThrow(
      "I don't know an operator or line called “Nort hern foo”. Did you mean Northern (NT)?",
    );
    const unsure = open("status", [networkEntry()], undefined, failing("tfl")).network;
    expect(await unsure.state({ operator: "Supertram" })).toMatchObject({ lines: [], missing: ["tfl"] });
    await expect(network.state({ operator: "victorai" })).rejects.toThrow("Did you mean Victoria line?");
    expect(await network.state({ operator: "First York", mode: "bus" })).toMatchObject({ lines: [] });
  });

  it("are near a station if one of their stops has its name", async () => {
    const { network } = open("status", [networkEntry()], undefined, london);
    const near = createStations().resolve("EUS");

    expect((await network.state({ near })).lines.map(({ name }) => name)).toEqual([
      "Victoria line",
      "Circle line",
    ]);
    const circus = createStations({ hasLondon: true }).live.resolve("Oxford Circus");
    expect((await network.state({ near: circus })).lines.map(({ name }) => name)).toEqual(["Victoria line"]);
    const york = createStations().resolve("York");
    expect((await network.state({ near: york })).lines).toEqual([]);
  });

  it("suffice if the transport service fails, and the other way round; it is an error if both fail", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const answers = () => createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const person = { board: () => Promise.reject(new Error("no board should be requested")) };
    const down = createNetwork({
      person,
      knowsTrains: true,
      transport: failing("transport"),
      london,
      answers: answers(),
      clock,
    });
    expect(await down.state({})).toMatchObject({ missing: ["transport"], lines: [{}, {}] });

    const { client } = fakeTransportClient({
      network: { basis: "status", dataAt: NOW, entries: [networkEntry()] },
    });
    const other = createNetwork({
      person,
      knowsTrains: true,
      transport: client,
      london: failing("tfl"),
      answers: answers(),
      clock,
    });
    expect(await other.state({})).toMatchObject({ missing: ["tfl"], lines: [{ name: "Northern" }] });

    const both = { transport: failing("transport"), london: failing("tfl") };
    const none = createNetwork({ person, knowsTrains: true, ...both, answers: answers(), clock });
    await expect(none.state({})).rejects.toThrow("transport: unavailable");
    const alone = createNetwork({
      person,
      knowsTrains: false,
      transport: undefined,
      london,
      answers: answers(),
      clock,
    });
    const near = createStations().resolve("EUS");
    expect(await alone.state({ near })).toMatchObject({ missing: [], stations: undefined, lines: [{}, {}] });
  });

  it("near a station are shown although its board fails; if there are none, that is an error", async () => {
    const person = {
      board: () => Promise.reject(new ServiceError("transport", "unavailable", "it is down")),
    };
    const clock = createStillClock(NOW.epochMilliseconds);
    const network = createNetwork({
      person,
      knowsTrains: true,
      transport: failing("transport"),
      london,
      answers: createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 }),
      clock,
    });
    const stations = createStations();
    expect(await network.state({ near: stations.resolve("EUS") })).toMatchObject({
      missing: ["transport", "board"],
      stations: 0,
      lines: [{ name: "Victoria line" }, { name: "Circle line" }],
    });
    await expect(network.state({ near: stations.resolve("York") })).rejects.toThrow("transport: unavailable");
  });

  it("are shown as closed at night, and have an age of their own", async () => {
    const clock = createStillClock(NOW.epochMilliseconds);
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const given = [{ ...answer, entries: [...lines, tube("dlr", "DLR", { state: "Service closed" })] }];
    const once = { network: async () => given.shift() ?? failing("tfl").network() };
    const person = { board: () => Promise.reject(new Error("no board should be requested")) };
    const { client } = fakeTransportClient({ network: { basis: "status", dataAt: NOW, entries: [] } });
    const network = createNetwork({
      person,
      knowsTrains: true,
      transport: client,
      london: once,
      answers,
      clock,
    });

    expect((await network.state({})).lines.map(({ severity }) => severity)).toEqual([
      "severe",
      "closed",
      "good",
    ]);
    clock.advance(120_000);
    expect(await network.state({})).toMatchObject({ stale: undefined, londonStale: { ageMinutes: 2 } });
  });

  it("have no trains to count, because they have no timetable", async () => {
    const { network, cacheBoard } = open("bus-situations", [], undefined, london);
    await cacheBoard("board:departures:940GZZLUOXC:x", {
      ...board("940GZZLUOXC", [train("17:30", "17:45", { line: "victoria", timing: "expected-only" })]),
      source: "tfl",
    });

    expect(await network.state({})).toMatchObject({
      stations: 0,
      lines: [{ line: "victoria" }, { line: "circle" }],
    });
  });
});
