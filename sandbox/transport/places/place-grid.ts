// Places by squares of the map, so that what is near is found without looking at everything.
import { DEGREE_METRES, metresBetween } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { gradual, type Steps } from "../gradual.ts";
import { places } from "./place.ts";
import type { Place } from "./place.ts";
import type { Box } from "./search.ts";

const SQUARE_DEGREES = 0.05;

/** Made at first use. */
export const placeGrid = gradual(createGrid);

/** Those inside a box, in no particular order. */
export function placesWithin(box: Box): readonly Place[] {
  const grid = placeGrid.now();
  const found: Place[] = [];
  for (let row = squareOf(box.minLatitude); row <= squareOf(box.maxLatitude); row += 1) {
    for (let column = squareOf(box.minLongitude); column <= squareOf(box.maxLongitude); column += 1) {
      for (const place of grid.get(keyOf(row, column)) ?? []) {
        if (
          place.latitude >= box.minLatitude &&
          place.latitude <= box.maxLatitude &&
          place.longitude >= box.minLongitude &&
          place.longitude <= box.maxLongitude
        ) {
          found.push(place);
        }
      }
    }
  }
  return found;
}

/** Those so near, as the crow flies, with how far they are; in no particular order. */
export function placesNear(
  position: Position,
  mostMetres: number,
): readonly { readonly place: Place; readonly metres: number }[] {
  const degrees = mostMetres / DEGREE_METRES;
  return placesWithin({
    minLatitude: position.latitude - degrees,
    maxLatitude: position.latitude + degrees,
    // A degree of longitude is half as long in the far north.
    minLongitude: position.longitude - degrees * 2,
    maxLongitude: position.longitude + degrees * 2,
  }).flatMap((place) => {
    const metres = metresBetween(place, position);
    return metres <= mostMetres ? [{ place, metres }] : [];
  });
}

function* createGrid(): Steps<ReadonlyMap<number, readonly Place[]>> {
  const squares = new Map<number, Place[]>();
  for (const place of yield* places.steps()) {
    const key = keyOf(squareOf(place.latitude), squareOf(place.longitude));
    const square = squares.get(key) ?? [];
    square.push(place);
    squares.set(key, square);
    yield;
  }
  return squares;
}

function squareOf(degrees: number): number {
  return Math.floor(degrees / SQUARE_DEGREES);
}

function keyOf(row: number, column: number): number {
  return row * 100_000 + column;
}
