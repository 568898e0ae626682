import { describe, expect, test } from "vitest";
import { openStandIn } from "./open-stand-in.ts";

const LEGACY = "/train/station/YRK/live.json";
const LIVE = "/train/station/:c/live.json";

describe("a fault of the transport service", () => {
  test.each([
    ["502", 502, "text/html"],
    ["503", 503, "text/html"],
    ["500", 500, "text/html"],
    ["html", 200, "text/html"],
    ["200-error", 200, "application/json"],
    ["used-up", 403, "application/json"],
    ["401", 401, "application/json"],
    ["429", 429, "application/json"],
  ] as const)("%s answers one request with %i, and counts as a hit", async (kind, status, type) => {
    await using open = await openStandIn();
    const fault = open.standIn.faults.add({ method: "GET", path: LIVE, do: kind, retryAfterMs: 3_000 });
    const met = await open.ask(LEGACY);
    expect([met.status, met.headers.get("content-type")?.split(";")[0]]).toEqual([status, type]);
    expect(met.headers.get("retry-after")).toBe(kind === "429" ? "3" : null);
    expect("error" in met.body).toBe(type === "application/json");
    expect((await open.ask(LEGACY)).departures.length).toBeGreaterThan(0);
    expect(fault.hits).toBe(1);
    expect(open.standIn.plan.used).toBe(2);
    expect(open.standIn.ledger.map((entry) => entry.status)).toEqual([status, 200]);
  });

  test("can change an answer's shape", async () => {
    await using open = await openStandIn();
    const { faults } = open.standIn;
    faults.add({ path: LIVE, do: "text-for-list" });
    expect((await open.ask(LEGACY)).body["departures"]).toEqual({ all: "No services" });
    faults.add({ path: LIVE, do: "renamed-fields" });
    expect((await open.ask(LEGACY)).departures[0]).toHaveProperty("scheduled-departure-time");
    faults.add({ path: LIVE, do: "odd-values" });
    expect((await open.ask(LEGACY)).departures[0]?.["status"]).toBe("MOON PHASE");
    expect((await open.ask(LEGACY)).departures[0]?.["status"]).not.toBe("MOON PHASE");
  });

  test("can drop the connection, truncate the answer and break its JSON", async () => {
    await using open = await openStandIn();
    for (const kind of ["drop", "truncated"] as const) {
      open.standIn.faults.add({ path: LIVE, do: kind });
      await expect(open.ask(LEGACY)).rejects.toThrow(/terminated|fetch failed/);
    }
    open.standIn.faults.add({ path: LIVE, do: "malformed" });
    const { text } = await open.ask(LEGACY);
    expect(() => JSON.parse(text)).toThrow("JSON");
    expect(open.standIn.plan.used).toBe(3);
  });

  test("can delay an answer until it is released", async () => {
    await using open = await openStandIn();
    const fault = open.standIn.faults.add({ path: LIVE, do: "hang" });
    const answer = open.ask(LEGACY);
    await expect.poll(() => fault.hits).toBe(1);
    fault.release();
    expect((await answer).status).toBe(200);
  });

  test("affects only its path, and all can be cleared at once", async () => {
    await using open = await openStandIn();
    open.standIn.faults.add({ path: /station_timetables/, do: "502", times: 10 });
    open.standIn.faults.add({ path: LIVE, do: "503", times: 10 });
    expect((await open.ask("/train/station_timetables/YRK.json")).status).toBe(502);
    expect((await open.ask(LEGACY)).status).toBe(503);
    open.standIn.faults.clear();
    expect((await open.ask("/train/station_timetables/YRK.json")).status).toBe(200);
    expect((await open.ask(LEGACY)).status).toBe(200);
  });
});
