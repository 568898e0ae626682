// How far two points are from each other.
import type { Point } from "./great-britain.ts";

/** Mean radius of the Earth. */
const EARTH_RADIUS_METRES = 6_371_000;

/** Metres as the crow flies (haversine), good to half a percent. */
export function distanceMetres(one: Point, other: Point): number {
  const latitude = radians(other.latitude - one.latitude);
  const longitude = radians(other.longitude - one.longitude);
  const chord =
    Math.sin(latitude / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(longitude / 2) ** 2;
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord))));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
