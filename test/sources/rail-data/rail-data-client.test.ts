import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { ServiceError } from "../../../src/core/errors.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import {
  type RailDataClient,
  createRailDataClient,
} from "../../../src/sources/rail-data/rail-data-client.ts";
import type { TransportQuestion, TransportRow } from "../../../src/sources/transport-data.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { startStub } from "../../support/stub-server.ts";
import { answerWith } from "../../support/transport-stub.ts";
import {
  INVALID_KEY,
  type Json,
  NO_DETAILS,
  gatewayFault,
  railBoard,
  railDetails,
  railPoint,
  railPoints,
  railService,
} from "./rail-data-answers.ts";
import { failureOf } from "../../support/outcomes.ts";
import { collectLog } from "../../support/collect-log.ts";

const NOW = Temporal.Instant.from("2026-03-04T17:20:40Z");
const QUESTION: TransportQuestion = {
  crs: "YRK",
  kind: "departures",
  windowMinutes: 120,
  limit: 500,
  live: true,
};
const TRAIN = { trainUid: "ldb:1337298YORK____" };
const KEYS = {
  departures: "SECRET-DEPARTURES",
  arrivals: "SECRET-ARRIVALS",
  service: "SECRET-SERVICE",
  disruptions: "SECRET-DISRUPTIONS",
};

/** An answer to a request. */
type Answer = readonly [body: unknown, status?: number];

/** A client of a local server, which gives the answers in order and repeats the last. */
async function openClient(
  answers: readonly Answer[],
  { now = NOW, products = KEYS }: { now?: Temporal.Instant; products?: Partial<typeof KEYS> } = {},
) {
  let count = 0;
  const server = await startStub((request, response) => {
    const [body, status] = answers[Math.min(count, answers.length - 1)] ?? [];
    count += 1;
    answerWith(body, status)(request, response);
  });
  const spent: number[] = [];
  const closings: unknown[] = [];
  const clock = createStillClock(now.epochMilliseconds);
  const { log, lines } = collectLog("debug");
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });
  const settings = Object.fromEntries(
    Object.entries(products).map(([name, key]) => [
      name,
      { url: new URL(`1010-${name}1_2/LDBWS/api/20220120`, server.url), key },
    ]),
  );
  const client = createRailDataClient({
    settings,
    http,
    clock,
    log,
    spend: async () => void spent.push(1),
    onPlanUsedUp: async (retryAfterMs) => void closings.push(retryAfterMs),
  });
  const seen = () => {
    const { path = "", headers } = server.seen.at(-1) ?? {};
    const url = new URL(path, server.url);
    return { path: url.pathname, query: Object.fromEntries(url.searchParams), headers };
  };
  return { client, server, lines, spent, closings, seen };
}

async function read(body: unknown, more: Partial<TransportQuestion> = {}, now = NOW) {
  const { client } = await openClient([[body]], { now });
  return client.board({ ...QUESTION, ...more });
}

async function readRow(service: Json, more: Partial<TransportQuestion> = {}): Promise<TransportRow> {
  const { rows } = await read(railBoard([service]), more);
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new Error(`expected one row, got ${rows.length}`);
  }
  return row;
}

async function readTrain(details: Json) {
  const { client } = await openClient([[details]]);
  return client.train(TRAIN);
}

const iso = (at: Temporal.Instant | undefined): string | undefined => at?.toString().slice(0, 16);

describe("a request", () => {
  test("asks for the plain board of departures with the most rows, our name and that product's key", async () => {
    const { client, seen, lines } = await openClient([[railBoard([railService()])]]);
    await client.board(QUESTION);
    const { path, query, headers } = seen();
    expect(path).toBe("/1010-departures1_2/LDBWS/api/20220120/GetDepartureBoard/YRK");
    expect(query).toEqual({ numRows: "149", timeWindow: "120" });
    expect(headers).toMatchObject({ "x-apikey": KEYS.departures, accept: "application/json" });
    expect(headers?.["user-agent"]).toMatch(/^Signalbox /);
    expect(lines.join("")).not.toContain("SECRET");
  });

  test("asks the arrivals product for later arrivals from a way station", async () => {
    const { client, seen } = await openClient([[railBoard([])]]);
    await client.board({
      ...QUESTION,
      kind: "arrivals",
      via: "LDS",
      from: Temporal.Instant.from("2026-03-04T18:05:30Z"),
      windowMinutes: 30,
    });
    const { path, query, headers } = seen();
    expect(path).toBe("/1010-arrivals1_2/LDBWS/api/20220120/GetArrivalBoard/YRK");
    expect(query).toEqual({
      numRows: "149",
      timeWindow: "30",
      timeOffset: "45",
      filterCrs: "LDS",
      filterType: "from",
    });
    expect(headers?.["x-apikey"]).toBe(KEYS.arrivals);
  });

  test("asks for the furthest board if the window begins within it, and covers no more than that", async () => {
    const { client, seen } = await openClient([[railBoard([railService({ std: "20:01" })])]]);
    const from = Temporal.Instant.from("2026-03-04T20:00:00Z");
    const board = await client.board({ ...QUESTION, from });
    expect(seen().query).toMatchObject({ timeOffset: "119", timeWindow: "120" });
    expect(iso(board.coversUntil)).toBe("2026-03-04T21:19");
    await client.board({ ...QUESTION, from, windowMinutes: 20 });
    expect(seen().query).toMatchObject({ timeOffset: "119", timeWindow: "61" });
  });

  test("asks for a train's details by the service's own id", async () => {
    const { client, seen } = await openClient([[railDetails()]]);
    await client.train(TRAIN);
    expect(seen().path).toBe("/1010-service1_2/LDBWS/api/20220120/GetServiceDetails/1337298YORK____");
    expect(seen().headers?.["x-apikey"]).toBe(KEYS.service);
  });

  test.each([
    ["trains that leave now", {}, true],
    ["two hours that begin in 119 minutes", { from: NOW.add({ minutes: 119 }) }, true],
    ["a window that begins before the furthest board ends", { from: NOW.add({ minutes: 229 }) }, true],
    ["a window that begins later", { from: NOW.add({ minutes: 230 }) }, false],
    ["trains that have left", { from: NOW.subtract({ minutes: 2 }) }, false],
    ["most of a day", { windowMinutes: 480 }, false],
    ["a stop in London", { crs: "940GZZLUOXC" }, false],
    ["a code in small letters", { crs: "yrk" }, false],
    ["arrivals without their product", { kind: "arrivals" as const }, false],
  ])("can be for %s: %3$s", async (_, more, expected) => {
    const { client } = await openClient([[{}]], { products: { departures: "key" } });
    expect(client.canAnswer({ ...QUESTION, ...more })).toBe(expected);
  });

  test("refuses anything but station codes and its own ids", async () => {
    const { client, server } = await openClient([[railBoard([])]]);
    await expect(client.board({ ...QUESTION, crs: "../" })).rejects.toThrow(RangeError);
    await expect(client.board({ ...QUESTION, via: "lds" })).rejects.toThrow(RangeError);
    for (const trainUid of ["C00001", "ldb:", "ldb:a/b", "ldb:abc~"]) {
      await expect(client.train({ trainUid })).rejects.toThrow(RangeError);
    }
    expect(server.seen).toHaveLength(0);
  });

  test("waits while two others are running", async () => {
    let open = 0;
    let most = 0;
    const server = await startStub((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.end(JSON.stringify(railBoard([])));
      });
    });
    const clock = createStillClock(NOW.epochMilliseconds);
    const log = createLog({ level: "silent", secrets: [] });
    const http = createHttp({ clock, log });
    onTestFinished(async () => {
      await http.close();
      await server[Symbol.asyncDispose]();
    });
    const departures = { url: server.url, key: "key" };
    const client = createRailDataClient({
      settings: { departures },
      http,
      clock,
      log,
      spend: async () => {},
    });
    await Promise.all(["ABD", "EDB", "LDS", "MAN", "YRK"].map((crs) => client.board({ ...QUESTION, crs })));
    expect(server.seen).toHaveLength(5);
    expect(most).toBe(2);
  });
});

describe("a board's row", () => {
  test("contains what the service says", async () => {
    expect(
      await readRow(railService({ etd: "17:38", delayReason: " This service has been delayed by snow " })),
    ).toEqual({
      mode: "train",
      status: undefined,
      aimedAt: Temporal.Instant.from("2026-03-04T17:31:00Z"),
      expectedAt: Temporal.Instant.from("2026-03-04T17:38:00Z"),
      platform: "4",
      operatorCode: "GR",
      operatorName: "London North Eastern Railway",
      place: "London Kings Cross",
      trainUid: "ldb:1337298YORK____",
      reason: "This service has been delayed by snow",
      coaches: 9,
    });
  });

  test.each([
    ["On time", undefined, "2026-03-04T17:31"],
    ["17:29", undefined, "2026-03-04T17:29"],
    ["17:45*", undefined, "2026-03-04T17:45"],
    ["Delayed", "DELAYED", undefined],
    ["Cancelled", "CANCELLED", undefined],
    ["No report", "NO REPORT", undefined],
    [undefined, undefined, undefined],
  ] as const)("reads an estimate of %o", async (etd, status, expected) => {
    const row = await readRow(railService({ etd }));
    expect([row.status, iso(row.expectedAt)]).toEqual([status, expected]);
  });

  test("is cancelled whatever its estimate says, and has the reason for that", async () => {
    const row = await readRow(
      railService({
        isCancelled: true,
        etd: "On time",
        platform: undefined,
        cancelReason: "cancelled because of a fault",
        delayReason: "delayed by something",
      }),
    );
    expect(row).toMatchObject({
      status: "CANCELLED",
      platform: undefined,
      reason: "cancelled because of a fault",
    });
  });

  test.each([
    [{ length: 0 }, undefined],
    [{ length: undefined }, undefined],
    [{ length: 0, formation: { coaches: [{ number: "A" }, { number: "B" }] } }, 2],
    [{ length: 12 }, 12],
    [{ length: -3 }, undefined],
  ])("with %o has %o coaches", async (more, coaches) => {
    const row = await readRow(railService(more));
    expect(row.coaches).toBe(coaches);
    expect("coaches" in row).toBe(coaches !== undefined);
  });

  test.each([[false], [undefined]])(
    "shows no platform if the board may not (%o)",
    async (platformAvailable) => {
      const { rows } = await read(railBoard([railService()], { platformAvailable }));
      expect(rows[0]?.platform).toBeUndefined();
    },
  );

  const DOVER = { locationName: "Dover Priory", crs: "DVP" };
  const RAMSGATE = { locationName: "Ramsgate", crs: "RAM" };
  const FAVERSHAM = { locationName: "Faversham", crs: "FAV" };

  test.each([
    ["divides", { destination: [DOVER, RAMSGATE] }, "Dover Priory and Ramsgate", undefined],
    [
      "was cut short",
      { destination: [DOVER, RAMSGATE], currentDestinations: [FAVERSHAM] },
      "Faversham",
      "Dover Priory and Ramsgate",
    ],
    // Built from the documentation: no captured answer has a cancelled portion.
    [
      "runs without one of its portions",
      { destination: [DOVER, { ...RAMSGATE, assocIsCancelled: true }] },
      "Dover Priory",
      "Ramsgate",
    ],
    // Seen at Wellingborough: a train from Corby to London that now ends at Kettering, before this station.
    [
      "is cancelled here because it was cut short",
      { isCancelled: true, destination: [DOVER], currentDestinations: [FAVERSHAM] },
      "Dover Priory",
      undefined,
    ],
    [
      "has only a current destination",
      { destination: undefined, currentDestinations: [DOVER] },
      "Dover Priory",
      undefined,
    ],
  ])("names the destination of a train that %s", async (_, more, place, cancelledPlace) => {
    expect(await readRow(railService(more))).toMatchObject({ place });
    expect((await readRow(railService(more))).cancelledPlace).toBe(cancelledPlace);
  });

  // No captured answer has a way: the field is in the OpenAPI.
  test("has the way that a train takes to its only destination", async () => {
    const waterloo = { locationName: "London Waterloo", crs: "WAT", via: "via Hounslow" };
    expect(await readRow(railService({ destination: [waterloo] }))).toMatchObject({
      place: "London Waterloo",
      route: "via Hounslow",
    });
    expect(await readRow(railService({ destination: [waterloo, DOVER] }))).not.toHaveProperty("route");
  });

  test("says that later stops of a departure are cancelled, unless the question is about one of them", async () => {
    const cut = railService({ futureCancellation: true, sta: "17:29" });
    expect((await readRow(cut)).laterCancelled).toBe(true);
    expect(await readRow(cut, { via: "BTN" })).not.toHaveProperty("laterCancelled");
    expect(await readRow(cut, { kind: "arrivals" })).not.toHaveProperty("laterCancelled");
    expect(await readRow({ ...cut, isCancelled: true })).not.toHaveProperty("laterCancelled");
  });

  test("shows the origin on a board of arrivals", async () => {
    const arrival = railService({ std: undefined, etd: undefined, sta: "17:29", eta: "17:33" });
    const row = await readRow(arrival, { kind: "arrivals" });
    expect([row.place, iso(row.aimedAt), iso(row.expectedAt)]).toEqual([
      "Edinburgh",
      "2026-03-04T17:29",
      "2026-03-04T17:33",
    ]);
  });

  test("says that a train does not call at the way station only if the service says so", async () => {
    const via = { via: "BTN" };
    const cancelled = railService({ filterLocationCancelled: true });
    expect((await readRow(cancelled, via)).viaCancelled).toBe(true);
    // Seen at St Pancras, for Ramsgate: a train that does not call there is listed without saying so.
    expect(await readRow(railService(), via)).not.toHaveProperty("viaCancelled");
    // Without a filter, or if the train does not run at all, there is nothing to say.
    expect(await readRow(cancelled)).not.toHaveProperty("viaCancelled");
    expect(await readRow({ ...cancelled, isCancelled: true }, via)).not.toHaveProperty("viaCancelled");
  });

  test.each([["1337298YORK/../"], [undefined], [""], ["a".repeat(40)]])(
    "has no id that could not be requested: %o",
    async (serviceID) => {
      expect((await readRow(railService({ serviceID }))).trainUid).toBeUndefined();
    },
  );
});

describe("a board", () => {
  test("is empty if it has no list, and may have a single entry instead of a list", async () => {
    for (const trainServices of [undefined, null, []]) {
      const board = await read({ ...railBoard([]), trainServices });
      expect(board).toMatchObject({ source: "rail-data", crs: "YRK", rows: [] });
      expect(iso(board.coversUntil)).toBe("2026-03-04T19:20");
    }
    expect((await read({ ...railBoard([]), trainServices: railService() })).rows).toHaveLength(1);
  });

  test("lists buses and ferries among the trains, with timetable times only", async () => {
    // Built from the OpenAPI, because no such answer was ever captured.
    const { rows } = await read(
      railBoard([railService({ std: "17:40" })], {
        busServices: [railService({ std: "17:35", serviceType: "bus", serviceID: "7000001YORK____" })],
        ferryServices: [railService({ std: "17:50", serviceType: "ferry", serviceID: "7000002YORK____" })],
      }),
    );
    expect(rows.map(({ mode, place, expectedAt }) => [mode, place, iso(expectedAt)])).toEqual([
      ["bus", "London Kings Cross", undefined],
      ["train", "London Kings Cross", "2026-03-04T17:40"],
      ["train", "London Kings Cross (ferry)", undefined],
    ]);
  });

  test("covers the time until its last row if it was cut, and reads a time with seven decimal places", async () => {
    expect(iso((await read(railBoard([railService()]))).coversUntil)).toBe("2026-03-04T19:20");
    const services = Array.from({ length: 149 }, (_, index) =>
      railService({ std: `18:${String(Math.floor(index / 3)).padStart(2, "0")}`, serviceID: `${index}` }),
    );
    const board = await read(railBoard(services));
    expect(iso(board.coversUntil)).toBe("2026-03-04T18:49");
    expect(board.dataAt.epochMilliseconds).toBe(Date.parse("2026-03-04T17:20:39.604Z"));
    // A list of buses reaches further, because it is short.
    const busServices = [railService({ std: "19:10", serviceType: "bus" })];
    expect(iso((await read(railBoard(services, { busServices }))).coversUntil)).toBe("2026-03-04T18:49");
  });

  test("has correct dates for trains of the day before and the day after", async () => {
    const board = await read(
      railBoard(
        [
          railService({ std: "23:52", etd: "01:53" }),
          railService({ std: "00:28", etd: "02:25" }),
          railService({ std: "01:28", etd: "Delayed" }),
        ],
        { generatedAt: "2026-09-27T01:40:05.5263266+01:00" },
      ),
    );
    expect(board.rows.map(({ aimedAt, expectedAt }) => [iso(aimedAt), iso(expectedAt)])).toEqual([
      ["2026-09-26T22:52", "2026-09-27T00:53"],
      ["2026-09-26T23:28", "2026-09-27T01:25"],
      ["2026-09-27T00:28", undefined],
    ]);
    const evening = await read(
      railBoard([railService({ std: "23:58", etd: "00:04" }), railService({ std: "00:10" })], {
        generatedAt: "2026-03-04T23:50:00.000000+00:00",
      }),
    );
    expect(evening.rows.map(({ aimedAt, expectedAt }) => [iso(aimedAt), iso(expectedAt)])).toEqual([
      ["2026-03-04T23:58", "2026-03-05T00:04"],
      ["2026-03-05T00:10", "2026-03-05T00:10"],
    ]);
  });

  test("uses the order of its rows in the hour that comes twice", async () => {
    const board = await read(
      railBoard([railService({ std: "01:55" }), railService({ std: "01:05" })], {
        generatedAt: "2026-10-25T01:30:00.0000000+01:00",
      }),
    );
    expect(board.rows.map(({ aimedAt }) => iso(aimedAt))).toEqual(["2026-10-25T00:55", "2026-10-25T01:05"]);
  });

  test("leaves out rows without a time or a place, and logs their number", async () => {
    const { client, lines } = await openClient([
      [railBoard([railService({ std: undefined }), railService(), railService({ destination: [] }), 7])],
    ]);
    expect((await client.board(QUESTION)).rows).toHaveLength(1);
    expect(lines.join("")).toContain('"skippedRows":3');
  });

  test.each([
    ["Signalling fault.\n", "Signalling fault."],
    ["<p>Lifts &amp; escalators</p><p>are *out*</p>", "Lifts & escalators are \\*out\\*"],
    [
      'See the <a href="https://www.nationalrail.co.uk/service-disruptions/uck(1)/">National Rail website.</a>',
      "See the [National Rail website.](https://www.nationalrail.co.uk/service-disruptions/uck%281%29/)",
    ],
    ['Win <a href="https://nationalrail.co.uk.example.com/">a prize</a>!', "Win a prize!"],
    ['<a href="http://www.nationalrail.co.uk/">Plain</a>', "Plain"],
    ["<a href='https://me@www.nationalrail.co.uk/'>Who</a>", "Who"],
    ["@everyone [x](https://example.com) &lt;@1&gt; &#8217;&#x2026; &nope;", undefined],
  ])("shows the message %o", async (value, expected) => {
    // oxlint-disable-next-line typescript/naming-convention -- the service's own name
    const { messages } = await read(railBoard([], { nrccMessages: [{ Value: value }, { Value: " " }] }));
    expect(messages).toEqual([
      expected ?? "\\@everyone \\[x\\]\\(https\\://example.com\\) \\<\\@1\\> ’… &nope;",
    ]);
    expect((await read(railBoard([], { nrccMessages: [value] }))).messages).toEqual(messages);
  });

  // With backtracking patterns, each of these took minutes, and the bot answered nobody meanwhile.
  test.each([
    ["a reason full of broken tags", railBoard([railService({ delayReason: "<a".repeat(100_000) })])],
    ["a message full of broken links", railBoard([], { nrccMessages: ["<a=href=".repeat(200)] })],
  ])("is read quickly in spite of %s", { timeout: 5_000 }, async (_, body) => {
    expect(await read(body)).toMatchObject({ source: "rail-data" });
  });

  test("has no messages if the service sends none", async () => {
    expect(await read(railBoard([]))).not.toHaveProperty("messages");
  });

  test.each([
    ["an empty object", {}, "neither services nor a station"],
    ["a list", [], "the whole answer is not object"],
    ["a page", "<!doctype html><p>Sorry</p>", "HTML"],
    ["rows without any time", railBoard([railService({ std: "soon" })]), "no service has both"],
  ])("is an unexpected answer if it is %s", async (_, body, message) => {
    const error = await failureOf(read(body));
    expect(error).toMatchObject({ service: "rail-data", kind: "unexpected-answer" });
    expect(error.message).toContain(message);
  });
});

describe("a train", () => {
  test("has stops before and after its board's station, and no expected times at passed ones", async () => {
    const train = await readTrain(railDetails());
    expect(train).toMatchObject({
      source: "rail-data",
      mode: "train",
      origin: "Edinburgh",
      destination: "London Kings Cross",
      operatorCode: "GR",
      coaches: 9,
    });
    expect(
      train.stops.map((stop) => [
        stop.crs,
        stop.platform,
        iso(stop.aimedArrivalAt)?.slice(11),
        iso(stop.expectedArrivalAt)?.slice(11),
        iso(stop.aimedDepartureAt)?.slice(11),
        iso(stop.expectedDepartureAt)?.slice(11),
      ]),
    ).toEqual([
      ["EDB", undefined, undefined, undefined, "15:00", undefined],
      ["DAR", undefined, undefined, undefined, "17:02", undefined],
      ["YRK", "4", "17:29", "17:30", "17:31", "17:34"],
      ["DON", undefined, "17:54", "17:54", undefined, undefined],
      ["KGX", undefined, "19:31", "19:40", undefined, undefined],
    ]);
    expect(train).not.toHaveProperty("portions");
  });

  test("has no expected times at a station that it has left", async () => {
    const { stops } = await readTrain(railDetails({ atd: "17:33" }));
    expect(stops[2]).toMatchObject({ expectedArrivalAt: undefined, expectedDepartureAt: undefined });
    const arrived = await readTrain(railDetails({ ata: "17:32", eta: undefined }));
    expect(iso(arrived.stops[2]?.expectedArrivalAt)).toBe("2026-03-04T17:32");
  });

  test("can run past midnight", async () => {
    const { stops } = await readTrain(
      railDetails({
        generatedAt: "2026-03-05T00:20:00.000000+00:00",
        sta: undefined,
        eta: undefined,
        std: "23:55",
        etd: "00:25",
        previousCallingPoints: [railPoints(railPoint("Leeds", "LDS", "23:30", { at: "23:59" }))],
        subsequentCallingPoints: [railPoints(railPoint("Selby", "SBY", "00:15", { et: "00:45" }))],
      }),
    );
    expect(stops.map((stop) => iso(stop.aimedDepartureAt ?? stop.aimedArrivalAt))).toEqual([
      "2026-03-04T23:30",
      "2026-03-04T23:55",
      "2026-03-05T00:15",
    ]);
    expect(iso(stops[1]?.expectedDepartureAt)).toBe("2026-03-05T00:25");
  });

  test("keeps the portion that leaves it separate from its own stops", async () => {
    const details = (front: boolean) =>
      railDetails({
        length: 8,
        subsequentCallingPoints: [
          railPoints(
            railPoint("Faversham", "FAV", "17:52", { et: "On time", length: 4, detachFront: front }),
            railPoint("Dover Priory", "DVP", "18:39", { et: "On time", length: 4 }),
          ),
          railPoints(
            railPoint("Faversham", "FAV", "17:52", { et: "On time", length: 4 }),
            railPoint("Ramsgate", "RAM", "18:53", { et: "18:59", length: 4 }),
          ),
        ],
      });
    const train = await readTrain(details(false));
    expect(train.destination).toBe("Dover Priory and Ramsgate");
    expect(train.stops.map(({ crs }) => crs)).toEqual(["EDB", "DAR", "YRK", "FAV", "DVP"]);
    expect(train.portions).toEqual([
      {
        kind: "divides",
        at: "Faversham",
        coaches: 4,
        stops: [expect.objectContaining({ crs: "FAV" }), expect.objectContaining({ crs: "RAM" })],
      },
    ]);
    expect((await readTrain(details(true))).portions?.[0]?.isFront).toBe(true);
  });

  test("does not say that the front portion leaves it at a station without a code", async () => {
    const faversham = railPoint("Faversham", "FAV", "17:52", { crs: undefined });
    const train = await readTrain(
      railDetails({
        subsequentCallingPoints: [
          railPoints(faversham, railPoint("Dover Priory", "DVP", "18:39")),
          railPoints(faversham, railPoint("Ramsgate", "RAM", "18:53")),
        ],
      }),
    );
    expect(train.portions).toMatchObject([{ kind: "divides", at: "Faversham" }]);
    expect(train.portions?.[0]).not.toHaveProperty("isFront");
  });

  test("can be joined by a portion, which may be cancelled", async () => {
    const joining = railPoints(
      railPoint("Glasgow Central", "GLC", "14:10", { at: "On time" }),
      railPoint("Darlington", "DAR", "17:02", { at: "On time" }),
    );
    const details = railDetails();
    const [through] = [details["previousCallingPoints"]].flat();
    const previousCallingPoints = [through, { ...joining, assocIsCancelled: true }];
    const train = await readTrain({ ...details, previousCallingPoints });
    expect(train.origin).toBe("Edinburgh");
    const whole = await readTrain({ ...details, previousCallingPoints: [through, joining] });
    expect(whole.origin).toBe("Edinburgh and Glasgow Central");
    expect(train.portions).toMatchObject([{ kind: "joins", at: "Darlington" }]);
    expect(train.portions?.[0]?.stops.map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED"]);
  });

  test("has the reason of a cancelled stop if it has none itself", async () => {
    const cut = railPoint("London Kings Cross", "KGX", "19:31", {
      et: "Cancelled",
      isCancelled: true,
      cancelReason: "cancelled because of a landslip",
    });
    const train = await readTrain(railDetails({ subsequentCallingPoints: [railPoints(cut)] }));
    expect(train.reason).toBe("cancelled because of a landslip");
    expect(train.stops.at(-1)?.status).toBe("CANCELLED");
    expect((await readTrain(railDetails({ delayReason: "delayed by snow" }))).reason).toBe("delayed by snow");
  });

  test("is requested once more after a 500, and is then unknown", async () => {
    const { client, spent } = await openClient([[NO_DETAILS, 500], [railDetails()]]);
    expect((await client.train(TRAIN)).stops).toHaveLength(5);
    expect(spent).toEqual([1, 1]);
    const gone = await openClient([[NO_DETAILS, 500]]);
    expect(await failureOf(gone.client.train(TRAIN))).toMatchObject({ kind: "not-found", status: 500 });
    expect(gone.server.seen).toHaveLength(2);
    for (const answer of [[null], [{}, 400], [{}, 404]] as const) {
      const { client: asked } = await openClient([answer]);
      expect((await failureOf(asked.train(TRAIN))).kind).toBe("not-found");
    }
  });

  test("is unknown without the details product, and a wrong shape is an unexpected answer", async () => {
    const { client, server } = await openClient([[{}]], { products: { departures: "key" } });
    expect((await failureOf(client.train(TRAIN))).kind).toBe("not-found");
    expect(server.seen).toHaveLength(0);
    expect((await failureOf(readTrain({}))).kind).toBe("unexpected-answer");
  });
});

// The shape is known only from other people's programs; no answer of this product was ever captured.
describe("the operators' status", () => {
  const network = async (body: unknown) => (await openClient([[body]])).client.network();

  test("is requested at the product's own address with its own key", async () => {
    const { client, seen } = await openClient([[[{ tocName: "LNER", tocStatus: "Good service" }]]]);
    expect(await client.network()).toMatchObject({ basis: "status", dataAt: NOW });
    expect(seen().path).toBe("/1010-disruptions1_2/LDBWS/api/20220120/tocs/serviceIndicators");
    expect(seen().headers?.["x-apikey"]).toBe(KEYS.disruptions);
    const without = await openClient([[[]]], { products: { departures: "key" } });
    expect((await failureOf(without.client.network())).kind).toBe("not-found");
  });

  test.each([
    [{ tocStatus: "Good service" }, { state: "Good service", isDisrupted: false, description: undefined }],
    [
      {
        tocStatus: "Minor delays",
        tocStatusDescription: "Minor delays",
        tocAdditionalInfo: "<p><strong>Why:</strong> snow &amp; ice</p>",
        tocServiceGroup: [{ customDetail: "Leeds to Hull" }, null, {}],
      },
      { state: "Minor delays", isDisrupted: true, description: "Why: snow & ice Leeds to Hull" },
    ],
    [
      { tocStatus: "Custom", tocStatusDescription: "Buses replace trains", tocServiceGroup: "none" },
      { state: "Buses replace trains", isDisrupted: true, description: undefined },
    ],
  ])("is read from %j", async (more, expected) => {
    const one = { tocCode: "NT", tocName: "Northern", ...more };
    const { entries } = await network([
      one,
      { tocName: "Nobody" },
      { tocStatus: "Custom", tocName: "No" },
      7,
    ]);
    expect(entries).toEqual([
      { mode: "train", name: "Northern", from: undefined, until: undefined, ...expected },
    ]);
    // A single operator may come without a list around it.
    expect((await network(one)).entries).toEqual(entries);
  });

  test.each([
    [[{ currentDisruption: "A1", customDetail: "<p>Leeds to Hull</p>" }, {}], [["A1", "Snow Leeds to Hull"]]],
    [
      [{ currentDisruption: 17, customDetail: "Leeds to Hull" }, { currentDisruption: "B2" }],
      [
        ["17", "Leeds to Hull"],
        ["B2", "Snow"],
      ],
    ],
  ])("has an entry for each incident, e.g. of %j", async (tocServiceGroup, expected) => {
    const one = { tocName: "Northern", tocStatus: "Delays", tocAdditionalInfo: "Snow", tocServiceGroup };
    const incidentsOf = async (body: unknown) =>
      (await network(body)).entries.map(({ incident, description }) => [incident, description]);
    expect(await incidentsOf([one])).toEqual(expected);
    expect(
      (await incidentsOf([{ ...one, tocStatus: "Good service" }])).map(([incident]) => incident),
    ).toEqual([undefined]);
  });

  test.each([[[]], [{}], [null], [[{ tocName: "Northern" }]]])(
    "is an unexpected answer if it is %j",
    async (body) => {
      expect((await failureOf(network(body))).kind).toBe("unexpected-answer");
    },
  );
});

describe("refusals", () => {
  test.each([
    [401, INVALID_KEY, "unauthorised", "another product's"],
    [401, gatewayFault("steps.oauth.v2.FailedToResolveAPIKey"), "unauthorised", "did not arrive"],
    [403, "<html><body>Access Denied</body></html>", "not-permitted", "User-Agent"],
    [403, { error: "no" }, "not-permitted", "subscription"],
    [400, { error: "no" }, "not-found", "station"],
    [404, "", "not-found", "station"],
    [500, NO_DETAILS, "unavailable", "operation"],
    [302, "", "unexpected-answer", "redirects"],
    [418, {}, "rejected", "rejects"],
  ] as const)("%i with %o is %3$s", async (status, body, kind, meaning) => {
    const { client } = await openClient([[body, status]]);
    const error = await failureOf(client.board(QUESTION));
    expect(error).toMatchObject({ service: "rail-data", kind, status });
    expect(error.message).toContain(meaning);
    expect([error.message, error.stack, JSON.stringify(error), String(error.cause)].join()).not.toMatch(
      /SECRET|http:/,
    );
  });

  // The codes are from the gateway's documentation; no 429 was ever captured.
  test.each([
    ["policies.ratelimit.SpikeArrestViolation", "rate-limited", []],
    ["policies.ratelimit.QuotaViolation", "budget-spent", [60_000]],
  ])("429 with %s is %s", async (code, kind, expected) => {
    const closings: unknown[] = [];
    const bytes = new TextEncoder().encode(JSON.stringify(gatewayFault(code)));
    const client = createRailDataClient({
      settings: { departures: { url: new URL("http://127.0.0.1/"), key: "key" } },
      http: {
        request: async () => ({ status: 429, headers: { "retry-after": "60" }, bytes }),
      },
      clock: createStillClock(NOW.epochMilliseconds),
      log: createLog({ level: "silent", secrets: [] }),
      spend: async () => {},
      onPlanUsedUp: async (retryAfterMs) => void closings.push(retryAfterMs),
    });
    expect(await failureOf(client.board(QUESTION))).toMatchObject({ kind, retryAfterMs: 60_000 });
    expect(closings).toEqual(expected);
  });
});

describe("answers with missing fields", () => {
  /** Removes the keys for which `isMissing` returns true, at any depth. */
  function without(value: unknown, isMissing: () => boolean): unknown {
    if (Array.isArray(value)) {
      return value.map((entry) => without(entry, isMissing));
    }
    return typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, inner]) =>
            isMissing() ? [] : [[key, without(inner, isMissing)]],
          ),
        )
      : value;
  }

  async function askWithGaps(body: Json, ask: (client: RailDataClient) => Promise<void>) {
    const answers: Answer[] = [];
    const { client } = await openClient(answers);
    const odd = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (luck) => {
        answers.push([without(body, () => luck.next().value === 0)]);
        await ask(client).catch((error: unknown) =>
          odd.add(error instanceof ServiceError ? error.kind : error),
        );
      }),
      { numRuns: 60 },
    );
    // Each answer is either read or unexpected; nothing else is ever thrown.
    odd.delete("unexpected-answer");
    expect([...odd]).toEqual([]);
  }

  test("give a board or an unexpected answer", async () => {
    const services = ["17:31", "17:40", "17:52"].map((std) => railService({ std, etd: "17:59" }));
    // oxlint-disable-next-line typescript/naming-convention -- the service's own name
    const body = railBoard(services, { nrccMessages: [{ Value: "Lifts" }], busServices: [railService()] });
    await askWithGaps(body, async (client) => {
      for (const row of (await client.board({ ...QUESTION, via: "LDS" })).rows) {
        expect(row.place).not.toBe("");
        expect(row.coaches).not.toBe(0);
      }
    });
  });

  test("give a train or an unexpected answer", async () => {
    await askWithGaps(railDetails(), async (client) => {
      const { stops } = await client.train(TRAIN);
      expect(stops.length).toBeGreaterThan(0);
      expect(stops.every((stop) => (stop.aimedArrivalAt ?? stop.aimedDepartureAt) !== undefined)).toBe(true);
    });
  });
});

describe("captured answers", () => {
  const folder = new URL("../../../../shared/samples/rail-data/", import.meta.url);
  const sample = (name: string, skip: (condition: boolean, note: string) => void): unknown => {
    const file = new URL(name, folder);
    skip(!existsSync(file), `there is no captured sample ${name} here`);
    return JSON.parse(readFileSync(file, "utf8"));
  };

  test("contain a board with cancellations", async ({ skip }) => {
    const body = sample("departures-WEL-2026-cancelled.json", skip);
    const board = await read(body, { crs: "WEL" });
    expect(board.rows).toHaveLength(10);
    const cancelled = board.rows.filter(({ status }) => status === "CANCELLED");
    expect(cancelled.map(({ place }) => place)).toEqual([
      "London St Pancras (Intl)",
      "Corby",
      "London St Pancras (Intl)",
      "Corby",
      "London St Pancras (Intl)",
      "Corby",
    ]);
    expect(cancelled.every(({ reason, platform }) => reason !== undefined && platform === undefined)).toBe(
      true,
    );
    expect(board.rows.some(({ coaches }) => coaches !== undefined)).toBe(false);
    expect(iso(board.rows[4]?.expectedAt)).toBe("2026-03-19T11:19");
    expect(board.messages).toHaveLength(1);
    expect(board.messages?.[0]).toMatch(/^[^<\n]+\]\(https:\/\/www\.nationalrail\.co\.uk\/[^)\s]*\)[^<]*$/);
  });

  test("contain a filtered board at night", async ({ skip }) => {
    const body = sample("departures-ECR-2026-filtered-night.json", skip);
    const board = await read(body, { crs: "ECR", via: "BTN" });
    expect(
      board.rows.map((row) => [iso(row.aimedAt), iso(row.expectedAt), row.status, row.viaCancelled]),
    ).toEqual([
      ["2026-09-26T22:52", "2026-09-27T00:53", undefined, true],
      ["2026-09-26T23:28", "2026-09-27T01:25", undefined, true],
      ["2026-09-27T00:28", undefined, "DELAYED", undefined],
    ]);
    const unfiltered = await read(body, { crs: "ECR" });
    expect(unfiltered.rows.map(({ laterCancelled }) => laterCancelled)).toEqual([true, true, undefined]);
    expect(board.rows.map(({ coaches }) => coaches)).toEqual([12, 12, 12]);
    expect(board.rows[0]?.reason).toBe("This service has been delayed by a fault with the signalling system");
    expect(board.messages).toHaveLength(4);
  });

  test("contain a train that divides", async ({ skip }) => {
    const body = sample("service-divides-VIC-2025.json", skip);
    const { client } = await openClient([[body]]);
    const train = await client.train(TRAIN);
    expect(train).toMatchObject({
      origin: "London Victoria",
      destination: "Dover Priory and Ramsgate",
      coaches: 8,
    });
    expect(train.stops).toHaveLength(19);
    expect(train.portions).toMatchObject([{ kind: "divides", at: "Faversham", coaches: 4 }]);
    expect(train.portions?.[0]).not.toHaveProperty("isFront");
    expect(train.portions?.[0]?.stops).toHaveLength(10);
    expect(iso(train.stops[0]?.aimedDepartureAt)).toBe("2025-08-21T14:40");
  });

  test.for([
    ["error-401-invalid-key.json", 401, "unauthorised"],
    ["error-500-service-details.json", 500, "not-found"],
  ] as const)("contain the refusal %s", async ([name, status, kind], { skip }) => {
    const { client } = await openClient([[sample(name, skip), status]]);
    expect((await failureOf(client.train(TRAIN))).kind).toBe(kind);
  });
});
