// Works out from a train's times where it is. The service's own words say little about that.
import { Temporal } from "temporal-polyfill";
import type { TransportStop } from "../../clients/transport/transport-train.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { isBefore } from "../../core/instants.ts";
import { isCancelled } from "../departures/is-cancelled.ts";
import type { CallingPoint, PointState, Position } from "./trains.ts";

/** A train's calling points as people see them, and where it is among them. */
export interface Located {
  readonly points: readonly CallingPoint[];
  readonly position: Position;
  readonly delayMinutes: number | undefined;
}

/**
 * Passed stops have no expected times any more, so the first that has one is the next, unless that time has passed
 * as well. Without any live time the timetable tells whether it has started or arrived, but not where it is.
 */
export function locateTrain(stops: readonly TransportStop[], now: Temporal.Instant): Located {
  const served = stops.filter((stop) => !isCancelled(stop));
  if (served.length === 0) {
    return locatedAt(stops, undefined, { kind: "cancelled" });
  }
  const minute = startOfMinute(now);
  const first = served[0];
  const last = served.at(-1);
  const firstLive = served.findIndex((stop) => expectedOf(stop) !== undefined);
  if (firstLive === -1) {
    if (served.some(({ status = "" }) => /^DELAYED\b/.test(status))) {
      return locatedAt(stops, stops[0], { kind: "delayed" });
    }
    if (last && isBefore(aimedOf(last), minute)) {
      return locatedAt(stops, undefined, { kind: "finished", at: last.name });
    }
    return first && !isBefore(aimedOf(first), minute)
      ? locatedAt(stops, first, { kind: "not-started", at: aimedOf(first), from: first.name })
      : locatedAt(stops, stops[0], { kind: "unreported" });
  }
  const at = served.findIndex(
    (stop, index) => index >= firstLive && !isBefore(expectedOf(stop) ?? aimedOf(stop), minute),
  );
  const next = served[at];
  if (!next || !first || !last) {
    return locatedAt(stops, undefined, { kind: "finished", at: last?.name ?? "" });
  }
  return locatedAt(stops, next, positionBefore(next, served[at - 1], now));
}

function positionBefore(
  next: TransportStop,
  previous: TransportStop | undefined,
  now: Temporal.Instant,
): Position {
  if (!previous) {
    return { kind: "not-started", at: expectedOf(next) ?? aimedOf(next), from: next.name };
  }
  const arrival = next.expectedArrivalAt;
  return arrival && next.aimedDepartureAt && !isBefore(now, arrival)
    ? { kind: "at", stop: next.name }
    : { kind: "between", after: previous.name, before: next.name };
}

/** Without a next stop all have been passed. Of a train that nobody reports none is known to be. */
function locatedAt(
  stops: readonly TransportStop[],
  next: TransportStop | undefined,
  position: Position,
): Located {
  const at = next ? stops.indexOf(next) : stops.length;
  const isKnown = position.kind !== "unreported" && position.kind !== "delayed";
  const stateOf = (stop: TransportStop, index: number): PointState =>
    isCancelled(stop) ? "cancelled" : index < at ? "passed" : stop === next && isKnown ? "next" : "ahead";
  const points = stops.map((stop, index): CallingPoint => ({
    crs: stop.crs,
    name: stop.name,
    platform: stop.platform,
    aimedAt: aimedOf(stop),
    expectedAt: isCancelled(stop) ? undefined : expectedOf(stop),
    arrivesAt: stop.aimedDepartureAt && stop.aimedArrivalAt,
    state: stateOf(stop, index),
  }));
  const expectedAt = next && expectedOf(next);
  const delayMinutes = expectedAt && Math.round(expectedAt.since(aimedOf(next)).total("minutes"));
  return { points, position, delayMinutes };
}

/** The client gives every stop one time at least; the epoch stands for a mistake of ours. */
function aimedOf({ aimedDepartureAt, aimedArrivalAt }: TransportStop): Temporal.Instant {
  return aimedDepartureAt ?? aimedArrivalAt ?? Temporal.Instant.fromEpochMilliseconds(0);
}

function expectedOf({ expectedDepartureAt, expectedArrivalAt, aimedDepartureAt }: TransportStop) {
  return expectedDepartureAt ?? (aimedDepartureAt ? undefined : expectedArrivalAt);
}
