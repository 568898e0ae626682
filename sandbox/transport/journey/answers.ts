import { metresBetween } from "../map/position.ts";
import { formatPlace } from "../map/places.ts";
import { hash } from "../railway/chance.ts";
import { operatorName } from "../railway/operators.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import type { Leg, Route, Waypoint } from "./leg.ts";

const SOURCE = "Silverrail journey planner";
const ACKNOWLEDGEMENTS =
  "Contains information of Network Rail Infrastructure Limited. License http://www.networkrail.co.uk/data-feeds/terms-and-conditions/, Contains DfT NaPTAN bus stops data";

export function formatSpecificationJourneys(routes: readonly Route[]): Readonly<Record<string, unknown>> {
  return {
    routes: routes.map((route) => {
      const price = priceOf(route);
      return {
        duration: Math.round((route.arriveMs - route.departMs) / 60_000),
        ...(price === undefined ? {} : { price }),
        route_parts: route.legs.map(({ mode, departMs, arriveMs, ride, line }) => {
          const name = ride ? (operatorName(ride.train.operator) ?? ride.train.operator) : line?.name;
          return {
            mode,
            ...(name === undefined ? {} : { line_name: name }),
            departure_time: formatUkTime(departMs),
            arrival_time: formatUkTime(arriveMs),
          };
        }),
      };
    }),
  };
}

/** An invented price in pounds, higher for longer journeys; `undefined` for one in four, and for all without a train. */
function priceOf({ legs, departMs, arriveMs }: Route): number | undefined {
  const hasNone = legs.every(({ ride }) => !ride) || hash(departMs, arriveMs, "price") % 4 === 0;
  return hasNone ? undefined : Math.round(24 + ((arriveMs - departMs) / 120_000) * 5) / 10;
}

export function formatPublicJourneys(
  routes: readonly Route[],
  nowMs: number,
  trainUrl: (train: NonNullable<Leg["ride"]>["train"]) => string,
): Readonly<Record<string, unknown>> {
  return {
    request_time: formatUkDateTime(nowMs),
    source: SOURCE,
    acknowledgements: ACKNOWLEDGEMENTS,
    routes: routes.map((route) => ({
      ...formatTimes(route),
      route_parts: route.legs.map((leg) => ({
        mode: leg.mode,
        from_point_name: leg.from.name,
        from_point: formatPoint(leg.from),
        to_point_name: leg.to.name,
        to_point: formatPoint(leg.to),
        destination: leg.ride?.train.calls.at(-1)?.station.name ?? leg.to.name,
        destination_point: { place: null },
        // A train's line name is a number. Here it is invented.
        line_name: leg.ride
          ? String(1_000 + (hash("headcode", leg.ride.train.uid) % 8_000))
          : (leg.line?.name ?? ""),
        service: { id: leg.ride ? trainUrl(leg.ride.train) : null },
        ...formatTimes(leg),
        steps: leg.mode === "foot" ? [formatStep(leg)] : [],
        // Longitude comes first.
        coordinates: [leg.from, leg.to].map(({ longitude, latitude }) => [longitude, latitude]),
      })),
    })),
  };
}

function formatTimes({ departMs, arriveMs }: Pick<Route, "departMs" | "arriveMs">) {
  return {
    duration: formatDuration(arriveMs - departMs),
    departure_time: formatUkTime(departMs),
    departure_date: formatUkDate(departMs),
    departure_datetime: formatUkDateTime(departMs),
    arrival_time: formatUkTime(arriveMs),
    arrival_date: formatUkDate(arriveMs),
    arrival_datetime: formatUkDateTime(arriveMs),
  };
}

/** `HH:MM:SS`. */
function formatDuration(lengthMs: number): string {
  const minutes = Math.round(lengthMs / 60_000);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
}

function formatPoint({ place }: Waypoint): { readonly place: unknown } {
  return { place: place ? formatPlace(place) : null };
}

function formatStep(leg: Leg): Readonly<Record<string, unknown>> {
  return {
    instruction: { text: `Walk to ${leg.to.name}` },
    distance: { value: Math.round(metresBetween(leg.from, leg.to) * 1.25), units: "m" },
    duration: formatDuration(leg.arriveMs - leg.departMs),
  };
}
