import { describe, expect, test } from "vitest";
import { departuresAt, localNetwork, rideMinutes } from "../../../../sandbox/transport/map/local-lines.ts";
import { isInGreatBritain } from "../../../../sandbox/transport/map/position.ts";

const network = localNetwork();

describe("local lines", () => {
  test("have stops in Great Britain, with codes in the form of their type", () => {
    const FORMS = {
      bus_stop: /^(4900|3290)\d{4}[A-Z]$/,
      tube_station: /^9400ZZLU[A-Z]{3}$/,
      tram_stop: /^9400ZZ(MA|SY|NO|CR|ED|WM|BP)[A-Z]{3}$/,
      ferry_terminal: /^9300[A-Z]{3}$/,
    };
    for (const stop of network.stops.values()) {
      if (!FORMS[stop.type].test(stop.atcocode) || !isInGreatBritain(stop)) {
        throw new Error(`${stop.atcocode} ${stop.name} has a wrong code or is outside Great Britain`);
      }
    }
    expect(network.stops.size).toBeGreaterThan(20_000);
  });

  test("leave each stop after the ride from the first one, even when the clocks change", () => {
    for (const line of network.lines.filter(({ id, mode }) => mode === "bus" && id % 499 === 0)) {
      const dayMs = Date.parse("2026-10-24T06:00:00Z");
      const starts = departuresAt({ line, at: 0 }, "last", dayMs, dayMs + 30 * 3_600_000, 1);
      expect(starts.length).toBeGreaterThan(60);
      for (const startMs of starts) {
        const dueMs = startMs + rideMinutes(line, 0, 3) * 60_000;
        expect(departuresAt({ line, at: 3 }, "last", dueMs, dueMs + 60_000, 1)).toEqual([dueMs]);
      }
      expect(departuresAt({ line, at: 0 }, "first", dayMs, dayMs + 3_600_000, 1)).toEqual([]);
    }
  });

  test("do not run on Christmas Day", () => {
    const [line] = network.lines;
    const noonMs = Date.parse("2026-12-25T12:00:00Z");
    expect(line && departuresAt({ line, at: 0 }, "last", noonMs, noonMs + 3_600_000, 1)).toEqual([]);
  });
});
