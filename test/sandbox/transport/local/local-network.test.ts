import { describe, expect, test } from "vitest";
import { isInGreatBritain } from "../../../../sandbox/transport/geography/position.ts";
import { localNetwork } from "../../../../sandbox/transport/local/local-network.ts";
import { dueAt, tripsAt } from "../../../../sandbox/transport/local/trips.ts";

const network = localNetwork();

describe("local lines", () => {
  test("have stops in Great Britain, times that rise, and codes in the form of their kind", () => {
    const FORMS = {
      bus_stop: /^(490\d{6}[NESW]|[0-9]{4}([A-Z]{3})?\d{5})$/,
      tube_station: /^9400ZZLU[A-Z]{3}$/,
      tram_stop: /^9400ZZ(MA|SY|NO|CR|ED|WM|BP)[A-Z]{3}$/,
      ferry_terminal: /^9300[A-Z]{3}$/,
    };
    for (const stop of network.stops.values()) {
      if (!FORMS[stop.type].test(stop.atcocode) || !isInGreatBritain(stop)) {
        throw new Error(`${stop.atcocode} ${stop.name} is odd`);
      }
    }
    for (const line of network.lines) {
      const rises = line.minutes.every((minute, at) => at === 0 || minute > (line.minutes[at - 1] ?? 0));
      if (!rises || line.stops.length !== line.minutes.length) {
        throw new Error(`${line.operatorName} ${line.name} does not go on`);
      }
    }
    expect(network.stops.size).toBeGreaterThan(40_000);
  });

  test("show a trip at each of its stops, at its own times, across the change of clocks", () => {
    for (const line of network.lines.filter(({ id }) => id % 997 === 0)) {
      const dayMs = Date.parse("2026-10-24T06:00:00Z");
      for (const trip of tripsAt({ line, at: 0 }, dayMs, dayMs + 30 * 3_600_000, 1)) {
        const at = Math.min(3, line.stops.length - 2);
        const dueMs = dueAt(trip, at);
        const there = tripsAt({ line, at }, dueMs, dueMs + 60_000, 1);
        expect(there.map(({ date, number }) => [date, number])).toContainEqual([trip.date, trip.number]);
      }
    }
  });

  test("rest on Christmas Day", () => {
    const [line] = network.lines;
    const noonMs = Date.parse("2026-12-25T12:00:00Z");
    expect(line && tripsAt({ line, at: 0 }, noonMs, noonMs + 3_600_000, 1)).toEqual([]);
  });
});
