// Journeys in the public service's shape.
import { formatPlace } from "../places/place.ts";
import { hash } from "../railway/chance.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import type { Leg, Route, Waypoint } from "./leg.ts";
import { metresBetween } from "../geography/position.ts";

const SOURCE = "Silverrail journey planner";
const ACKNOWLEDGEMENTS =
  "Contains information of Network Rail Infrastructure Limited. License http://www.networkrail.co.uk/data-feeds/terms-and-conditions/, Contains DfT NaPTAN bus stops data";

/** The whole answer. `trainUrl` tells where a train's calling points are. */
export function formatPublicJourneys(
  routes: readonly Route[],
  nowMs: number,
  trainUrl: (leg: Leg) => string | null,
): Readonly<Record<string, unknown>> {
  return {
    request_time: formatUkDateTime(nowMs),
    source: SOURCE,
    acknowledgements: ACKNOWLEDGEMENTS,
    routes: routes.map((route) => ({
      ...formatTimes(route),
      route_parts: route.legs.map((leg) => formatLeg(leg, trainUrl)),
    })),
  };
}

function formatLeg(leg: Leg, trainUrl: (leg: Leg) => string | null): Readonly<Record<string, unknown>> {
  const destination = destinationOf(leg);
  return {
    mode: leg.mode,
    from_point_name: leg.from.name,
    from_point: formatPoint(leg.from),
    to_point_name: leg.to.name,
    to_point: formatPoint(leg.to),
    destination,
    destination_point: { place: null },
    line_name: leg.ride ? headcodeOf(leg) : (leg.trip?.line.name ?? ""),
    service: { id: trainUrl(leg) },
    ...formatTimes(leg),
    steps: leg.mode === "foot" ? [formatStep(leg)] : [],
    coordinates: coordinatesOf(leg),
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
  const seconds = Math.round(lengthMs / 1_000);
  return [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}

function formatPoint({ place }: Waypoint): { readonly place: unknown } {
  return { place: place ? formatPlace(place) : null };
}

function destinationOf({ ride, trip, to }: Leg): string {
  return ride?.train.calls.at(-1)?.station.name ?? trip?.line.towards ?? to.name;
}

/** Trains have a number: the end of what would be their headcode. */
function headcodeOf({ ride }: Leg): string {
  return String(1_000 + (hash("headcode", ride?.train.uid ?? "") % 8_000));
}

function formatStep(leg: Leg): Readonly<Record<string, unknown>> {
  return {
    instruction: { text: `Walk to ${leg.to.name}` },
    distance: { value: Math.round(metresBetween(leg.from, leg.to) * 1.25), units: "m" },
    duration: formatDuration(leg.arriveMs - leg.departMs),
  };
}

/** Longitude first. */
function coordinatesOf(leg: Leg): readonly (readonly [number, number])[] {
  const between = leg.ride
    ? leg.ride.train.calls.slice(leg.ride.board + 1, leg.ride.alight).map((call) => call.station)
    : [];
  return [leg.from, ...between, leg.to].map(({ longitude, latitude }) => [longitude, latitude] as const);
}
