import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHttp, type Http, type HttpAnswer } from "../../../src/core/http.ts";
import { collectLog } from "../../support/collect-log.ts";
import { createTflClient, isLondonStop } from "../../../src/sources/tfl/tfl-client.ts";
import type { TransportQuestion } from "../../../src/sources/transport-data.ts";
import { formatUkTime } from "../../../src/time/uk-time.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { startStub } from "../../support/stub-server.ts";
import { spend } from "../../support/transport-stub.ts";
import { apiError, line, prediction, status } from "./tfl-answers.ts";
import { failureOf } from "../../support/outcomes.ts";

const NOW = "2026-11-18T17:20:00Z";
const QUESTION: TransportQuestion = {
  crs: "940GZZLUOXC",
  kind: "departures",
  windowMinutes: 120,
  limit: 50,
  live: true,
};

/** A client whose every request gets this answer; `at` is the time. */
function answering(
  body: unknown,
  {
    at = NOW,
    appKey,
    ...answer
  }: Partial<HttpAnswer> & { readonly at?: string; readonly appKey?: string } = {},
) {
  const { log, lines } = collectLog("debug");
  const closings: (number | undefined)[] = [];
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  const http: Pick<Http, "request"> = {
    request: async () => ({ status: 200, headers: {}, bytes, ...answer }),
  };
  const client = createTflClient({
    http,
    baseUrl: new URL("http://127.0.0.1/"),
    appKey,
    clock: createStillClock(Date.parse(at)),
    log,
    spend,
    onPlanUsedUp: async (retryAfterMs) => void closings.push(retryAfterMs),
  });
  return { client, lines, closings };
}

/** The board's rows as people see them: expected time, line, platform and destination. */
async function rows(
  body: unknown,
  question: Partial<TransportQuestion> = {},
  at = NOW,
): Promise<readonly string[]> {
  const board = await answering(body, { at }).client.board({ ...QUESTION, ...question });
  return board.rows.map(({ aimedAt, operatorName, platform, place }) =>
    [formatUkTime(aimedAt), operatorName, platform ?? "-", place].join(" "),
  );
}

/** The lines' states: "!" if disrupted, name, state and description. */
async function states(body: unknown, at = NOW): Promise<readonly string[]> {
  const { entries } = await answering(body, { at }).client.network();
  return entries.map(({ name, state, description, isDisrupted }) =>
    [isDisrupted ? "!" : "ok", name, state, description].filter(Boolean).join(" | "),
  );
}

describe("a request", () => {
  test("sends the key and our name as headers, and logs neither key nor address", async () => {
    await using server = await startStub((_request, response) => void response.end("[]"));
    const { log, lines } = collectLog("debug");
    const clock = createStillClock(Date.parse(NOW));
    const http = createHttp({ clock, log });
    onTestFinished(() => http.close());
    let spent = 0;
    const client = createTflClient({
      http,
      baseUrl: new URL("tfl/", server.url),
      appKey: "SECRET-KEY",
      clock,
      log,
      spend: async () => void (spent += 1),
    });

    await client.board(QUESTION);
    await client.network();

    expect(server.seen.map(({ path }) => path)).toEqual([
      "/tfl/StopPoint/940GZZLUOXC/Arrivals",
      "/tfl/Line/Mode/tube,dlr,elizabeth-line,overground,tram,river-bus,cable-car/Status",
    ]);
    expect(server.seen[0]?.headers).toMatchObject({ app_key: "SECRET-KEY", "user-agent": "Signalbox" });
    expect(spent).toBe(2);
    expect(lines.join("")).not.toMatch(/SECRET|StopPoint/);
  });

  test.each(["HUBKGX", "490G000773", "YRK", "940GZZLUOXC/../Search", "9400ZZLUOXC1", "940gzzluoxc"])(
    "is never sent for %s",
    async (id) => {
      expect(isLondonStop(id)).toBe(false);
      await expect(answering([]).client.board({ ...QUESTION, crs: id })).rejects.toThrow(RangeError);
    },
  );

  test("can be for a stop's departures, but not for arrivals or a way station", () => {
    const { client } = answering([]);
    const can = (question: Partial<TransportQuestion>) => client.canAnswer({ ...QUESTION, ...question });

    expect([
      can({}),
      can({ crs: "490009131W" }),
      can({ crs: "930GWMR" }),
      can({ crs: "910GABWDXR" }),
    ]).toEqual([true, true, true, true]);
    expect([can({ kind: "arrivals" }), can({ via: "940GZZLUVIC" }), can({ crs: "YRK" })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("refusals", () => {
  const html = "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>";
  test.each([
    ["an unknown stop", 404, apiError(404), "not-found"],
    ["a bad parameter", 400, apiError(400, "ApiArgumentException"), "rejected"],
    [
      "a parameter of the wrong type",
      400,
      { $type: "System.Web.Http.HttpError, System.Web.Http", messageDetail: "SECRET-KEY" },
      "rejected",
    ],
    ["several places", 300, { toLocationDisambiguation: { matchStatus: "list" } }, "rejected"],
    ["no key", 401, { statusCode: 401, message: "Access denied" }, "unauthorised"],
    ["a bad key", 403, { statusCode: 403, message: "Forbidden" }, "unauthorised"],
    // No body of a 429 was ever captured: these are the gateway's usual one, and one from a report.
    ["too many requests", 429, { statusCode: 429, message: "Rate limit is exceeded." }, "rate-limited"],
    ["a wrong key as 429", 429, { statusCode: 429, message: "Invalid app_key" }, "unauthorised"],
    ["a page from the edge", 403, html, "unavailable"],
    ["a page with status 200", 200, html, "unavailable"],
    ["a page with status 502", 502, html, "unavailable"],
    ["an error of the server", 500, apiError(500), "unavailable"],
    ["an error inside a 200", 200, apiError(500, "HttpRequestException"), "unavailable"],
    ["an error inside a 200, as a word", 200, apiError("InternalServerError"), "unavailable"],
    ["an unknown stop inside a 200", 200, apiError("NotFound"), "not-found"],
    ["an object where a list is due", 200, { id: "940GZZLUOXC" }, "unexpected-answer"],
    ["text", 200, "Bad Request", "unexpected-answer"],
  ] as const)("%s (%i)", async (_what, code, body, kind) => {
    const { client, lines } = answering(body, { status: code, appKey: "SECRET-KEY" });
    const error = await failureOf(client.board(QUESTION));

    expect(error).toMatchObject({ service: "tfl", kind });
    expect(`${String(error)}${lines.join("")}`).not.toMatch(/SECRET|StopPoint|relativeUri/);
  });

  test("with a key as one too many are logged once an hour, because TfL may ignore the key", async () => {
    const limited = { status: 429, headers: { "retry-after": "7" } };
    const withKey = answering({}, { ...limited, appKey: "SECRET-KEY" });

    expect((await failureOf(withKey.client.network())).retryAfterMs).toBe(7_000);
    expect(withKey.closings).toEqual([7_000]);
    await failureOf(withKey.client.network());
    expect(withKey.lines.join("").match(/key perhaps refused or ignored/g)).toHaveLength(1);
    const without = answering({}, limited);
    await failureOf(without.client.network());
    expect(without.lines).toEqual([]);
  });
});

describe("a board", () => {
  test("is in order, in whole minutes, and says that its times are only expected", async () => {
    const body = [
      prediction({ expectedArrival: "2026-11-18T17:29:10Z", timeToLive: "2026-11-18T17:29:10Z" }),
      prediction({ vehicleId: "014" }),
    ];
    const { client } = answering(body);
    const board = await client.board(QUESTION);

    expect(board).toMatchObject({ source: "tfl", crs: "940GZZLUOXC" });
    expect(board.dataAt.toString()).toBe("2026-11-18T17:19:48.0376032Z");
    expect(board.rows.map(({ aimedAt }) => aimedAt.toString())).toEqual([
      "2026-11-18T17:23:00Z",
      "2026-11-18T17:29:00Z",
    ]);
    expect(board.rows[0]).toMatchObject({
      mode: "train",
      status: undefined,
      platform: "5",
      operatorName: "Victoria",
      place: "Walthamstow Central",
      line: "victoria",
      timing: "expected-only",
    });
  });

  test("uses the time of arrival, not the seconds that were left when the answer was made", async () => {
    const late = prediction({ timestamp: "2026-11-18T17:17:00Z", timeToStation: 10 });

    expect(await rows([late])).toEqual(["17:23 Victoria 5 Walthamstow Central"]);
    expect(await rows([prediction({ expectedArrival: undefined, timeToLive: undefined })])).toEqual([
      "17:23 Victoria 5 Walthamstow Central",
    ]);
  });

  test("leaves out trains that end here, by id, or by name if there is no id", async () => {
    const ending = {
      destinationNaptanId: "940GZZLUOXC",
      destinationName: "Oxford Circus Underground Station",
    };

    expect(await rows([prediction(ending), prediction()])).toHaveLength(1);
    expect(await rows([prediction({ ...ending, destinationNaptanId: "" })])).toEqual([]);
  });

  test("shows a train once, without a platform, if it is listed at several platforms", async () => {
    const at = (platform: number, more = {}) =>
      prediction({ vehicleId: "021", platformName: `Platform ${platform}`, ...more });
    const nextRound = { expectedArrival: "2026-11-18T17:39:00Z", timeToLive: "2026-11-18T17:39:00Z" };

    expect(await rows([at(13), at(14), at(15)])).toEqual(["17:23 Victoria - Walthamstow Central"]);
    expect(await rows([at(13), at(13, nextRound)])).toEqual([
      "17:23 Victoria 13 Walthamstow Central",
      "17:39 Victoria 13 Walthamstow Central",
    ]);
  });

  test("keeps trains separate that share an id, or the number that means none", async () => {
    const dlr = (expectedArrival: string, vehicleId: string) =>
      prediction({ id: "1482773628", vehicleId, expectedArrival, timeToLive: expectedArrival });

    expect(await rows([dlr("2026-11-18T17:25:08Z", ""), dlr("2026-11-18T17:32:08Z", "")])).toHaveLength(2);
    expect(await rows([dlr("2026-11-18T17:25:08Z", "000"), dlr("2026-11-18T17:26:08Z", "000")])).toHaveLength(
      2,
    );
    expect(await rows([dlr("2026-11-18T17:25:08Z", ""), dlr("2026-11-18T17:25:20Z", "")])).toHaveLength(1);
  });

  test.each([
    [{ destinationName: undefined }, "Walthamstow Central"],
    [{ destinationName: "", destinationNaptanId: undefined }, "Walthamstow Central"],
    [{ destinationName: undefined, destinationNaptanId: "940GZZLUVXL", towards: "" }, "Vauxhall"],
    [
      { destinationName: undefined, destinationNaptanId: undefined, towards: "Check Front of Train" },
      "Check Front of Train",
    ],
    [{ destinationName: "null", destinationNaptanId: "", towards: "null" }, "Check front of train"],
  ])("finds the destination of a train with %j", async (more, place) => {
    const board = await answering([prediction(more)]).client.board(QUESTION);
    expect(board.rows[0]?.place).toBe(place);
  });

  test.each([
    ["Morden via Bank", "Morden Underground Station", "Morden", "via Bank"],
    ["Morden via CX", "Morden Underground Station", "Morden", "via Charing Cross"],
    ["Morden via CX", undefined, "Morden", "via Charing Cross"],
    ["Morden", "Morden Underground Station", "Morden", undefined],
  ])(
    "reads the branch from “%s” beside the destination %s",
    async (towards, destinationName, place, route) => {
      const { client } = answering([
        prediction({ towards, destinationName, destinationNaptanId: undefined }),
      ]);
      const [row] = (await client.board(QUESTION)).rows;
      expect([row?.place, row?.route]).toEqual([place, route]);
    },
  );

  test.each([
    ["Northbound - Platform 4", "4", "Northbound"],
    ["Platform 4a", "4A", undefined],
    ["Platform Unknown", undefined, undefined],
    ["Inner Rail", undefined, "Inner Rail"],
    // As another project has it from Arnos Grove and Loughton; not in a captured answer of ours.
    ["Eastbound/Westbound - Platform 2/3", "2/3", undefined],
    ["null", undefined, undefined],
    ["LL", undefined, undefined],
  ])("reads “%s” as platform %s, direction %s", async (platformName, platform, direction) => {
    const board = await answering([prediction({ platformName })]).client.board(QUESTION);
    expect(board.rows[0]).toMatchObject({ platform, direction });
  });

  test("keeps a train that is due until its time to live has passed", async () => {
    const due = prediction({ expectedArrival: "2026-11-18T17:19:40Z", timeToLive: "2026-11-18T17:20:10Z" });

    expect(await rows([due])).toHaveLength(1);
    expect(await rows([due], {}, "2026-11-18T17:20:11Z")).toEqual([]);
    expect(await rows([prediction({ operationType: 2 })])).toEqual([]);
  });

  test("reads a time of the year 1 as unknown, and summer's times as UTC", async () => {
    const summer = prediction({
      timestamp: "2026-07-01T11:19:08Z",
      expectedArrival: "2026-07-01T11:22:00Z",
      timeToLive: "0001-01-01T00:00:00",
    });

    expect(await rows([summer], {}, "2026-07-01T11:20:00Z")).toEqual([
      "12:22 Victoria 5 Walthamstow Central",
    ]);
  });

  test("is empty at night, and reaches no further than requested", async () => {
    expect(await rows([])).toEqual([]);
    const later = prediction({ expectedArrival: "2026-11-18T17:45:00Z", timeToLive: "2026-11-18T17:45:00Z" });

    expect(await rows([prediction(), later], { windowMinutes: 20 })).toHaveLength(1);
    expect(await rows([prediction(), later], { limit: 1 })).toHaveLength(1);
    const from = Temporal.Instant.from("2026-11-18T17:30:00Z");
    expect(await rows([prediction(), later], { from })).toEqual(["17:45 Victoria 5 Walthamstow Central"]);
  });

  test("leaves out rows without a line or a time, and is an unexpected answer without any others", async () => {
    const { client, lines } = answering([{ vehicleId: "1" }, prediction()]);

    expect((await client.board(QUESTION)).rows).toHaveLength(1);
    expect(lines.join("")).toContain('"skippedRows":1');
    expect((await failureOf(answering([{}, 3]).client.board(QUESTION))).kind).toBe("unexpected-answer");
  });
});

test("a bus stop has its letter, its buses in order, and no planned times", async () => {
  const bus = (lineName: string, expectedArrival: string, more = {}) =>
    prediction({
      modeName: "bus",
      vehicleId: lineName,
      lineId: lineName.toLowerCase(),
      lineName,
      stationName: "Emmanuel Parish Church",
      platformName: "LL",
      destinationNaptanId: "",
      destinationName: "Oxford Circus",
      towards: "Clapton",
      expectedArrival,
      timeToLive: expectedArrival,
      ...more,
    });
  const body = [
    bus("55", "2026-11-18T17:31:00Z"),
    bus("N38", "2026-11-18T17:24:00Z", { destinationName: "null", towards: "Clapton" }),
  ];
  const stop = await answering(body).client.busStop({ atco: "490009131W", limit: 10 });

  expect(stop).toMatchObject({ atco: "490009131W", name: "Emmanuel Parish Church (stop LL)" });
  expect(
    stop.departures.map((one) => [one.line, one.direction, String(one.expectedAt), one.aimedAt]),
  ).toEqual([
    ["N38", "Clapton", "2026-11-18T17:24:00Z", undefined],
    ["55", "Oxford Circus", "2026-11-18T17:31:00Z", undefined],
  ]);
  const noLetter = [bus("55", "2026-11-18T17:31:00Z", { platformName: "null" })];
  expect((await answering(noLetter).client.busStop({ atco: "490009131W", limit: 10 })).name).toBe(
    "Emmanuel Parish Church",
  );
});

describe("London's lines", () => {
  const now = { fromDate: "2026-11-18T16:00:00Z", toDate: "2026-11-19T00:29:00Z", isNow: true };
  const reason = "Victoria Line: Severe delays while we fix a signal. GOOD SERVICE on the rest of the line ";

  test("have plain names, and good service without a reason", async () => {
    const good = status(10, "Good Service");
    const body = [
      line("victoria", "Victoria", "tube", good),
      line("dlr", "DLR", "dlr", good),
      line("elizabeth", "Elizabeth line", "elizabeth-line", good),
      line("windrush", "Windrush", "overground", good),
      line("tram", "Tram", "tram", good),
      line("rb1", "RB1", "river-bus", status(18, "No Issues")),
      line("some-line-of-2030", "Some", "hovercraft", good),
    ];
    const { entries } = await answering(body).client.network();

    expect(entries.map(({ line: id }) => id)).toEqual(body.map(({ id }) => id));
    expect(entries.map(({ mode, name, isDisrupted }) => [mode, name, isDisrupted])).toEqual([
      ["tube", "Victoria line", false],
      ["tube", "DLR", false],
      ["train", "Elizabeth line", false],
      ["train", "Windrush line", false],
      ["tram", "London Trams", false],
      ["ferry", "RB1", false],
      ["other", "Some", false],
    ]);
  });

  test("show the worst of several statuses, and a shared reason only once", async () => {
    const body = [
      line(
        "victoria",
        "Victoria",
        "tube",
        status(6, "Severe Delays", { reason, validityPeriods: [now] }),
        status(3, "Part Suspended", { reason, validityPeriods: [now] }),
        status(13, "No Step Free Access", { reason: "Lift at Oxford Circus.", validityPeriods: [now] }),
      ),
    ];

    expect(await states(body)).toEqual([
      "! | Victoria line | Part suspended | Severe delays while we fix a signal. GOOD SERVICE on the rest of the line",
      "! | Victoria line | No step free access | Lift at Oxford Circus.",
    ]);
  });

  test("rank severities by meaning, because their numbers are not a scale", async () => {
    const words = ["Suspended", "Service closed", "Severe delays", "Reduced service", "Minor delays"];
    const statuses = [
      status(9, "Minor Delays", { reason: "5" }),
      status(20, "Service Closed", { reason: "2" }),
      status(7, "Reduced Service", { reason: "4" }),
      status(2, "Suspended", { reason: "1" }),
      status(6, "Severe Delays", { reason: "3" }),
    ];
    const { entries } = await answering([line("dlr", "DLR", "dlr", ...statuses)]).client.network();

    expect(entries.map(({ state }) => state)).toEqual(words);
  });

  test("are read quickly even with far too many reasons", { timeout: 10_000 }, async () => {
    const lineStatuses = Array.from({ length: 60_000 }, (_, index) => ({ reason: `${index}` }));
    const { entries } = await answering([{ id: "dlr", name: "DLR", lineStatuses }]).client.network();
    expect(entries).toHaveLength(60_000);
  });

  test("show an unknown severity with its description", async () => {
    expect(await states([line("dlr", "DLR", "dlr", status(27, "Very Odd Service"))])).toEqual([
      "! | DLR | Very odd service",
    ]);
  });

  test.each([
    ["2026-11-20T12:00:00Z", "ok | Circle line | Nothing reported now"],
    ["2026-11-21T12:00:00Z", "! | Circle line | Planned closure | Saturday 21 November, no service."],
    ["2026-11-23T12:00:00Z", "ok | Circle line | Nothing reported now"],
  ])("show a planned closure only while its period lasts: %s", async (at, said) => {
    const closure = status(4, "Planned Closure", {
      reason: "CIRCLE LINE: Saturday 21 November, no service.",
      // For planned work, `isNow` stays false even on the day itself.
      validityPeriods: [
        { fromDate: "2026-11-21T04:30:00Z", toDate: "2026-11-22T01:29:00Z", isNow: at.includes("-23T") },
      ],
      disruption: { category: "PlannedWork", description: "CIRCLE LINE: …" },
    });

    expect(await states([line("circle", "Circle", "tube", closure)], at)).toEqual([said]);
  });

  test("keep an unplanned disruption beyond its estimated end, and promise no end", async () => {
    const delays = status(9, "Minor Delays", { reason, validityPeriods: [now] });
    const body = [line("victoria", "Victoria", "tube", delays)];
    const { entries } = await answering(body, { at: "2026-11-19T00:40:00Z" }).client.network();

    expect(entries[0]).toMatchObject({ state: "Minor delays", from: undefined, until: undefined });
  });

  test("are an unexpected answer if none has a name", async () => {
    expect((await failureOf(answering([{}]).client.network())).kind).toBe("unexpected-answer");
    expect(await states([])).toEqual([]);
  });
});

describe("answers with missing or odd fields", () => {
  const odd = fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.constant([{}]),
  );
  const withOddFields = (whole: Readonly<Record<string, unknown>>) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(whole)), odd, { maxKeys: 4 })
      .map((odds) => ({ ...whole, ...odds }));

  test("are read or left out, and never hide a good prediction", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(withOddFields(prediction({ vehicleId: "044" })), { maxLength: 5 }),
        async (some) => {
          const good = prediction({ vehicleId: "999", lineName: "Good" });
          const { client } = answering([...some, good]);
          const board = await client.board(QUESTION);
          const stop = await client.busStop({ atco: "490009131W", limit: 50 });

          expect(board.rows.filter(({ operatorName }) => operatorName === "Good")).toHaveLength(1);
          expect(stop.departures.filter((one) => one.line === "Good")).toHaveLength(1);
          expect(board.rows.every(({ place }) => place !== "" && place !== "null")).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("are read or left out, and never hide a line with good service", async () => {
    const whole = status(6, "Severe Delays", { reason: "Because.", validityPeriods: [{ isNow: true }] });
    const oddLine = fc
      .tuple(withOddFields(line("dlr", "DLR", "dlr")), fc.array(withOddFields(whole), { maxLength: 3 }))
      .map(([dlr, lineStatuses]) => ({ lineStatuses, ...dlr }));
    await fc.assert(
      fc.asyncProperty(fc.array(oddLine, { maxLength: 3 }), async (some) => {
        const good = line("good", "Good", "tube", status(10, "Good Service"));
        const said = await states([...some, good]);

        expect(said).toContain("ok | Good line | Good service");
      }),
      { numRuns: 200 },
    );
  });
});

const SAMPLES = new URL("../../../../shared/samples/tfl/", import.meta.url);

const ARE_THERE = existsSync(SAMPLES);

describe.runIf(ARE_THERE)(
  `captured answers${ARE_THERE ? "" : " (skipped: ../shared/samples is not there)"}`,
  () => {
    const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, SAMPLES), "utf8"));

    test("contain a tube station's board", async () => {
      const shown = await rows(
        read("arrivals-tube-940GZZLUOXC-2026.json"),
        { windowMinutes: 60 },
        "2026-04-22T11:19:20Z",
      );

      expect(shown).toHaveLength(15);
      expect(shown.slice(0, 3)).toEqual([
        "12:20 Bakerloo 3 Elephant & Castle",
        "12:22 Victoria 6 Walthamstow Central",
        "12:22 Bakerloo 4 Queen's Park",
      ]);
      expect(shown.at(-1)).toBe("12:46 Bakerloo 3 Check Front of Train");
      const { client } = answering(read("arrivals-tube-940GZZLUOXC-2026.json"), {
        at: "2026-04-22T11:19:20Z",
      });
      const board = await client.board({ ...QUESTION, windowMinutes: 60 });
      expect(
        board.rows.flatMap(({ place, route }) => (route === undefined ? [] : [`${place} ${route}`])),
      ).toEqual(["Grange Hill via Woodford"]);
    });

    test("contain three trains of the DLR with one id", async () => {
      const body = read("arrivals-dlr-2026-rows.json");

      expect(await rows(body, { crs: "940GZZDLPOP" }, "2026-08-22T13:26:20Z")).toEqual([
        "14:29 DLR 2 Stratford",
        "14:36 DLR 2 Stratford",
        "14:42 DLR 2 Stratford",
      ]);
    });

    test("contain a bus stop", async () => {
      const { client } = answering(read("arrivals-bus-490009131W-2026.json"), { at: "2026-06-13T11:53:50Z" });
      const stop = await client.busStop({ atco: "490009131W", limit: 10 });

      expect(stop.name).toBe("Emmanuel Parish Church (stop LL)");
      expect(stop.departures.map((one) => `${one.line} ${String(one.expectedAt)}`)).toEqual([
        "55 2026-06-13T11:57:04Z",
        "56 2026-06-13T11:57:37Z",
        "55 2026-06-13T12:01:05Z",
        "56 2026-06-13T12:04:19Z",
        "55 2026-06-13T12:08:17Z",
        "55 2026-06-13T12:16:40Z",
      ]);
    });

    test("contain the lines on a day of strikes", async () => {
      const said = await states(read("line-status-strike-2026.json"), "2026-04-22T11:20:00Z");

      expect(said).toHaveLength(19);
      expect(said.filter((text) => text.startsWith("!"))).toHaveLength(11);
      expect(said).toContain("! | Waterloo & City line | Suspended | No service due to strike action.");
      expect(said.find((text) => text.includes("Piccadilly"))).toContain("Part suspended");
      expect(said).toContain("ok | Mildmay line | Good service");
    });

    test("contain two statuses with one reason", async () => {
      const said = await states(read("line-status-part-suspended-2023.json"), "2023-09-18T20:00:00Z");

      expect(said).toHaveLength(2);
      expect(said[1]).toMatch(/^! \| Piccadilly line \| Part suspended \| No service between Acton Town/);
    });

    test.each([
      ["2018-03-20T12:00:00Z", "ok | Circle line | Nothing reported now"],
      [
        "2018-03-25T12:00:00Z",
        "! | Circle line | Planned closure | Saturday 24 and Sunday 25 March, no Circle line service throughout the line.",
      ],
    ])("contain a planned closure, shown at %s", async (at, said) => {
      const lineStatuses = read("line-status-planned-closure-2018-statuses.json");

      expect(await states([{ id: "circle", name: "Circle", modeName: "tube", lineStatuses }], at)).toEqual([
        said,
      ]);
    });

    test("contain a refusal", async () => {
      const { client } = answering(read("error-404-api-error.json"), { status: 404 });

      expect((await failureOf(client.board(QUESTION))).kind).toBe("not-found");
    });
  },
);
