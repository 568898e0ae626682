import { UserError } from "../core/errors.ts";

/**
 * A point from e.g. `53.958,-1.093` or `53.958 -1.093`, as maps copy them. In Great Britain a latitude is never a longitude,
 * so a pair in the other order is understood too. `undefined` for a text that is no pair of numbers; throws a UserError for
 * a point outside Great Britain.
 */
export function parseCoordinates(text: string): Point | undefined {
  const [, first, second] = PAIR.exec(text.trim())?.map((number) => Number(number.replace("−", "-"))) ?? [];
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const readings = [
    { latitude: first, longitude: second },
    { latitude: second, longitude: first },
  ];
  const meant = readings.find(isInGreatBritain);
  if (!meant) {
    throw new UserError(
      "That point is outside Great Britain, and I only know trains and buses there. Latitude goes first, e.g. 53.958,-1.093.",
    );
  }
  return meant;
}

const NUMBER = String.raw`([-+\u2212]?\d{1,3}(?:\.\d{1,15})?)`;
const PAIR = new RegExp(String.raw`^${NUMBER}(?:\s*[,;/]\s*|\s+)${NUMBER}$`);

/** Longitude first, as the service wants it; five digits are a metre. */
export function formatLonLat({ latitude, longitude }: Point): string {
  return `${round(longitude)},${round(latitude)}`;
}

function round(degrees: number): string {
  return String(Number(degrees.toFixed(5)));
}

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

/** A point in degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The service knows nothing outside it. A box around Great Britain with a margin of sea. Of Ireland the service says itself that there is nothing near. */
export function isInGreatBritain({ latitude, longitude }: Point): boolean {
  return latitude > 49.7 && latitude < 61 && longitude > -9 && longitude < 2;
}
