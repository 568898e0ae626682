import { describe, expect, test } from "vitest";
import type { TransportStop } from "../../src/sources/transport-data.ts";
import { locateTrain } from "../../src/rail/trains.ts";

const at = (time: string) => Temporal.Instant.from(`2026-03-04T${time}:00Z`);

/** A calling point with times "HH:MM". `late`: minutes; absent if the service has no expected times. */
function stop(
  name: string,
  arrives: string | undefined,
  departs: string | undefined,
  late?: number,
  status?: string,
) {
  const moved = (time: string | undefined) =>
    time === undefined || late === undefined ? undefined : at(time).add({ minutes: late });
  return {
    crs: name.slice(0, 3).toUpperCase(),
    name,
    platform: undefined,
    aimedArrivalAt: arrives === undefined ? undefined : at(arrives),
    aimedDepartureAt: departs === undefined ? undefined : at(departs),
    expectedArrivalAt: moved(arrives),
    expectedDepartureAt: moved(departs),
    status,
  } satisfies TransportStop;
}

const states = (stops: readonly TransportStop[], now: string) =>
  locateTrain(stops, at(now)).points.map(({ state }) => state);

describe("a train with live reports", () => {
  const stops = [
    stop("Edinburgh", undefined, "15:00"),
    stop("York", "17:28", "17:31", 5),
    stop("Doncaster", "17:50", "17:52", 6),
    stop("London", "19:20", undefined, 4),
  ];

  test("is between the last stop passed and the next", () => {
    const { position, delayMinutes } = locateTrain(stops, at("17:20"));
    expect(position).toEqual({ kind: "between", after: "Edinburgh", before: "York" });
    expect(delayMinutes).toBe(5);
    expect(states(stops, "17:20")).toEqual(["passed", "next", "ahead", "ahead"]);
  });

  test("is at a stop from its arrival until it leaves", () => {
    expect(locateTrain(stops, at("17:33")).position).toEqual({ kind: "at", stop: "York" });
    expect(locateTrain(stops, at("17:36")).position).toEqual({ kind: "at", stop: "York" });
    expect(locateTrain(stops, at("17:37")).position).toMatchObject({ kind: "between", after: "York" });
  });

  test("has arrived once its last time has passed", () => {
    expect(locateTrain(stops, at("19:24")).position).toMatchObject({ kind: "between", before: "London" });
    expect(locateTrain(stops, at("19:25")).position).toEqual({ kind: "finished", at: "London" });
  });

  test("has not started while its first stop is ahead", () => {
    const waiting = [stop("Edinburgh", undefined, "17:40", 2), ...stops.slice(1)];
    const { position } = locateTrain(waiting, at("17:20"));
    expect(position).toMatchObject({ kind: "not-started", from: "Edinburgh" });
    expect(position.kind === "not-started" && position.at.equals(at("17:42"))).toBe(true);
  });

  test("skips cancelled stops", () => {
    const cut = [stops[0], stop("York", "17:28", "17:31", undefined, "CANCELLED"), ...stops.slice(2)].filter(
      (one) => one !== undefined,
    );
    expect(locateTrain(cut, at("17:20")).position).toMatchObject({ after: "Edinburgh", before: "Doncaster" });
    expect(states(cut, "17:20")).toEqual(["passed", "cancelled", "next", "ahead"]);
  });
});

describe("a train without live reports", () => {
  const planned = [
    stop("Edinburgh", undefined, "15:00"),
    stop("York", "17:28", "17:31"),
    stop("London", "19:20", undefined),
  ];

  test("is somewhere on its way, and no stop counts as passed", () => {
    expect(locateTrain(planned, at("17:20")).position).toEqual({ kind: "unreported" });
    expect(states(planned, "17:20")).toEqual(["ahead", "ahead", "ahead"]);
  });

  test("has not started, or has finished, according to its timetable", () => {
    expect(locateTrain(planned, at("14:00")).position).toMatchObject({ kind: "not-started" });
    expect(locateTrain(planned, at("19:21")).position).toEqual({ kind: "finished", at: "London" });
  });

  test("is delayed if the service says only that", () => {
    const delayed = planned.map((one) => ({ ...one, status: "DELAYED" }));
    expect(locateTrain(delayed, at("17:20"))).toMatchObject({
      position: { kind: "delayed" },
      delayMinutes: undefined,
    });
  });

  test("is cancelled if all its stops are", () => {
    const gone = planned.map((one) => ({ ...one, status: "CANCELLED" }));
    expect(locateTrain(gone, at("17:20")).position).toEqual({ kind: "cancelled" });
    expect(states(gone, "17:20")).toEqual(["cancelled", "cancelled", "cancelled"]);
  });
});
