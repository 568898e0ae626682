// Compares our answers with captured ones: they have the same fields, with values of the same types.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openStandIn } from "./open-stand-in.ts";
import type { Row } from "./open-stand-in.ts";

const FOLDER = new URL("../../../../shared/samples/transport/", import.meta.url);
const isThere = existsSync(FOLDER);

const sampleSchema = z.looseObject({
  departures: z.object({ all: z.array(z.record(z.string(), z.unknown())) }),
});

function readSample(name: string): z.infer<typeof sampleSchema> {
  return sampleSchema.parse(JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")));
}

/** The fields of rows, with the types of their values. */
function shapeOf(rows: readonly Row[]): Map<string, Set<string>> {
  const shape = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      shape.set(key, (shape.get(key) ?? new Set()).add(value === null ? "null" : typeof value));
    }
  }
  return shape;
}

/** Expects that our rows have every field of theirs, with no other types than theirs, except null. */
function expectSameShape(ours: readonly Row[], theirs: readonly Row[]): void {
  const known = shapeOf(theirs);
  const made = shapeOf(ours);
  expect([...known.keys()].filter((key) => !made.has(key))).toEqual([]);
  for (const [key, types] of known) {
    const strange = [...(made.get(key) ?? [])].filter((type) => type !== "null" && !types.has(type));
    expect([key, types.size === 1 && types.has("null") ? [] : strange]).toEqual([key, []]);
  }
}

describe.skipIf(!isThere)(
  `beside captured answers${isThere ? "" : " (skipped: ../shared/samples is not there)"}`,
  () => {
    test("a live board has the same fields", async () => {
      const sample = readSample("live-WIM-2017.json");
      await using open = await openStandIn();
      const ours = await open.ask("/train/station_timetables/WIM.json?live=true");
      expectSameShape(ours.departures, sample.departures.all);
      expect(Object.keys(ours.body).toSorted()).toEqual(Object.keys(sample).toSorted());
    });

    test("a planned timetable has the same fields, and none that are live", async () => {
      const sample = readSample("station-timetable-HBD-2021.json");
      await using open = await openStandIn();
      const ours = await open.ask("/train/station_timetables/HBD.json?train_status=passenger");
      expectSameShape(ours.departures, sample.departures.all);
      expect(Object.keys(ours.departures[0] ?? {})).toEqual(Object.keys(sample.departures.all[0] ?? {}));
      expect(Object.keys(ours.body).toSorted()).toEqual(Object.keys(sample).toSorted());
    });

    test("a train's calling points have the same fields", async () => {
      const schema = z.looseObject({ stops: z.array(z.record(z.string(), z.unknown())) });
      const file = readFileSync(new URL("service-timetable-G49263-2019.json", FOLDER), "utf8");
      const sample = schema.parse(JSON.parse(file));
      await using open = await openStandIn();
      const board = await open.ask(
        "/train/station_timetables/YRK.json?train_status=passenger&calling_at=DAR",
      );
      const uid = String(board.departures[0]?.["train_uid"]);
      const ours = await open.ask(`/train/service_timetables/${uid}:2026-11-18.json?live=true`);
      expect(Object.keys(ours.body).toSorted()).toEqual(Object.keys(sample).toSorted());
      expectSameShape(schema.parse(ours.body).stops, sample.stops);
    });

    test("places of each type have the same fields", async () => {
      const schema = z.looseObject({ member: z.array(z.record(z.string(), z.unknown())) });
      const sample = schema.parse(
        JSON.parse(readFileSync(new URL("places-waterloo-2021.json", FOLDER), "utf8")),
      );
      await using open = await openStandIn();
      for (const type of ["train_station", "settlement", "bus_stop", "tube_station", "tram_stop"]) {
        const { body } = await open.ask(`/places.json?query=waterloo&type=${type}`);
        const ours = schema.parse(body);
        expect(Object.keys(ours).toSorted()).toEqual(Object.keys(sample).toSorted());
        const theirs = sample.member.filter((place) => place["type"] === type);
        expect([type, theirs.length > 0 && ours.member.length > 0]).toEqual([type, true]);
        expectSameShape(ours.member, theirs);
      }
    });

    test("a bus stop's timetable has the same fields", async () => {
      const schema = z.looseObject({
        departures: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
      });
      const file = readFileSync(new URL("bus-stop-timetable-450024834-2021.json", FOLDER), "utf8");
      const sample = schema.parse(JSON.parse(file));
      await using open = await openStandIn();
      const stops = z.looseObject({ stops: z.array(z.looseObject({ atcocode: z.string() })) });
      const near = stops.parse((await open.ask("/bus/stops/near.json?lat=53.7951&lon=-1.5489&rpp=1")).body);
      const ours = schema.parse(
        (await open.ask(`/bus/stop_timetables/${near.stops[0]?.atcocode}.json`)).body,
      );
      expect(Object.keys(ours).toSorted()).toEqual(Object.keys(sample).toSorted());
      expectSameShape(Object.values(ours.departures).flat(), Object.values(sample.departures).flat());
    });
  },
);
