// Journeys for tests.
import type { DetailedLeg as JourneyLeg } from "../../src/travel/route-details.ts";
import type { JourneyEnd, JourneyPlan, JourneyQuestion, Route } from "../../src/travel/journeys.ts";
import { ukTime } from "./boards.ts";

/** A journey's start or destination at a station. */
export function stationEnd(crs: string, name: string): JourneyEnd {
  return { place: { kind: "station", crs, name }, name };
}

/** A leg on Saturday 21 November 2026, e.g. `leg("train", "17:31", "17:55")`. */
export function leg(
  mode: string,
  departs: string,
  arrives: string,
  more: Partial<JourneyLeg> = {},
): JourneyLeg {
  const moment = (time: string) => ukTime(time.length === 5 ? `2026-11-21 ${time}` : time);
  return {
    mode,
    line: undefined,
    from: undefined,
    to: undefined,
    destination: undefined,
    departsAt: moment(departs),
    arrivesAt: moment(arrives),
    ...more,
  };
}

export function route(legs: readonly [JourneyLeg, ...JourneyLeg[]], more: Partial<Route> = {}): Route {
  const [first] = legs;
  const last = legs.at(-1) ?? first;
  return {
    departsAt: first.departsAt,
    arrivesAt: last.arrivesAt,
    durationMinutes: last.arrivesAt.since(first.departsAt).total("minutes"),
    pricePounds: undefined,
    legs,
    changes: Math.max(0, legs.filter(({ mode }) => mode !== "walk").length - 1),
    ...more,
  };
}

/** A plan from York to Leeds, leaving from 17:20 that Saturday by default. */
export function plan(
  routes: readonly Route[],
  { asked, ...more }: Partial<JourneyPlan> & { readonly asked?: Partial<JourneyQuestion> } = {},
): JourneyPlan {
  return {
    question: {
      from: stationEnd("YRK", "York"),
      to: stationEnd("LDS", "Leeds"),
      at: ukTime("2026-11-21 17:20"),
      arriveBy: false,
      ...asked,
    },
    routes,
    shown: routes[0],
    missed: undefined,
    dataAt: ukTime("2026-11-21 17:20"),
    stale: undefined,
    acknowledgements: undefined,
    ...more,
  };
}
