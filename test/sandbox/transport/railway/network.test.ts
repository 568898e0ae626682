import { describe, expect, test } from "vitest";
import { LINES, parseLine, TERMINI } from "../../../../sandbox/transport/railway/network.ts";
import { operatorName } from "../../../../sandbox/transport/railway/operators.ts";
import { STATIONS } from "../../../../sandbox/transport/railway/stations.ts";

describe("the network", () => {
  test("reaches every station of the offline list", () => {
    const served = new Set(
      LINES.filter((line) => line.kind !== "freight").flatMap((line) =>
        line.stops.map((stop) => stop.station.crs),
      ),
    );
    expect(STATIONS).toHaveLength(2_608);
    expect(STATIONS.filter((station) => !served.has(station.crs))).toEqual([]);
  });

  test("has an operator for every line that carries passengers", () => {
    for (const line of LINES) {
      expect(operatorName(line.operator) !== undefined).toBe(line.kind !== "freight");
    }
  });

  test("never calls at a station twice in a row", () => {
    for (const line of LINES) {
      for (const [at, stop] of line.stops.entries()) {
        expect(stop.station.crs).not.toBe(line.stops[at + 1]?.station.crs);
      }
    }
  });

  test("reads optional stops: all or none at an end, and in turns between", () => {
    const line = parseLine(0, "GR", "60E York, Thirsk?, Northallerton?, Darlington, Durham?, Newcastle?");
    expect(line.stops.map((stop) => stop.calls)).toEqual(["all", "odd", "even", "all", "even", "even"]);
    expect(line.frequency).toEqual({ everyMinutes: 60 });
    expect(parseLine(0, "CS", "x2S York, Leeds").frequency).toEqual({ timesADay: 2 });
  });

  test("refuses text that is not a line", () => {
    expect(() => parseLine(0, "GR", "sixty York, Leeds")).toThrow("Not a line");
    expect(() => parseLine(0, "GR", "60E York, Atlantis")).toThrow("no Atlantis");
  });

  test("knows where trains can turn back", () => {
    expect(TERMINI.has("YRK")).toBe(true);
    expect(TERMINI.has("CRR")).toBe(false);
  });
});
