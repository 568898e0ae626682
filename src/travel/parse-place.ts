// Places as people type them: stations, postcodes, points and stops. All else is text, for the service to find.
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import type { Stations } from "../rail/stations.ts";
import type { PlacePoint } from "../sources/transport-data.ts";

export type PlaceRef =
  /** A station of the offline list. `crs` as in {@link Station}. */
  | { readonly kind: "station"; readonly crs: string; readonly name: string }
  /** A postcode of Great Britain in its usual form, e.g. `YO24 1AB`; whether it is in use is not known. */
  | { readonly kind: "postcode"; readonly postcode: string }
  /** A point in or near Great Britain, in degrees. */
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  /** A stop of the national register (NaPTAN) by its ATCO code, e.g. `3290YYA00103`; whether it exists is not known. */
  | { readonly kind: "stop"; readonly atcocode: string }
  /** The service has to be asked. One line, trimmed, at most 80 characters. */
  | { readonly kind: "text"; readonly text: string };

/** The longest names of stops have some 70 characters. */
export const PLACE_TEXT_LIMIT = 80;

/** Throws a UserError that says what to type instead. Sends nothing. */
export function parsePlace(text: string, stations: Pick<Stations, "find">): PlaceRef {
  const written = oneLine(text);
  const name = written.replace(STATION_WORD, "");
  const station = stations.find(written) ?? stations.find(name);
  if (station) {
    return { kind: "station", crs: station.crs, name: station.name };
  }
  const postcode = parsePostcode(written);
  if (postcode !== undefined) {
    return { kind: "postcode", postcode };
  }
  const point = parseCoordinates(written);
  if (point) {
    return { kind: "point", ...point };
  }
  const [atcocode] = BARE_ATCO.exec(written) ?? STORED_ATCO.exec(written)?.slice(1) ?? [];
  return atcocode === undefined
    ? { kind: "text", text: checkedName(written) }
    : { kind: "stop", atcocode: atcocode.toUpperCase() };
}

/** e.g. in `York railway station`. */
const STATION_WORD = /\s+(?:(?:rail|railway|train)\s+)?station$/i;

/** A stop as our own buttons store it; this includes codes that nobody would recognise as one. */
const STORED_ATCO = /^atco:(\d{3}[A-Z0-9]{1,9})$/i;
/** Area, then 0 (G for groups of stops), then up to eight letters and digits, e.g. `3290YYA00103`, `450024834`. */
const BARE_ATCO = /^\d{3}[0G][A-Z0-9]{4,8}$/i;

/** Throws a UserError if it is too long, before any other step reads it. */
function oneLine(text: string): string {
  if (Array.from(text.slice(0, 4 * PLACE_TEXT_LIMIT)).length > PLACE_TEXT_LIMIT) {
    throw new UserError(
      `That's too long for a place. Use up to ${PLACE_TEXT_LIMIT} characters, e.g. a name or a postcode.`,
    );
  }
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
}

/** Characters that addresses of web pages, programs and file paths contain, but no place's name does. */
const NEVER_IN_NAMES = /\.\.|\/\/|[\\%?#<>{}[\]|^~`$*=_;"@]|:/;

const WHAT_TO_WRITE =
  "Type a name, a postcode such as YO24 1AB, coordinates such as 53.958,-1.093, or a stop code such as 3290YYA00103.";

function checkedName(text: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new UserError(`Which place? ${WHAT_TO_WRITE}`);
  }
  if (NEVER_IN_NAMES.test(text)) {
    throw new UserError(`“${quoteText(text)}” can't be a place. ${WHAT_TO_WRITE}`);
  }
  return text;
}

// A well-formed postcode may not be in use; only the service knows.

/** Anything that looks like a postcode, e.g. `ZZ99 9CC`. The space may be missing, or a plus as in web addresses. */
const POSTCODE = /^([A-Z]{1,2}\d[A-Z\d]?)[\s+]*(\d[A-Z]{2})$/;
/** Northern Ireland, Guernsey, the Isle of Man and Jersey. The service says only that it knows no such postcode. */
const OUTSIDE_GREAT_BRITAIN = /^(?:BT|GY|IM|JE)\d/;

/** e.g. `YO24 1AB`; `undefined` if it does not look like one. Throws a UserError outside Great Britain. */
function parsePostcode(text: string): string | undefined {
  const [, outward, inward] = POSTCODE.exec(text.trim().toUpperCase()) ?? [];
  if (outward === undefined || inward === undefined) {
    return undefined;
  }
  const postcode = `${outward} ${inward}`;
  if (OUTSIDE_GREAT_BRITAIN.test(outward)) {
    throw new UserError(`${postcode} is outside Great Britain, and I only know trains and buses there.`);
  }
  return postcode;
}

// Points.

/**
 * e.g. `53.958,-1.093`, `53.958 -1.093`, `53.958N 1.093W` or `53.958° N, 1.093° W`, in either order.
 * `undefined` if the text is not a pair of numbers. Throws a UserError if the point is outside Great Britain.
 */
function parseCoordinates(text: string): PlacePoint | undefined {
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
