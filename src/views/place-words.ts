// Places in words: what they are, how far, where.
import type { Place, PlaceKind } from "../services/places/places.ts";
import { oneLine } from "../core/cut-text.ts";

/** Names of kinds, of one and of many, with a sign to tell them apart at a glance. */
export const PLACE_KIND_WORDS: Readonly<
  Record<PlaceKind, { readonly one: string; readonly many: string; readonly sign: string }>
> = {
  "train-station": { one: "train station", many: "Train stations", sign: "🚆" },
  "bus-stop": { one: "bus stop", many: "Bus stops", sign: "🚌" },
  "tube-station": { one: "tube or metro station", many: "Tube and metro stations", sign: "🚇" },
  "tram-stop": { one: "tram stop", many: "Tram stops", sign: "🚊" },
  ferry: { one: "ferry terminal", many: "Ferry terminals", sign: "⛴️" },
  settlement: { one: "town or village", many: "Towns and villages", sign: "🏘️" },
  postcode: { one: "postcode", many: "Postcodes", sign: "📮" },
  other: { one: "place", many: "Other places", sign: "📍" },
};

const NAME_LIMIT = 70;
const LOCALITY_LIMIT = 60;

/** A place's name on one line, with its code where it has one that people use: `York (YRK)`. */
export function placeName({ name, crs }: Place): string {
  return `${oneLine(name, NAME_LIMIT)}${crs === undefined ? "" : ` (${crs})`}`;
}

/** What it is, how far and where, e.g. `bus stop · 240 m · Bishopthorpe, York`. */
export function placeDetails({ kind, distanceMetres, locality }: Place): string {
  return [
    PLACE_KIND_WORDS[kind].one,
    distanceMetres === undefined ? undefined : formatDistance(distanceMetres),
    locality && oneLine(locality, LOCALITY_LIMIT),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** e.g. `240 m`, `1.3 km`, `26 km`. */
export function formatDistance(metres: number): string {
  if (metres < 995) {
    return `${Math.max(10, Math.round(metres / 10) * 10)} m`;
  }
  const km = metres / 1_000;
  return `${km < 9.95 ? km.toFixed(1) : Math.round(km)} km`;
}

/** Kinds that the service has no boards for. */
export function hasNoBoards(kind: PlaceKind): boolean {
  return kind === "tube-station" || kind === "tram-stop" || kind === "ferry";
}
