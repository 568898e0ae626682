import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTflStandIn } from "../../../sandbox/tfl/server.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { londonStops } from "../../../src/sources/tfl/london-stops.ts";
import { createTflClient } from "../../../src/sources/tfl/tfl-client.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { spend } from "../../support/transport-stub.ts";

const NOW = "2026-11-18T17:20:00Z";
const UA = { "user-agent": "test" };

async function open(at = NOW) {
  const clock = createStillClock(Date.parse(at));
  const unknown: string[] = [];
  const standIn = await startTflStandIn({ clock, seed: 1, onUnknown: (sentence) => unknown.push(sentence) });
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock, log });
  onTestFinished(async () => {
    await http.close();
    await standIn.close();
  });
  const client = createTflClient({
    http,
    baseUrl: new URL(standIn.baseUrl),
    appKey: standIn.env["TFL_APP_KEY"],
    clock,
    log,
    spend,
  });
  const get = async (path: string, headers: Readonly<Record<string, string>> = UA) => {
    const answer = await fetch(standIn.baseUrl + path, { headers });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: /^[[{]/.test(text) ? JSON.parse(text) : "",
    };
  };
  const board = (crs: string) =>
    client.board({ crs, kind: "departures", windowMinutes: 120, limit: 100, live: true });
  return { standIn, client, get, board, unknown };
}

test("the London stand-in says that it is one", async () => {
  const { get, unknown } = await open();
  const page = await get("/");

  expect(page.text).toContain("is not TfL's");
  expect(page.headers.get("x-signalbox-stand-in")).toBe("tfl");
  expect((await get("/Road/A2")).status).toBe(404);
  expect(unknown).toEqual(["The London stand-in does not serve GET /Road/A2"]);
});

describe("arrivals", () => {
  test("exist by day at a sample of the listed stops, and not at night", async () => {
    const { get } = await open();
    const some = londonStops.filter((_, index) => index % 20 === 0);
    for (const { id } of some) {
      expect((await get(`/StopPoint/${id}/Arrivals`)).body).not.toEqual([]);
    }
    const night = await open("2026-11-18T03:00:00Z");
    expect((await night.get("/StopPoint/940GZZLUOXC/Arrivals")).body).toEqual([]);
  });

  test("are unsorted and list ending trains three times, but can still be read as a board", async () => {
    const { get, board } = await open();
    const { body } = await get("/StopPoint/940GZZLUSTD/Arrivals");
    const times: string[] = body.map((row: { expectedArrival: string }) => row.expectedArrival);
    const ending = body.filter(
      (row: { destinationNaptanId?: string }) => row.destinationNaptanId === "940GZZLUSTD",
    );

    expect(times).not.toEqual(times.toSorted());
    expect(ending.length).toBeGreaterThan(2);
    expect(new Set(ending.map((row: { id: string }) => row.id)).size).toBe(ending.length / 3);
    const { rows } = await board("940GZZLUSTD");
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ place }) => place === "Stratford")).toEqual([]);
  });

  test("are empty for interchanges and pairs of bus stops, and refused for unknown stops", async () => {
    const { get } = await open();

    expect((await get("/StopPoint/HUBKGX/Arrivals")).body).toEqual([]);
    expect((await get("/StopPoint/490G000773/Arrivals")).body).toEqual([]);
    const { status, body } = await get(
      "/StopPoint/940GZZLUXXX/Arrivals?app_key=sandbox-tfl-key-0123456789abcdef",
    );
    expect(status).toBe(404);
    expect(body).toMatchObject({ exceptionType: "EntityNotFoundException", httpStatusCode: 404 });
    expect(body.relativeUri).toContain("app_key");
  });

  test("are mostly the same a minute later", async () => {
    const now = await (await open()).board("940GZZLUOXC");
    const later = await (await open("2026-11-18T17:21:00Z")).board("940GZZLUOXC");
    const times = now.rows.map(({ expectedAt, line }) => `${String(expectedAt)} ${line}`);
    const stay = new Set(later.rows.map(({ expectedAt, line }) => `${String(expectedAt)} ${line}`));

    expect(times.filter((time) => stay.has(time)).length).toBeGreaterThan(times.length / 2);
  });
});

describe("London's lines", () => {
  test("have the ordered status, and one is closed on Sunday", async () => {
    const { standIn, client, board } = await open();
    standIn.lines.set("victoria", { severity: 2, reason: "No service while we fix a train. " });
    standIn.lines.set("dlr");
    const { entries } = await client.network();

    expect(entries.find(({ name }) => name === "Victoria line")).toMatchObject({
      state: "Suspended",
      description: "No service while we fix a train.",
    });
    expect(entries.find(({ name }) => name === "DLR")).toMatchObject({ state: "Good service" });
    expect((await board("940GZZLUPCO")).rows).toEqual([]);
    expect(entries.filter(({ state }) => state === "Planned closure")).toEqual([]);
    const sunday = await open("2026-11-22T11:00:00Z");
    const closed = (await sunday.client.network()).entries.filter(({ state }) => state === "Planned closure");
    expect(closed).toHaveLength(1);
    expect(closed[0]?.until?.toString()).toBe("2026-11-23T01:29:00Z");
  });

  test("may have two statuses with one reason", async () => {
    const { standIn, client, get } = await open();
    const reason = "Part of the line is suspended. ";
    standIn.lines.set("dlr", { severity: 6, reason }, { severity: 3, reason });
    const { body } = await get("/Line/Mode/dlr/Status");

    expect(body[0].lineStatuses).toHaveLength(2);
    const { entries } = await client.network();
    expect(entries.filter(({ name }) => name === "DLR").map(({ state }) => state)).toEqual([
      "Part suspended",
    ]);
  });
});

describe("refusals", () => {
  test("are an HTML page for a library's user agent, and a 429 for a wrong key", async () => {
    const { get } = await open();

    expect((await get("/Line/Mode/dlr/Status", { "user-agent": "undici" })).text).toContain("Cloudflare");
    const wrong = await get("/Line/Mode/dlr/Status", { ...UA, app_key: "wrong" });
    expect([wrong.status, wrong.body.message]).toEqual([429, "Invalid app_key"]);
  });

  test("begin after fifty calls a minute without a key, and say when to retry", async () => {
    const { get } = await open();
    const answers = await Promise.all(Array.from({ length: 51 }, () => get("/Line/Mode/dlr/Status")));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("60");
  });

  test("can be switched on", async () => {
    const { standIn, get } = await open();
    for (const [kind, status] of [
      ["200-error", 200],
      ["300", 300],
      ["html", 200],
      ["502", 502],
    ] as const) {
      standIn.faults.add({ path: /./, do: kind });
      expect((await get("/Line/Mode/dlr/Status")).status).toBe(status);
    }
    expect(standIn.ledger.map(({ fault }) => fault)).toEqual(["200-error", "300", "html", "502"]);
  });
});

test("the script that writes the bundled list of stops gets the same list from the stand-in", async () => {
  const { standIn } = await open();
  const folder = mkdtempSync(join(tmpdir(), "london-stops-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "stops.json");
  const script = fileURLToPath(new URL("../../../ops/refresh-london-stops.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, standIn.baseUrl, file]);
  const bundled = new URL("../../../src/sources/tfl/london-stops.json", import.meta.url);

  expect(stdout).toBe("536 stops of 25 lines. Now run: npm run format\n");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(readFileSync(bundled, "utf8")));
});

const SAMPLES = new URL("../../../../shared/samples/tfl/", import.meta.url);
const ARE_THERE = existsSync(SAMPLES);

describe.runIf(ARE_THERE)(
  `beside captured answers${ARE_THERE ? "" : " (skipped: ../shared/samples is not there)"}`,
  () => {
    const read = (name: string) => JSON.parse(readFileSync(new URL(name, SAMPLES), "utf8"));
    const kinds = (row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, Array.isArray(value) ? "list" : typeof value]),
      );

    test.each([
      ["arrivals-tube-940GZZLUOXC-2026.json", "/StopPoint/940GZZLUOXC/Arrivals"],
      ["arrivals-dlr-2026-rows.json", "/StopPoint/940GZZDLPOP/Arrivals"],
      ["line-status-strike-2026.json", "/Line/Mode/tube,dlr/Status"],
    ])("a row of %s has the same fields as a row of %s", async (name, path) => {
      const { get } = await open();
      const [captured] = read(name);
      const { body } = await get(path);
      const whole = body
        .map(kinds)
        .find((row: object) => Object.keys(row).length === Object.keys(kinds(captured)).length);

      expect(whole).toEqual(kinds(captured));
    });
  },
);
