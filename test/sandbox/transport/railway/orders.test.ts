// Proves that every answer of the stand-in follows the signaller's orders.
import { describe, expect, it } from "vitest";
import { openStandIn, type OpenStandIn, type Row } from "../open-stand-in.ts";

/** York 08:16 to Liverpool, coming from Newcastle. */
const UID = "W48723";
const DATE = "2026-11-18";
const AT = "2026-11-18T08:00:30Z";
const MINUTE_MS = 60_000;

async function rowOf(opened: OpenStandIn, crs = "YRK"): Promise<Row | undefined> {
  const { departures } = await opened.ask(
    `/train/station_timetables/${crs}.json?live=true&train_status=passenger&limit=100`,
  );
  return departures.find((row) => row["train_uid"] === UID);
}

/** The stop of a train's own timetable. */
async function stopOf(opened: OpenStandIn, crs = "YRK"): Promise<Row | undefined> {
  const { body } = await opened.ask(`/train/service_timetables/${UID}:${DATE}.json?live=true`);
  const stops = Array.isArray(body["stops"]) ? body["stops"] : [];
  return stops.find((stop: Row) => stop["station_code"] === crs);
}

const open = () => openStandIn({ at: AT });

describe("a train with orders", () => {
  it("is as late as ordered, on boards and in its own timetable", async () => {
    await using opened = await open();
    opened.standIn.trains.order(UID, DATE, { delayMinutes: 14 });
    const late = { status: "LATE", expected_departure_time: "08:30" };
    expect(await rowOf(opened)).toMatchObject({ aimed_departure_time: "08:16", ...late });
    expect(await stopOf(opened)).toMatchObject(late);
    // It has not left at its aimed time, but fourteen minutes later.
    await opened.clock.advance(29 * MINUTE_MS);
    expect(await rowOf(opened)).toMatchObject({ status: "ARRIVED", expected_departure_time: "08:30" });
    await opened.clock.advance(MINUTE_MS);
    expect(await rowOf(opened)).toBeUndefined();
    expect(await stopOf(opened)).toMatchObject({ status: null, expected_departure_time: null });
  });

  it("keeps what has already happened, and combines orders", async () => {
    await using opened = await open();
    const { trains } = opened.standIn;
    const before = await stopOf(opened, "NCL");
    expect(before).toMatchObject({ status: null });
    trains.order(UID, DATE, { delayMinutes: 10 });
    await opened.clock.advance(20 * MINUTE_MS);
    // By the times drawn from the seed, it would have left four minutes ago.
    trains.order(UID, DATE, { platforms: { YRK: "9" } });
    expect(await rowOf(opened)).toMatchObject({ platform: "9", expected_departure_time: "08:26" });
    expect(await stopOf(opened, "NCL")).toEqual(before);
    expect(trains.list()).toEqual([
      { uid: UID, serviceDate: DATE, order: { delayMinutes: 10, platforms: { YRK: "9" } } },
    ]);
  });

  it("runs on time again once its delay is ordered away", async () => {
    await using opened = await open();
    opened.standIn.trains.order(UID, DATE, { delayMinutes: 20 });
    opened.standIn.trains.order(UID, DATE, { delayMinutes: 0 });
    expect(await rowOf(opened)).toMatchObject({ status: "ON TIME", expected_departure_time: "08:16" });
  });

  it("stays delayed for as long as its delay is unknown", async () => {
    await using opened = await open();
    opened.standIn.trains.order(UID, DATE, { delayMinutes: "unknown" });
    const held = { status: "DELAYED", expected_departure_time: null };
    expect(await rowOf(opened)).toMatchObject(held);
    expect(await stopOf(opened)).toMatchObject(held);
    await opened.clock.advance(60 * MINUTE_MS);
    expect(await rowOf(opened)).toMatchObject(held);
  });

  it("can be cancelled, leaves every journey then, and can run again", async () => {
    await using opened = await open();
    const linesOf = async (dialect: "public" | "specification") => {
      const path = {
        specification: "/public/journey/from/crs:YRK/to/crs:LDS.json?date=2026-11-18&time=08:15",
        public: "/public_journey.json?from=crs:YRK&to=crs:LDS&date=2026-11-18&time=08:15",
      }[dialect];
      const { text } = await opened.ask(path);
      return text;
    };
    expect(await linesOf("public")).toContain(`${UID}:${DATE}`);
    const usual = await linesOf("specification");
    for (const order of [{ cancelled: true }, { hidden: true }]) {
      opened.standIn.trains.order(UID, DATE, order);
      const journeys = await linesOf("public");
      expect(journeys).not.toContain(UID);
      expect(journeys).toMatch(/service_timetables/);
      expect(await linesOf("specification")).not.toBe(usual);
      opened.standIn.trains.undo(UID, DATE);
      expect(await linesOf("specification")).toBe(usual);
    }
    opened.standIn.trains.order(UID, DATE, { cancelled: true });
    expect(await rowOf(opened)).toMatchObject({ status: "CANCELLED", expected_departure_time: null });
    expect(await stopOf(opened)).toMatchObject({ status: "CANCELLED" });
    // Stations at which it has already called are not affected.
    expect(await stopOf(opened, "NCL")).toMatchObject({ status: null });
    opened.standIn.trains.order(UID, DATE, { cancelled: false });
    expect(await rowOf(opened)).not.toMatchObject({ status: "CANCELLED" });
  });

  it("can be replaced by a bus", async () => {
    await using opened = await open();
    opened.standIn.trains.order(UID, DATE, { cancelled: true });
    opened.standIn.trains.order(UID, DATE, { cancelled: false, bus: true });
    const bus = { mode: "bus", category: "BR", platform: null, status: "BUS" };
    expect(await rowOf(opened)).toMatchObject({ ...bus, expected_departure_time: "08:16" });
    const { body } = await opened.ask(`/train/service_timetables/${UID}:${DATE}.json?live=true`);
    expect(body).toMatchObject({ mode: "bus" });
    const journey = await opened.ask(
      "/public_journey.json?from=crs:YRK&to=crs:LDS&date=2026-11-18&time=08:15",
    );
    expect(journey.text).toMatch(new RegExp(`"mode":"bus"[^]*${UID}`));
  });

  it("is on no board and has no timetable while hidden", async () => {
    await using opened = await open();
    opened.standIn.trains.order(UID, DATE, { hidden: true });
    expect(await rowOf(opened)).toBeUndefined();
    expect((await opened.ask(`/train/service_timetables/${UID}:${DATE}.json`)).status).toBe(404);
    opened.standIn.trains.order(UID, DATE, { hidden: false });
    expect(await rowOf(opened)).toBeDefined();
  });

  it("takes no order that it cannot follow", async () => {
    await using opened = await open();
    const { trains } = opened.standIn;
    expect(() => trains.order("W48723", "2026-12-25", { cancelled: true })).toThrow(/starts on/);
    expect(() => trains.order(UID, DATE, { platforms: { KGX: "1" } })).toThrow(/does not call at KGX/);
    expect(trains.list()).toEqual([]);
  });
});
