// Reads what a request asks of the map.
import { isInGreatBritain } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { locatePostcode } from "../geography/postcodes.ts";
import { words } from "../board/values.ts";
import { Refusal } from "../refusals.ts";
import { PLACE_TYPES } from "./place.ts";
import type { PlaceType } from "./place.ts";
import type { Box, PlaceQuery } from "./search.ts";

/** Which part of a long list is asked for. */
export interface Slice {
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** The legacy paths refuse with 400, the current one with 422. */
type BadRequest = 400 | 422;

/** Places on a page of the service, and the most of a legacy one. */
const PAGE = 25;
/** What looks like a postcode, whether it exists or not. */
const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?[\s+]*\d[A-Z]{2}$/i;

/** Throws a Refusal for what it cannot read. Asking for nothing at all is refused as well. */
export function parsePlaceQuery(query: URLSearchParams, badRequest: BadRequest): PlaceQuery | undefined {
  const types = words(query.get("type")).map((word) => {
    if (!isPlaceType(word)) {
      throw refuse("type", badRequest);
    }
    return word;
  });
  const box = parseBox(query, badRequest);
  const text = query.get("query") ?? undefined;
  const point = parsePoint(query, badRequest);
  if (text === undefined && point === undefined && box === undefined) {
    throw new Refusal(badRequest, "One of query, lat and lon, or bounding_box is required");
  }
  // A postcode is a point: what is near it is what is found. One that does not exist finds nothing.
  const postcode = text !== undefined && POSTCODE.test(text.trim()) ? text : undefined;
  const near = postcode === undefined ? point : locatePostcode(postcode);
  if (postcode !== undefined && near === undefined) {
    return undefined;
  }
  return { text: postcode === undefined ? text : undefined, types, near, box };
}

/** The page of `page` and of `limit` or, on the legacy paths, `rpp`: 25 unless fewer are asked for. */
export function parseSlice(query: URLSearchParams, sizeName: "limit" | "rpp", most = PAGE): Slice {
  const badRequest = sizeName === "rpp" ? 400 : 422;
  const page = parseCount(query.get("page") ?? "1", "page", badRequest);
  const size = Math.min(most, parseCount(query.get(sizeName) ?? String(most), sizeName, badRequest));
  return { page, size };
}

/** What stands on the page. */
export function sliceOf<Item>(items: readonly Item[], { page, size }: Slice): readonly Item[] {
  return items.slice((page - 1) * size, page * size);
}

/** Of `lat` and `lon`; `undefined` where neither is given. */
export function parsePoint(query: URLSearchParams, badRequest: BadRequest): Position | undefined {
  const lat = query.get("lat");
  const lon = query.get("lon");
  if (lat === null && lon === null) {
    return undefined;
  }
  const position = {
    latitude: parseDegrees(lat, "lat", badRequest),
    longitude: parseDegrees(lon, "lon", badRequest),
  };
  if (!isInGreatBritain(position)) {
    throw new Refusal(badRequest, "The position is outside Great Britain");
  }
  return position;
}

/** `bounding_box=minlon,minlat,maxlon,maxlat`, or those four by name. */
function parseBox(query: URLSearchParams, badRequest: BadRequest): Box | undefined {
  const whole = query.get("bounding_box");
  const named = ["minlon", "minlat", "maxlon", "maxlat"].map((name) => query.get(name));
  const parts = whole === null ? named : whole.split(",");
  if (parts.every((part) => part === null)) {
    return undefined;
  }
  const [minLongitude = 0, minLatitude = 0, maxLongitude = 0, maxLatitude = 0] = parts.map((part) =>
    parseDegrees(part, "bounding_box", badRequest),
  );
  if (parts.length !== 4 || minLatitude > maxLatitude || minLongitude > maxLongitude) {
    throw refuse("bounding_box", badRequest);
  }
  // No more than a county at once.
  if (maxLatitude - minLatitude > 2 || maxLongitude - minLongitude > 3) {
    throw new Refusal(badRequest, "The bounding_box is too large");
  }
  return { minLongitude, minLatitude, maxLongitude, maxLatitude };
}

function parseDegrees(text: string | null, name: string, badRequest: BadRequest): number {
  const degrees = text === null || text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(degrees) || Math.abs(degrees) > 180) {
    throw refuse(name, badRequest);
  }
  return degrees;
}

function parseCount(text: string, name: string, badRequest: BadRequest): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw refuse(name, badRequest);
  }
  return Number(text);
}

function isPlaceType(word: string): word is PlaceType {
  return PLACE_TYPES.some((type) => type === word);
}

function refuse(name: string, badRequest: BadRequest): Refusal {
  return new Refusal(badRequest, `The value of ${name} is not valid`);
}
