import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openStandIn } from "./open-stand-in.ts";
import type { Row } from "./open-stand-in.ts";

const LEGACY = "/train/station/YRK/live.json";
const CURRENT = "/train/station_timetables/crs:YRK.json";

function fieldOf(rows: readonly Row[], name: string): readonly string[] {
  return rows.map((row) => String(row[name]));
}

describe("the specification's dialect", () => {
  test("has only the specification's fields in a live board", async () => {
    await using open = await openStandIn();
    const { status, body, departures } = await open.ask(LEGACY);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([
      "departures",
      "request_time",
      "station_code",
      "station_name",
    ]);
    expect(body).toMatchObject({
      station_name: "York",
      station_code: "YRK",
      request_time: "2026-11-18T17:20:40Z",
    });
    expect(departures.length).toBeGreaterThan(20);
    for (const row of departures) {
      expect(Object.keys(row)).toEqual([
        "destination_name",
        "expected_departure_time",
        "scheduled_departure_time",
        "status",
        "platform",
        "operator",
      ]);
      expect(row["scheduled_departure_time"]).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
    }
    expect(fieldOf(departures, "operator")).toContain("LNER");
  });

  test("has arrivals by analogy, with the filters of the legacy path", async () => {
    await using open = await openStandIn();
    const all = await open.ask(`${LEGACY}?type=arrival`);
    expect(all.body["departures"]).toBeUndefined();
    expect(all.arrivals.length).toBeGreaterThan(20);
    expect(fieldOf(all.arrivals, "origin_name")).toContain("London Kings Cross");
    const fromLondon = await open.ask(`${LEGACY}?type=arrival&called_at=KGX`);
    expect(fromLondon.arrivals.length).toBeGreaterThan(0);
    expect(fromLondon.arrivals.length).toBeLessThan(all.arrivals.length);
    expect(fromLondon.arrivals[0]).toHaveProperty("scheduled_arrival_time");
  });

  test("has the timetable of a date and time, and of now", async () => {
    await using open = await openStandIn();
    const dated = await open.ask("/train/station/YRK/2026-11-19/08:00/timetable.json?to_offset=PT01:00:00");
    const times = fieldOf(dated.departures, "aimed_departure_time");
    expect(times.length).toBeGreaterThan(5);
    expect(times.every((time) => time >= "08:00" && time < "09:00")).toBe(true);
    expect(dated.departures[0]).not.toHaveProperty("status");
    expect(dated.departures[0]).not.toHaveProperty("expected_departure_time");
    const now = await open.ask("/train/station/YRK///timetable.json");
    expect(String(now.departures[0]?.["scheduled_departure_time"]) >= "17:20").toBe(true);
  });
});

describe("the public service's dialect", () => {
  test("has live fields only if asked for them", async () => {
    await using open = await openStandIn();
    const live = await open.ask(`${CURRENT}?live=true&train_status=passenger`);
    const planned = await open.ask(`${CURRENT}?train_status=passenger`);
    expect(live.body).toMatchObject({
      date: "2026-11-18",
      time_of_day: "17:20",
      request_time: "2026-11-18T17:20:40+00:00",
      station_name: "York",
      station_code: "crs:YRK",
    });
    const added = Object.keys(live.departures[0] ?? {}).filter(
      (key) => !(key in (planned.departures[0] ?? {})),
    );
    expect(added).toEqual([
      "status",
      "expected_arrival_time",
      "expected_departure_time",
      "best_arrival_estimate_mins",
      "best_departure_estimate_mins",
    ]);
    expect(new Set(fieldOf(live.departures, "source"))).toEqual(new Set(["Network Rail"]));
    expect(new Set(fieldOf(planned.departures, "source"))).toEqual(new Set(["ATOC"]));
  });

  test("orders rows by aimed time, even past midnight", async () => {
    await using open = await openStandIn({ at: "2026-11-18T23:10:00Z" });
    const { departures } = await open.ask("/train/station_timetables/CLJ.json?limit=1000");
    const times = fieldOf(departures, "aimed_departure_time");
    const onLine = times.map((time) => (time < "12:00" ? `1 ${time}` : `0 ${time}`));
    expect(onLine).toEqual(onLine.toSorted());
    expect(times.some((time) => time.startsWith("00:"))).toBe(true);
  });

  test("estimates in whole minutes from the request, rounded down", async () => {
    await using open = await openStandIn();
    const { departures } = await open.ask(`${CURRENT}?live=true&limit=1000`);
    const expected = departures.filter((row) => row["expected_departure_time"] !== null);
    expect(expected.length).toBeGreaterThan(10);
    for (const row of expected) {
      const at = Date.parse(`2026-11-18T${String(row["expected_departure_time"])}:00Z`);
      expect(row["best_departure_estimate_mins"]).toBe(
        Math.floor((at - Date.parse("2026-11-18T17:20:40Z")) / 60_000),
      );
    }
  });

  test("covers the window of datetime and offsets, even in summer time", async () => {
    await using open = await openStandIn({ at: "2026-07-01T12:00:00Z" });
    const query = "datetime=2026-07-01T18:00:00%2B01:00&from_offset=-PT00:30:00&to_offset=PT00:30:00";
    const { body, departures } = await open.ask(`${CURRENT}?${query}`);
    expect(body).toMatchObject({ time_of_day: "18:00", request_time: "2026-07-01T13:00:00+01:00" });
    const times = fieldOf(departures, "aimed_departure_time");
    expect(times.length).toBeGreaterThan(5);
    expect(times.every((time) => time >= "17:30" && time < "18:30")).toBe(true);
  });

  test("has departures and arrivals at once, each up to the limit", async () => {
    await using open = await openStandIn();
    const { departures, arrivals } = await open.ask(
      `${CURRENT}?type=departure,arrival&limit=3&calling_at=DAR`,
    );
    expect([departures.length, arrivals.length]).toEqual([3, 3]);
  });

  test("describes a train consistently at two stations", async () => {
    await using open = await openStandIn();
    const york = await open.ask(`${CURRENT}?live=true&train_status=passenger&limit=1000&calling_at=LDS`);
    const leeds = await open.ask(
      "/train/station_timetables/LDS.json?live=true&train_status=passenger&limit=1000&type=arrival&called_at=YRK&to_offset=PT04:00:00",
    );
    const arrivals = new Map(leeds.arrivals.map((row) => [row["train_uid"], row]));
    expect(york.departures.length).toBeGreaterThan(5);
    for (const row of york.departures) {
      const there = arrivals.get(row["train_uid"]);
      expect(there).toMatchObject({
        origin_name: row["origin_name"],
        destination_name: row["destination_name"],
      });
      expect(String(there?.["aimed_arrival_time"]) > String(row["aimed_departure_time"])).toBe(true);
    }
  });

  test("puts the caller's credentials into addresses, as the real service does", async () => {
    await using open = await openStandIn();
    const { departures } = await open.ask(CURRENT);
    const address = departures[0]?.["service_timetable"];
    expect(JSON.stringify(address)).toContain(`app_key=${open.standIn.appKey}`);
    expect(JSON.stringify(address)).toContain("/v3/uk/train/service_timetables/");
  });

  test("has an empty list at night and at Christmas, and no error", async () => {
    await using open = await openStandIn({ at: "2026-11-18T02:30:00Z" });
    expect((await open.ask("/train/station_timetables/HBD.json")).body["departures"]).toEqual({ all: [] });
    await open.clock.set(Date.parse("2026-12-25T12:00:00Z"));
    const christmas = await open.ask(LEGACY);
    expect([christmas.status, christmas.body["departures"]]).toEqual([200, { all: [] }]);
  });
});

describe("a request to the service", () => {
  test("is allowed with credentials in the query or in headers", async () => {
    await using open = await openStandIn();
    const { appId, appKey } = open.standIn;
    const headers = { "X-App-Id": appId, "X-App-Key": appKey };
    expect((await open.askRaw(`/v3/uk${LEGACY}`, { headers })).status).toBe(200);
    expect((await open.ask(LEGACY)).status).toBe(200);
  });

  test("is refused for wrong credentials in the service's words, which contain the key", async () => {
    await using open = await openStandIn();
    const none = await open.askRaw(`/v3/uk${LEGACY}`);
    expect([none.status, none.body]).toEqual([
      401,
      {
        error: `Authorisation failed for app_key  and app_id  with error 'application with id="" was not found' (code 'application_not_found'). See http://transportapi.com for plans and sign-up.`,
      },
    ]);
    const wrongKey = await open.askRaw(`/v3/uk${LEGACY}?app_id=${open.standIn.appId}&app_key=guess`);
    expect(wrongKey.status).toBe(403);
    expect(wrongKey.text).toContain("app_key guess");
  });

  test("is refused after the plan's limit until its window ends", async () => {
    await using open = await openStandIn({ plan: { limit: 2 } });
    const statuses = [await open.ask(LEGACY), await open.ask("/nothing.json"), await open.ask(LEGACY)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 403]);
    const { appId, appKey, plan } = open.standIn;
    expect(statuses[2]?.body).toEqual({
      error: `Authorisation failed for app_key ${appKey} and app_id ${appId} with error 'usage limits are exceeded'. See http://transportapi.com for plans and sign-up.`,
    });
    await open.clock.set(plan.windowEndsAt);
    expect((await open.ask(LEGACY)).status).toBe(200);
    expect(plan.used).toBe(1);
  });

  test.each([
    ["/train/station/XXQ/live.json", 404],
    ["/train/station/tiploc:YORK/live.json", 404],
    ["/train/station/YRK/2026-02-30/17:20/timetable.json", 400],
    ["/train/station/YRK/2026-11-18/24:61/timetable.json", 400],
    [`${LEGACY}?type=departures`, 400],
    [`${LEGACY}?calling_at=Nowhere`, 404],
    [`${CURRENT}?datetime=2026-11-18T17:00:00 01:00`, 422],
    [`${CURRENT}?to_offset=two-hours`, 422],
    [`${CURRENT}?from_offset=PT03:00:00&to_offset=PT01:00:00`, 422],
    [`${CURRENT}?limit=0`, 422],
    [`${CURRENT}?live=yes`, 422],
  ])("is refused for %s with %i and a plain sentence", async (path, status) => {
    await using open = await openStandIn();
    const answer = await open.ask(path);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(["error"]);
    expect(answer.text).not.toContain(open.standIn.appKey);
  });

  test("is reported for an unknown path, without its credentials", async () => {
    await using open = await openStandIn();
    expect((await open.ask("/train/unicorns.json?colour=blue")).status).toBe(404);
    expect((await open.ask(LEGACY, { method: "POST" })).status).toBe(404);
    expect(open.unknown).toEqual([
      "The transport stand-in does not serve GET /v3/uk/train/unicorns.json?colour=blue",
      "The transport stand-in does not serve POST /v3/uk/train/station/YRK/live.json",
    ]);
  });
});

describe("one train's calling points", () => {
  test("are at the address in the board's row, with the same times", async () => {
    await using open = await openStandIn();
    const board = await open.ask(`${CURRENT}?live=true&train_status=passenger&calling_at=DAR`);
    const row = board.departures.at(-1);
    const uid = String(row?.["train_uid"]);
    const service = await open.ask(`/train/service_timetables/${uid}:2026-11-18.json?live=true`);
    expect(JSON.stringify(row?.["service_timetable"])).toContain(
      `/service_timetables/${uid}:2026-11-18.json?`,
    );
    const stops = z.array(z.record(z.string(), z.unknown())).parse(service.body["stops"]);
    expect(stops.find((stop) => stop["station_code"] === "YRK")).toMatchObject({
      station_name: "York",
      platform: row?.["platform"],
      aimed_departure_time: row?.["aimed_departure_time"],
      expected_departure_time: row?.["expected_departure_time"],
      status: row?.["status"],
    });
    expect(stops.map((stop) => stop["station_code"])).toContain("DAR");
    expect([stops[0]?.["stop_type"], stops.at(-1)?.["stop_type"]]).toEqual(["LO", "LT"]);
    const legacy = await open.ask(`/train/service/train_uid:${uid}/2026-11-18/timetable.json?live=true`);
    expect(legacy.body).toEqual(service.body);
  });

  test("are not found for a train that does not run", async () => {
    await using open = await openStandIn();
    expect((await open.ask("/train/service_timetables/C00001:2026-12-25.json")).status).toBe(404);
    expect((await open.ask("/train/service/train_uid:C00001/2026-13-45/timetable.json")).status).toBe(400);
  });
});

describe("the server", () => {
  test("survives malformed paths", async () => {
    await using open = await openStandIn();
    for (const path of [
      "//",
      "/v3/uk/train/station/%E0/live.json",
      "/v3/uk/train/station/%/%/%/timetable.json",
    ]) {
      expect((await open.askRaw(path)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await open.ask("/train/station/%E0/live.json")).status).toBe(404);
    expect((await open.ask("/train/station/%E0%/17:20/x/timetable.json")).status).toBe(400);
    expect((await open.ask("/train/station/crs%3AYRK///timetable.json")).status).toBe(200);
  });

  test("says that it is a stand-in", async () => {
    await using open = await openStandIn();
    const page = await open.askRaw("/");
    expect(page.text).toContain("stand-in");
    expect(page.text).toContain("invented");
    for (const answer of [page, await open.ask(LEGACY), await open.ask("/nothing.json")]) {
      expect(answer.headers.get("x-signalbox-stand-in")).toBe("transport");
    }
  });

  test("compresses answers if asked", async () => {
    await using open = await openStandIn();
    const zipped = await open.ask(LEGACY, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.departures.length).toBeGreaterThan(0);
    const plain = await open.ask(LEGACY, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.body).toEqual(zipped.body);
  });

  test("records every call without credentials", async () => {
    await using open = await openStandIn();
    await open.ask(`${LEGACY}?type=arrival`);
    await open.askRaw("/");
    await open.askRaw(`/v3/uk${LEGACY}?app_id=someone&app_key=secret`);
    const call = { at: open.clock.now(), method: "GET", fault: undefined, tookMs: expect.any(Number) };
    const caller = open.standIn.appId;
    expect(open.standIn.ledger).toEqual([
      { ...call, path: `/v3/uk${LEGACY}?type=arrival`, status: 200, weight: 1, caller },
      { ...call, path: "/", status: 200, weight: 0, caller: "" },
      { ...call, path: `/v3/uk${LEGACY}`, status: 401, weight: 0, caller: "someone" },
    ]);
    expect(open.standIn.plan.used).toBe(1);
  });

  test("answers HEAD as GET, without a body", async () => {
    await using open = await openStandIn();
    const { status, text } = await open.ask(LEGACY, { method: "HEAD" });
    expect([status, text]).toEqual([200, ""]);
  });
});
