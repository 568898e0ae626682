// Finds places by text, type, nearness or within a box.
import { metresBetween } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { PLACE_TYPES, places, searchable } from "./place.ts";
import type { Place, PlaceType } from "./place.ts";
import { placesWithin } from "./place-grid.ts";

/** South-west and north-east corners, in degrees. */
export interface Box {
  readonly minLatitude: number;
  readonly minLongitude: number;
  readonly maxLatitude: number;
  readonly maxLongitude: number;
}

export interface PlaceQuery {
  readonly text: string | undefined;
  /** Empty: all. */
  readonly types: readonly PlaceType[];
  readonly near: Position | undefined;
  readonly box: Box | undefined;
}

/** How far from a point places are looked for; few places have nothing within. */
const FAR_DEGREES = 0.12;

/** All that meet the query: the nearest first where a point is given, else the best match. */
export function searchPlaces({ text, types, near, box }: PlaceQuery): readonly Place[] {
  const isOfType = (place: Place) => types.length === 0 || types.includes(place.type);
  const around = box ?? (near && text === undefined ? boxAround(near) : undefined);
  const candidates = (around ? placesWithin(around) : places.now()).filter(isOfType);
  const found =
    text === undefined
      ? candidates.map((place) => ({ place, rank: 0 }))
      : matches(candidates, searchable(text), text.trim().toUpperCase());
  const order = near
    ? (place: Place) => metresBetween(place, near)
    : (place: Place) => PLACE_TYPES.indexOf(place.type);
  return found
    .map(({ place, rank }) => ({ place, rank: near ? 0 : rank, order: order(place) }))
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order || a.place.name.length - b.place.name.length)
    .map(({ place }) => place);
}

/** Exact codes and names before beginnings, beginnings before words inside. */
function matches(
  candidates: readonly Place[],
  wanted: string,
  code: string,
): readonly { readonly place: Place; readonly rank: number }[] {
  const words = wanted.split(" ").filter(Boolean);
  if (words.length === 0) {
    return [];
  }
  return candidates.flatMap((place) => {
    if (place.station?.crs === code || place.stop?.atcocode === code) {
      return [{ place, rank: 0 }];
    }
    if (!words.every((word) => place.searched.includes(word))) {
      return [];
    }
    const padded = ` ${place.searched}`;
    if (!words.every((word) => padded.includes(` ${word}`))) {
      return [];
    }
    // What makes a place known: stations before the settlement, whose name they share, before stops.
    const isStation = place.type === "train_station";
    const isExact = place.searched === wanted;
    const isLondons = place.searched === `london ${wanted}`;
    const begins = place.searched.startsWith(wanted);
    const rank = isExact || isLondons ? 1 : isStation && begins ? 2 : begins ? 3 : 4;
    return [{ place, rank: rank + (place.type === "bus_stop" ? 3 : 0) }];
  });
}

function boxAround({ latitude, longitude }: Position): Box {
  return {
    minLatitude: latitude - FAR_DEGREES,
    maxLatitude: latitude + FAR_DEGREES,
    minLongitude: longitude - FAR_DEGREES * 1.6,
    maxLongitude: longitude + FAR_DEGREES * 1.6,
  };
}
