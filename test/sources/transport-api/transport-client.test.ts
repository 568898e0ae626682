import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type TransportClient,
  createTransportClient,
} from "../../../src/sources/transport-api/transport-client.ts";
import type { TransportQuestion } from "../../../src/sources/transport-data.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import type { Http, HttpAnswer } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { APP, answerWith, openTransportStub, spend } from "../../support/transport-stub.ts";
import {
  NOT_FOUND_APPLICATION,
  USAGE_LIMITS,
  publicBoard,
  publicRow,
  specificationBoard,
  specificationRow,
} from "../answers.ts";
import { failureOf } from "../../support/outcomes.ts";

const NOW = Temporal.Instant.from("2026-03-04T17:20:40Z");
const QUESTION: TransportQuestion = {
  crs: "YRK",
  kind: "departures",
  windowMinutes: 120,
  limit: 200,
  live: true,
};
const DIALECTS = ["specification", "public"] as const;
type Dialect = (typeof DIALECTS)[number];

/** A client of a local server that gives one answer. */
function openClient(dialect: Dialect, body: unknown, { status = 200, path = "" } = {}) {
  const clock = createStillClock(NOW.epochMilliseconds);
  return openTransportStub({ dialect, clock, answer: answerWith(body, status), basePath: path });
}

/** A client whose every request gets this answer at once, for statuses that the HTTP client would retry. */
function answering(answer: Partial<HttpAnswer>): TransportClient {
  const http: Pick<Http, "request"> = {
    request: async () => ({ status: 200, headers: {}, bytes: new Uint8Array(), ...answer }),
  };
  const clock = createStillClock(NOW.epochMilliseconds);
  return createTransportClient({
    http,
    baseUrl: new URL("http://127.0.0.1/"),
    ...APP,
    dialect: "public",
    clock,
    log: createLog({ level: "silent", secrets: [] }),
    spend,
  });
}

describe("a request", () => {
  test("asks for the specification's live board, with credentials in the query", async () => {
    const { client, seen } = await openClient("specification", specificationBoard([]));
    await client.board({ ...QUESTION, via: "LDS" });
    const { path, query, headers } = seen();
    expect(path).toBe("/v3/uk/train/station/YRK/live.json");
    expect(query).toEqual({
      app_id: "SECRET-ID",
      app_key: "SECRET-KEY",
      type: "departure",
      train_status: "passenger",
      limit: "200",
      calling_at: "LDS",
    });
    expect(headers).not.toHaveProperty("x-app-key");
  });

  test("asks for the specification's timetable, by UK date and time, for trains after the live board's end", async () => {
    const { client, seen } = await openClient("specification", specificationBoard([]));
    const from = Temporal.Instant.from("2026-07-04T23:30:00Z");
    await client.board({ ...QUESTION, from, windowMinutes: 22 * 60 });
    expect(seen().path).toBe("/v3/uk/train/station/YRK/2026-07-05/00:30/timetable.json");
    expect(seen().query).toMatchObject({ to_offset: "PT22:00:00", type: "departure", limit: "200" });
  });

  test("asks for the specification's timetable if the window is longer than a live board", async () => {
    const { client, seen } = await openClient("specification", specificationBoard([]));
    await client.board({ ...QUESTION, windowMinutes: 8 * 60 });
    expect(seen().path).toBe("/v3/uk/train/station/YRK/2026-03-04/17:20/timetable.json");
    expect(seen().query).toMatchObject({ to_offset: "PT08:00:00" });
  });

  test("asks for the specification's live board again for a page within it", async () => {
    const { client, seen } = await openClient("specification", specificationBoard([]));
    await client.board({ ...QUESTION, from: NOW.add({ minutes: 60 }) });
    expect(seen().path).toBe("/v3/uk/train/station/YRK/live.json");
    await client.board({ ...QUESTION, from: NOW.add({ minutes: 60 }), live: false });
    expect(seen().path).toBe("/v3/uk/train/station/YRK/2026-03-04/18:20/timetable.json");
  });

  test("asks for the public service's station timetable, with credentials only in headers", async () => {
    const { client, seen } = await openClient("public", publicBoard([]));
    await client.board({ ...QUESTION, via: "LDS" });
    const { path, query, headers } = seen();
    expect(path).toBe("/v3/uk/train/station_timetables/crs:YRK.json");
    expect(query).toEqual({
      live: "true",
      type: "departure",
      train_status: "passenger",
      limit: "200",
      calling_at: "crs:LDS",
      from_offset: "PT00:00:00",
      to_offset: "PT02:00:00",
    });
    expect(headers).toMatchObject({ "x-app-id": "SECRET-ID", "x-app-key": "SECRET-KEY" });
  });

  test("asks for the public service's arrivals from a time in summer, with its offset", async () => {
    const { client, seen } = await openClient("public", publicBoard([], { arrivals: { all: [] } }));
    const from = Temporal.Instant.from("2026-07-04T16:30:20Z");
    await client.board({ ...QUESTION, kind: "arrivals", via: "LDS", from });
    expect(seen().query).toMatchObject({
      datetime: "2026-07-04T17:30:00+01:00",
      type: "arrival",
      called_at: "crs:LDS",
    });
    expect(seen().query).not.toHaveProperty("calling_at");
  });

  test("keeps the path of a base URL", async () => {
    const { client, seen } = await openClient("specification", specificationBoard([]), {
      path: "/proxy/trains",
    });
    await client.board(QUESTION);
    expect(seen().path).toBe("/proxy/trains/v3/uk/train/station/YRK/live.json");
  });

  test("accepts only station codes", async () => {
    const { client } = await openClient("specification", specificationBoard([]));
    for (const crs of ["yrk", "YR", "../", "YRK?", ""]) {
      await expect(client.board({ ...QUESTION, crs })).rejects.toBeInstanceOf(RangeError);
      await expect(client.board({ ...QUESTION, via: crs })).rejects.toBeInstanceOf(RangeError);
    }
  });
});

describe.each(DIALECTS)("the reader, if the dialect is %s,", (dialect) => {
  const read = async (body: unknown, more: Partial<TransportQuestion> = {}) => {
    const { client } = await openClient(dialect, body);
    return client.board({ ...QUESTION, ...more });
  };

  test("reads a row of the public service", async () => {
    const board = await read(publicBoard([publicRow()]));
    expect(board).toMatchObject({ source: "transport", crs: "YRK" });
    expect(board.dataAt.toString()).toBe("2026-03-04T17:20:40Z");
    expect({ ...board.rows[0], aimedAt: "", expectedAt: "" }).toEqual({
      mode: "train",
      status: "LATE",
      aimedAt: "",
      expectedAt: "",
      platform: "5",
      operatorCode: "GR",
      operatorName: "LNER",
      place: "London Kings Cross",
      startDate: "2026-03-04",
      trainUid: "C00001",
    });
    expect(board.rows[0]?.aimedAt.toString()).toBe("2026-03-04T17:30:00Z");
    expect(board.rows[0]?.expectedAt?.toString()).toBe("2026-03-04T17:35:00Z");
  });

  test("reads a row of the specification", async () => {
    const board = await read(specificationBoard([specificationRow()]));
    expect(board.rows[0]).toMatchObject({
      mode: "train",
      place: "Leeds",
      platform: "8",
      operatorName: "Northern",
      operatorCode: undefined,
      trainUid: undefined,
    });
    expect(board.rows[0]?.aimedAt.toString()).toBe("2026-03-04T17:31:00Z");
  });

  test("reads arrivals with their own times and origin", async () => {
    const board = await read(
      { ...publicBoard([]), departures: undefined, arrivals: { all: [publicRow()] } },
      {
        kind: "arrivals",
      },
    );
    expect(board.rows[0]?.place).toBe("Edinburgh");
    expect(board.rows[0]?.aimedAt.toString()).toBe("2026-03-04T17:28:00Z");
    expect(board.rows[0]?.expectedAt?.toString()).toBe("2026-03-04T17:33:00Z");
  });

  test("puts trains after midnight in order", async () => {
    const rows = [
      publicRow({ train_uid: "B", aimed_departure_time: "00:10", expected_departure_time: "00:20" }),
      publicRow({ train_uid: "A", aimed_departure_time: "23:58", expected_departure_time: "00:04" }),
    ];
    const board = await read(publicBoard(rows, { request_time: "2026-07-04T23:50:00+01:00" }));
    expect(
      board.rows.map((row) => [row.trainUid, row.aimedAt.toString(), row.expectedAt?.toString()]),
    ).toEqual([
      ["A", "2026-07-04T22:58:00Z", "2026-07-04T23:04:00Z"],
      ["B", "2026-07-04T23:10:00Z", "2026-07-04T23:20:00Z"],
    ]);
  });

  test("accepts nulls, numbers, absent fields and words instead of times", async () => {
    const board = await read(
      publicBoard(
        [
          publicRow({
            platform: 7,
            status: null,
            expected_departure_time: "Delayed",
            operator_name: null,
            train_uid: undefined,
          }),
        ],
        { station_name: null, request_time: "yesterday" },
      ),
    );
    expect(board.dataAt.toString()).toBe(NOW.toString());
    expect(board.rows[0]).toMatchObject({
      platform: "7",
      status: undefined,
      expectedAt: undefined,
      operatorCode: "GR",
      operatorName: undefined,
      trainUid: undefined,
    });
  });

  test("recognises a replacement bus by its mode or its status", async () => {
    const rows = [publicRow({ mode: "bus" }), publicRow({ status: "BUS" }), publicRow()];
    expect((await read(publicBoard(rows))).rows.map(({ mode }) => mode)).toEqual(["bus", "bus", "train"]);
  });

  test.each([
    ["an empty list", { all: [] }],
    ["no list", {}],
    ["null", null],
    ["nothing at all", undefined],
  ])("reads an empty board with %s", async (_, departures) => {
    expect((await read(specificationBoard([], { departures }))).rows).toEqual([]);
  });

  test("leaves out unusable rows and logs their number", async () => {
    const { client, lines } = await openClient(
      dialect,
      publicBoard([
        publicRow({ aimed_departure_time: null }),
        publicRow({ destination_name: null }),
        null,
        "row",
        publicRow(),
      ]),
    );
    expect((await client.board(QUESTION)).rows).toHaveLength(1);
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ service: "transport", crs: "YRK", skippedRows: 4 }),
    );
  });
});

describe("the time that a board covers", () => {
  const at = (minutes: number) =>
    `${17 + Math.floor((20 + minutes) / 60)}:${String((20 + minutes) % 60).padStart(2, "0")}`;
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      specificationRow({ scheduled_departure_time: at(index), expected_departure_time: at(index) }),
    );

  test("is two hours for a short live board", async () => {
    const { client } = await openClient("specification", specificationBoard(rows(3)));
    expect((await client.board(QUESTION)).coversUntil.toString()).toBe("2026-03-04T19:20:00Z");
  });

  test("ends at the last row if a live board may have been cut", async () => {
    const { client } = await openClient("specification", specificationBoard(rows(12)));
    expect((await client.board(QUESTION)).coversUntil.toString()).toBe("2026-03-04T17:31:00Z");
  });

  test("is two hours if a live board reaches nearly as far or has more rows than any default", async () => {
    const far = [...rows(12), specificationRow({ scheduled_departure_time: "19:12" })];
    const { client } = await openClient("specification", specificationBoard(far));
    expect((await client.board(QUESTION)).coversUntil.toString()).toBe("2026-03-04T19:20:00Z");
    const many = await openClient("specification", specificationBoard(rows(60)));
    expect((await many.client.board(QUESTION)).coversUntil.toString()).toBe("2026-03-04T19:20:00Z");
  });

  test("is the requested window, unless the limit was reached", async () => {
    const { client } = await openClient("public", publicBoard(rows(12)));
    expect((await client.board(QUESTION)).coversUntil.toString()).toBe("2026-03-04T19:20:00Z");
    expect((await client.board({ ...QUESTION, limit: 12 })).coversUntil.toString()).toBe(
      "2026-03-04T17:31:00Z",
    );
  });

  test("can be most of a day, with the right date for each time", async () => {
    const from = Temporal.Instant.from("2026-03-04T19:20:00Z");
    const list = ["19:20", "23:59", "05:00", "17:19"].map((time) =>
      specificationRow({ scheduled_departure_time: time }),
    );
    const { client } = await openClient("specification", specificationBoard(list));
    const board = await client.board({ ...QUESTION, from, windowMinutes: 22 * 60 });
    expect(board.rows.map(({ aimedAt }) => aimedAt.toString())).toEqual([
      "2026-03-04T19:20:00Z",
      "2026-03-04T23:59:00Z",
      "2026-03-05T05:00:00Z",
      "2026-03-05T17:19:00Z",
    ]);
  });

  test("can end on the evening of the short day when clocks go forward", async () => {
    const body = publicBoard([publicRow({ aimed_departure_time: "21:45" })], {
      request_time: "2027-03-27T21:00:00+00:00",
    });
    const { client } = await openClient("public", body);
    const from = Temporal.Instant.from("2027-03-27T23:00:00Z");
    const board = await client.board({ ...QUESTION, from, windowMinutes: 22 * 60 });
    expect(board.rows[0]?.aimedAt.toString()).toBe("2027-03-28T20:45:00Z");
  });

  test("contains the second 01:50, not the first, once the clocks have gone back", async () => {
    const list = [specificationRow({ scheduled_departure_time: "01:50", expected_departure_time: "01:55" })];
    const { client } = await openClient(
      "specification",
      specificationBoard(list, { request_time: "2026-10-25T01:10:00Z" }),
    );
    expect((await client.board(QUESTION)).rows[0]?.expectedAt?.toString()).toBe("2026-10-25T01:55:00Z");
  });

  describe("the night when clocks go back: each train is in its own hour", () => {
    const IN_TURN = ["01:40", "01:50", "01:00", "01:10", "01:40", "01:50", "02:00"];
    const NIGHT = { request_time: "2026-10-25T00:40:00Z" };
    const MEANT = ["00:40", "00:50", "01:00", "01:10", "01:40", "01:50", "02:00"];

    async function times(dialect: Dialect, body: unknown, more: Partial<TransportQuestion> = {}) {
      const { client } = await openClient(dialect, body);
      const board = await client.board({ ...QUESTION, ...more });
      return board.rows.map(({ aimedAt }) => aimedAt.toString().slice(11, 16));
    }

    test("according to the order of a live board", async () => {
      const list = IN_TURN.map((time) => specificationRow({ scheduled_departure_time: time }));
      expect(await times("specification", specificationBoard(list, NIGHT))).toEqual(MEANT);
    });

    test("in a window that begins the evening before", async () => {
      const list = ["23:10", ...IN_TURN].map((time) => specificationRow({ scheduled_departure_time: time }));
      const window = { from: Temporal.Instant.from("2026-10-24T22:00:00Z"), windowMinutes: 22 * 60 };
      const found = await times("specification", specificationBoard(list, NIGHT), window);
      expect(found).toEqual(["22:10", ...MEANT]);
    });

    test("in a window that begins in the second of the two hours", async () => {
      const list = ["01:30", "01:40"].map((time) => specificationRow({ scheduled_departure_time: time }));
      const window = { from: Temporal.Instant.from("2026-10-25T01:20:30Z"), windowMinutes: 180 };
      expect(await times("specification", specificationBoard(list, NIGHT), window)).toEqual([
        "01:30",
        "01:40",
      ]);
    });

    test("even if arrivals are a few minutes out of order", async () => {
      const all = ["01:50", "01:48", "01:10"].map((time) => ({
        ...specificationRow({ scheduled_arrival_time: time, origin_name: "Leeds" }),
      }));
      const body = specificationBoard([], { ...NIGHT, departures: undefined, arrivals: { all } });
      expect(await times("specification", body, { kind: "arrivals" })).toEqual(["00:48", "00:50", "01:10"]);
    });
  });
});

describe("refusals", () => {
  test.each([
    [400, { error: "bad request" }, "rejected"],
    [401, { error: "no" }, "unauthorised"],
    [403, USAGE_LIMITS, "budget-spent"],
    [403, NOT_FOUND_APPLICATION, "unauthorised"],
    [403, { error: "not in your plan" }, "not-permitted"],
    [404, { error: "unknown station" }, "not-found"],
    [422, { error: "bad request" }, "rejected"],
    [500, "<html>oops</html>", "unavailable"],
    [302, "", "unexpected-answer"],
    [200, USAGE_LIMITS, "budget-spent"],
    [200, NOT_FOUND_APPLICATION, "unauthorised"],
    [200, { error: "Unknown station code" }, "not-found"],
    [200, { error: "bad request" }, "rejected"],
    [200, { error: { code: 7 } }, "rejected"],
  ] as const)("%i with %o is %3$s", async (status, body, kind) => {
    const { client } = await openClient("specification", body, { status });
    const error = await failureOf(client.board(QUESTION));
    expect(error).toMatchObject({ service: "transport", kind, status });
    expect([error.message, error.stack, JSON.stringify(error), String(error.cause)].join()).not.toMatch(
      /SECRET|http:/,
    );
  });

  test.each([502, 503])("%i is unavailable for as long as the answer says", async (status) => {
    const error = await failureOf(answering({ status, headers: { "retry-after": "7" } }).board(QUESTION));
    expect(error).toMatchObject({ kind: "unavailable", status, retryAfterMs: 7_000 });
  });

  test("429 is rate-limited", async () => {
    const error = await failureOf(
      answering({ status: 429, headers: { "retry-after": "60" } }).board(QUESTION),
    );
    expect(error).toMatchObject({ kind: "rate-limited", retryAfterMs: 60_000 });
  });

  test.each([
    ["HTML", "<!doctype html><title>Sorry</title>", "HTML"],
    ["a list", [], "the whole answer is not object"],
    ["an object about nothing", {}, "departures is missing"],
    [
      "arrivals in place of departures",
      { ...publicBoard([]), departures: undefined, arrivals: {} },
      "departures is missing",
    ],
    ["a list of another kind", publicBoard([], { departures: { all: "none" } }), "departures.all"],
    [
      "rows without any time we know",
      publicBoard([publicRow({ aimed_departure_time: undefined, time: "17:30" })]),
      "no row of departures.all",
    ],
  ])("%s is an unexpected answer that names the path", async (_, body, path) => {
    const { client } = await openClient("public", body);
    const error = await failureOf(client.board(QUESTION));
    expect(error.kind).toBe("unexpected-answer");
    expect(error.message).toContain(path);
  });

  test("do not affect the next question", async () => {
    let calls = 0;
    const { client } = await openTransportStub({
      dialect: "public",
      clock: createStillClock(NOW.epochMilliseconds),
      answer(request, response) {
        calls += 1;
        const refuses = calls === 1;
        answerWith(refuses ? USAGE_LIMITS : publicBoard([publicRow()]), refuses ? 403 : 200)(
          request,
          response,
        );
      },
    });
    expect((await failureOf(client.board(QUESTION))).kind).toBe("budget-spent");
    expect((await client.board(QUESTION)).rows).toHaveLength(1);
  });
});

describe("the budget", () => {
  const CLOSED_MS = 300_000;

  async function counting(statuses: readonly number[], take: () => Promise<void> = spend) {
    const spent: number[] = [];
    const closings: (number | undefined)[] = [];
    const { client, server } = await openTransportStub({
      dialect: "public",
      // Retries wait in real time, for the shortest random delay.
      clock: { ...systemClock, now: () => NOW.epochMilliseconds },
      answer(_request, response) {
        const status = statuses[Math.min(spent.length, statuses.length) - 1] ?? 200;
        response.writeHead(status, status === 403 ? { "retry-after": "120" } : {});
        response.end(JSON.stringify(status === 403 ? USAGE_LIMITS : publicBoard([publicRow()])));
      },
      async spend() {
        await take();
        spent.push(1);
      },
      async onPlanUsedUp(askedMs) {
        closings.push(askedMs);
        return CLOSED_MS;
      },
    });
    return { client, server, spent, closings };
  }

  test("is charged before every attempt, including retries", async () => {
    const { client, server, spent } = await counting([503, 200]);
    await client.board(QUESTION);
    expect(spent).toEqual([1, 1]);
    expect(server.seen).toHaveLength(2);
  });

  test("allows no request if nothing is left", async () => {
    const refusal = new ServiceError("transport", "budget-spent", "by our own count");
    const { client, server, closings } = await counting([200], () => Promise.reject(refusal));
    expect(await failureOf(client.board(QUESTION))).toBe(refusal);
    expect(server.seen).toHaveLength(0);
    expect(closings).toEqual([]);
  });

  test("is closed when the service says that its limit is reached, and the error says for how long", async () => {
    const { client, closings } = await counting([403]);
    const failure = await failureOf(client.board(QUESTION));
    expect(failure).toMatchObject({ kind: "budget-spent", retryAfterMs: CLOSED_MS });
    expect(closings).toEqual([120_000]);
  });
});

describe("answers captured from the public service", () => {
  const samples = new URL("../../../../shared/samples/transport", import.meta.url);
  test.for([
    ["live-WIM-2017.json", 25, "2017-07-10T05:13:00Z"],
    ["station-timetable-HBD-2021.json", 16, "2021-12-08T10:39:00Z"],
  ] as const)("are read completely: %s", async ([name, count, first], { skip }) => {
    const file = new URL(name, samples);
    skip(!existsSync(file), `there is no captured sample ${name} here`);
    const { client } = await openClient("specification", JSON.parse(readFileSync(file, "utf8")));
    const { rows } = await client.board(QUESTION);
    expect(rows).toHaveLength(count);
    expect(rows[0]?.aimedAt.toString()).toBe(first);
    for (const { aimedAt, expectedAt = aimedAt } of rows) {
      expect(Math.abs(expectedAt.since(aimedAt).total("minutes"))).toBeLessThan(5);
    }
  });
});
