// What a place is called: by us, to tell it from others, and by people.
import type { KnownPlace } from "./journeys.ts";

/** The same for all ways to write one place, in at most 20 characters. */
export function keyOfPlace(place: KnownPlace): string {
  switch (place.kind) {
    case "station":
      return place.crs;
    case "postcode":
      return place.postcode.replace(" ", "");
    case "point":
      return `${place.latitude.toFixed(4)},${place.longitude.toFixed(4)}`;
    case "stop":
      return place.atcocode;
  }
}

/** A place as people call it; coordinates are as good a name as they wrote. */
export function nameOfPlace(place: KnownPlace): string {
  switch (place.kind) {
    case "station":
      return place.name;
    case "postcode":
      return place.postcode;
    case "point":
      return `${place.latitude}, ${place.longitude}`;
    case "stop":
      return `stop ${place.atcocode}`;
  }
}
