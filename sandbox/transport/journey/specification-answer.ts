// Journeys in the specification's shape: its fields and no others.
import { operatorName } from "../railway/operators.ts";
import { formatUkTime } from "../railway/uk-time.ts";
import type { Leg, Route } from "./leg.ts";
import { priceOf } from "./price.ts";

/** The whole answer. */
export function formatSpecificationJourneys(routes: readonly Route[]): Readonly<Record<string, unknown>> {
  return {
    routes: routes.map((route) => {
      const price = priceOf(route);
      return {
        duration: Math.round((route.arriveMs - route.departMs) / 60_000),
        ...(price === undefined ? {} : { price }),
        route_parts: route.legs.map(formatLeg),
      };
    }),
  };
}

function formatLeg({ mode, departMs, arriveMs, ride, trip }: Leg): Readonly<Record<string, unknown>> {
  const lineName = ride ? (operatorName(ride.train.operator) ?? ride.train.operator) : trip?.line.name;
  return {
    mode,
    ...(lineName === undefined ? {} : { line_name: lineName }),
    departure_time: formatUkTime(departMs),
    arrival_time: formatUkTime(arriveMs),
  };
}
