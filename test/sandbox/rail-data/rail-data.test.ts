// Compares the stand-in with the client that uses it, and with captured answers.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startRailDataStandIn } from "../../../sandbox/rail-data/server.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createRailDataClient } from "../../../src/sources/rail-data/rail-data-client.ts";
import { openStandIn } from "../transport/open-stand-in.ts";

type Product = "DEPARTURES" | "ARRIVALS" | "SERVICE" | "DISRUPTIONS";

async function open(at?: string) {
  const transport = await openStandIn({ ...(at !== undefined && { at }) });
  const { clock, standIn } = transport;
  const unknown: string[] = [];
  const railData = await startRailDataStandIn({
    clock,
    railway: { timetable: standIn.timetable, seed: 1 },
    onUnknown: (sentence) => unknown.push(sentence),
  });
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(async () => {
    await http.close();
    await railData.close();
    await transport[Symbol.asyncDispose]();
  });
  const product = (name: Product) => ({
    url: new URL(railData.env[`RAIL_DATA_${name}_URL`] ?? ""),
    key: railData.env[`RAIL_DATA_${name}_KEY`] ?? "",
  });
  const client = createRailDataClient({
    settings: {
      departures: product("DEPARTURES"),
      arrivals: product("ARRIVALS"),
      service: product("SERVICE"),
      disruptions: product("DISRUPTIONS"),
    },
    http,
    clock,
    log,
    spend: async () => {},
  });
  const ask = (name: Product, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { url, key } = product(name);
    return fetch(url.href + path, { headers: { "user-agent": "test", "x-apikey": key, ...headers } });
  };
  return { railData, trains: standIn.trains, clock, client, ask, unknown };
}

const DEPARTURES = { kind: "departures", windowMinutes: 120, limit: 500, live: true } as const;

describe("the railway's boards", () => {
  it("can be read by the client, both departures and arrivals, and their trains open", async () => {
    const { client, unknown } = await open();
    const board = await client.board({ ...DEPARTURES, crs: "YRK" });
    expect(board.rows.length).toBeGreaterThan(30);
    expect(board.rows.every(({ trainUid }) => trainUid?.startsWith("ldb:"))).toBe(true);
    expect(board.rows.some(({ coaches }) => coaches !== undefined)).toBe(true);
    const arrivals = await client.board({ ...DEPARTURES, kind: "arrivals", crs: "YRK" });
    expect(arrivals.rows.length).toBeGreaterThan(30);
    for (const { trainUid = "", aimedAt, mode } of board.rows.slice(0, 12)) {
      const train = await client.train({ trainUid });
      const here = train.stops.find(({ crs }) => crs === "YRK");
      expect([train.mode, here?.aimedDepartureAt?.toString()]).toEqual([mode, aimedAt.toString()]);
    }
    expect(unknown).toEqual([]);
  });

  it("follow the signaller's orders: a delay past midnight and a cancellation, with reasons", async () => {
    const { client, clock, trains } = await open("2026-11-18T23:00:00Z");
    const { rows } = await client.board({ ...DEPARTURES, crs: "VIC" });
    const [late, gone] = rows.filter(({ mode }) => mode === "train");
    const uidOf = (id = ""): string =>
      `${String.fromCharCode(65 + Math.floor(Number(id.slice(4, 11)) / 100_000))}${id.slice(6, 11)}`;
    trains.order(uidOf(late?.trainUid), "2026-11-18", { delayMinutes: 90 });
    trains.order(uidOf(gone?.trainUid), "2026-11-18", { cancelled: true });
    await clock.advance(60_000);
    const after = await client.board({ ...DEPARTURES, crs: "VIC" });
    const delayed = after.rows.find(({ trainUid }) => trainUid === late?.trainUid);
    expect(delayed?.expectedAt?.since(delayed.aimedAt).total("minutes")).toBe(90);
    expect(delayed?.expectedAt?.toZonedDateTimeISO("Europe/London").toPlainDate().toString()).toBe(
      "2026-11-19",
    );
    expect(delayed?.reason).toMatch(/^This service has been delayed by /);
    expect(after.rows.find(({ trainUid }) => trainUid === gone?.trainUid)).toMatchObject({
      status: "CANCELLED",
      platform: undefined,
      reason: expect.stringMatching(/^This service has been cancelled because of /),
    });
  });

  it("show which trains divide, and the stations' messages", async () => {
    const { client } = await open();
    const boards = await Promise.all(
      ["VIC", "BTN", "LDS", "MAN", "CBG", "YRK", "BHM", "RDG"].map((crs) =>
        client.board({ ...DEPARTURES, crs }),
      ),
    );
    const divided = boards.flatMap(({ rows }) => rows).filter(({ place }) => place.includes(" and "));
    expect(divided.length).toBeGreaterThan(0);
    const train = await client.train({ trainUid: divided[0]?.trainUid ?? "" });
    expect(train.portions?.[0]).toMatchObject({ kind: "divides" });
    expect(train.destination).toBe(divided[0]?.place);
    expect(
      boards.some(({ messages }) => messages?.some((text) => text.includes("(https://www.nationalrail"))),
    ).toBe(true);
  });

  it("say where trains that are cut short end, also at the stations that they no longer reach", async () => {
    const { ask, client } = await open();
    const stations = ["YRK", "LDS", "MAN", "DON", "NCL", "BHM", "RDG", "CLJ", "VIC", "BTN", "EDB", "CBG"];
    const boards = await Promise.all(
      stations.map(async (crs) => {
        const body = z
          .looseObject({ trainServices: z.array(z.looseObject({ isCancelled: z.boolean() })) })
          .parse(await (await ask("DEPARTURES", `/GetDepartureBoard/${crs}?numRows=149`)).json());
        return body.trainServices.filter((row) => "currentDestinations" in row);
      }),
    );
    expect(boards.flat().map(({ isCancelled }) => isCancelled)).toEqual(
      expect.arrayContaining([true, false]),
    );
    const rows = (await Promise.all(stations.map((crs) => client.board({ ...DEPARTURES, crs })))).flatMap(
      (board) => board.rows,
    );
    const cut = rows.find(({ laterCancelled }) => laterCancelled === true);
    expect(cut?.cancelledPlace).not.toBe(cut?.place);
    // The details agree: its last stop is cancelled, but not the one at which it ends.
    const { stops } = await client.train({ trainUid: cut?.trainUid ?? "" });
    expect(stops.at(-1)).toMatchObject({ name: cut?.cancelledPlace, status: "CANCELLED" });
    expect(stops.find(({ name }) => name === cut?.place)?.status).not.toBe("CANCELLED");
    expect(rows.some(({ route }) => route?.startsWith("via ") ?? false)).toBe(true);
  });

  it("come with what the operators report", async () => {
    const { entries } = await (await open()).client.network();
    expect(entries.find(({ name }) => name === "LNER")?.mode).toBe("train");
    const troubled = entries.filter(({ isDisrupted }) => isDisrupted);
    expect(troubled.length).toBeGreaterThan(0);
    expect(troubled.every(({ description }) => description?.startsWith("Now: ") ?? false)).toBe(true);
  });

  it("have no list if nothing runs", async () => {
    const { ask, client } = await open("2026-11-18T02:30:00Z");
    const body: unknown = await (await ask("DEPARTURES", "/GetDepartureBoard/LLI?timeWindow=5")).json();
    expect(body).not.toHaveProperty("trainServices");
    expect(await client.board({ ...DEPARTURES, crs: "LLI", windowMinutes: 5 })).toMatchObject({ rows: [] });
  });

  it.each([
    ["without a key", "DEPARTURES", "/GetDepartureBoard/YRK", { "x-apikey": "" }, 401],
    ["with a library's name", "DEPARTURES", "/GetDepartureBoard/YRK", { "user-agent": "undici" }, 403],
    ["for another product's operation", "DEPARTURES", "/GetArrivalBoard/YRK", {}, 500],
    ["for a station in small letters", "DEPARTURES", "/GetDepartureBoard/yrk", {}, 400],
    ["for an unknown train", "SERVICE", "/GetServiceDetails/0000000YRK_____", {}, 500],
    ["for 150 rows", "DEPARTURES", "/GetDepartureBoard/YRK?numRows=150", {}, 400],
  ] as const)("refuse a request %s", async (_, product, path, headers, status) => {
    const { ask } = await open();
    expect((await ask(product, path, headers)).status).toBe(status);
  });

  it.each([
    ["401", "unauthorised"],
    ["403", "not-permitted"],
    ["403-page", "not-permitted"],
    ["500", "unavailable"],
    ["malformed", "unexpected-answer"],
  ] as const)("can have faults: %s is %s", async (kind, expected) => {
    const { railData, client } = await open();
    railData.faults.add({ path: /GetDepartureBoard/, do: kind, times: 2 });
    const asking = client.board({ ...DEPARTURES, crs: "YRK" });
    await expect(asking).rejects.toMatchObject({ kind: expected });
  });
});

const FOLDER = new URL("../../../../shared/samples/rail-data/", import.meta.url);

/** The types of an answer's fields at every depth; the entries of a list are merged. */
function shapeOf(value: unknown, path = "", shape = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    value.forEach((entry) => shapeOf(entry, `${path}[]`, shape));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      shapeOf(inner, `${path}.${key}`, shape);
    }
  } else {
    shape.set(path, typeof value);
  }
  return shape;
}

describe("beside captured answers", () => {
  test.for([
    ["departures-ECR-2026-filtered-night.json", "DEPARTURES", "/GetDepartureBoard/ECR?filterCrs=BTN"],
    ["departures-WEL-2026-cancelled.json", "DEPARTURES", "/GetDepartureBoard/WEL"],
    ["service-divides-VIC-2025.json", "SERVICE", "/GetServiceDetails/"],
  ] as const)(
    "%s has every field of the stand-in's answer, with the same type",
    async ([name, product, path], { skip }) => {
      const file = new URL(name, FOLDER);
      skip(!existsSync(file), `there is no captured sample ${name} here`);
      const { ask, client } = await open();
      const { rows } = await client.board({ ...DEPARTURES, crs: "VIC" });
      const id = product === "SERVICE" ? (rows[0]?.trainUid?.slice(4) ?? "") : "";
      const ours = z.looseObject({}).parse(await (await ask(product, path + id)).json());
      const theirs = shapeOf(JSON.parse(readFileSync(file, "utf8")));
      const strange = [...shapeOf(ours)].filter(([key, type]) => (theirs.get(key) ?? type) !== type);
      expect(strange).toEqual([]);
      const unknown = [...shapeOf(ours).keys()].filter((key) => !theirs.has(key) && !OTHER_FIELDS.has(key));
      expect(unknown).toEqual([]);
      expect(Temporal.Instant.from(String(ours["generatedAt"]))).toBeDefined();
    },
  );
});

/** Fields that are in other captured answers, or in the publisher's OpenAPI. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  ".filterLocationName",
  ".filtercrs",
  ".trainServices[].delayReason",
  ".trainServices[].cancelReason",
  ".trainServices[].destination[].via",
  ".trainServices[].currentDestinations[].locationName",
  ".trainServices[].currentDestinations[].crs",
  ".trainServices[].currentDestinations[].assocIsCancelled",
  ".delayReason",
  ".sta",
  ".eta",
]);
