import { UserError } from "../core/errors.ts";
import type { PlacePoint } from "../sources/transport-data.ts";

/**
 * e.g. `53.958,-1.093`, `53.958 -1.093`, `53.958N 1.093W` or `53.958° N, 1.093° W`, in either order.
 * `undefined` if the text is not a pair of numbers. Throws a UserError if the point is outside Great Britain.
 */
export function parseCoordinates(text: string): PlacePoint | undefined {
  const [, first, firstSide, second, secondSide] = PAIR.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const sides = `${firstSide ?? ""}${secondSide ?? ""}`.toUpperCase();
  const [one, other] = [signed(first, firstSide), signed(second, secondSide)];
  const latitudeFirst = { latitude: one, longitude: other };
  const longitudeFirst = { latitude: other, longitude: one };
  const isSwapped = /^[EW]|[NS]$/.test(sides);
  const point = (
    sides === "" ? [latitudeFirst, longitudeFirst] : [isSwapped ? longitudeFirst : latitudeFirst]
  ).find(isInGreatBritain);
  if (!point) {
    throw new UserError(
      "That point is outside Great Britain, and I only know trains and buses there. Latitude goes first, e.g. 53.958,-1.093.",
    );
  }
  return point;
}

const NUMBER = String.raw`([-+\u2212]?\d{1,3}(?:\.\d{1,15})?)\s*°?\s*`;
const PAIR = new RegExp(`^${NUMBER}([NSEW])?(?:\\s*[,;/]\\s*|\\s+|(?<=[NSEW°]))${NUMBER}([NSEW])?$`, "i");

function signed(number: string, side: string | undefined): number {
  const value = Number(number.replace("−", "-").replace("+", ""));
  return side !== undefined && /[SW]/i.test(side) ? -Math.abs(value) : value;
}

/** Formats a point with its longitude first, as the service wants it. Five decimals are about a metre. */
export function formatLonLat({ latitude, longitude }: PlacePoint): string {
  return `${round(longitude)},${round(latitude)}`;
}

function round(degrees: number): string {
  return String(Number(degrees.toFixed(5)));
}

const EARTH_RADIUS_METRES = 6_371_000;

/** As the crow flies (haversine), accurate to half a percent. */
export function distanceMetres(one: PlacePoint, other: PlacePoint): number {
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

/** Whether a point is in a box around Great Britain, which includes some sea and Ireland. */
export function isInGreatBritain({ latitude, longitude }: PlacePoint): boolean {
  return latitude > 49.7 && latitude < 61 && longitude > -9 && longitude < 2;
}
