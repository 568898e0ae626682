// A part of a list of places that fits a screen.
import type { Place, PlacesPage } from "../../clients/transport/transport-place.ts";
import { type Answer, staleOf } from "../cache/answers.ts";
import { distanceMetres } from "./distance.ts";
import type { Point } from "./great-britain.ts";
import { PLACES_SHOWN, type PlaceList, type PlacesSearch } from "./places.ts";

/** The part of a page of the service that a search shows, and where to go on from it. */
export function createPlaceList(search: PlacesSearch, answer: Answer<PlacesPage>): PlaceList {
  const { value } = answer;
  const { near, start } = search;
  const all = near ? byDistance(value.places, near) : value.places;
  const lastSkip = Math.max(0, Math.ceil(all.length / PLACES_SHOWN) - 1) * PLACES_SHOWN;
  const skip = Math.min(start.skip, lastSkip);
  const hasMoreHere = skip + PLACES_SHOWN < all.length;
  return {
    search: { ...search, start: { page: start.page, skip } },
    places: all.slice(skip, skip + PLACES_SHOWN),
    previous:
      skip > 0
        ? { page: start.page, skip: skip - PLACES_SHOWN }
        : start.page > 1
          ? { page: start.page - 1, skip: LAST_SKIP }
          : undefined,
    next: hasMoreHere
      ? { page: start.page, skip: skip + PLACES_SHOWN }
      : value.hasMore
        ? { page: start.page + 1, skip: 0 }
        : undefined,
    dataAt: value.dataAt,
    stale: staleOf(answer),
    acknowledgements: value.acknowledgements,
  };
}

/** More than any page holds, so the last part of it is shown. */
const LAST_SKIP = 95;

/** Nearest first; distances that the service gave are kept. */
export function byDistance(places: readonly Place[], near: Point): readonly Place[] {
  return places
    .map((place) => ({ ...place, distanceMetres: place.distanceMetres ?? distanceMetres(near, place) }))
    .toSorted((a, b) => a.distanceMetres - b.distanceMetres);
}
