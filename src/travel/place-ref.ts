// What a person means by a place, before anybody has been asked about it.
/** A place as far as it can be told from what a person wrote. */
export type PlaceRef =
  /** A station of the offline list. `crs` as in {@link Station}. */
  | { readonly kind: "station"; readonly crs: string; readonly name: string }
  /** A postcode of Great Britain in its usual form, e.g. `YO24 1AB`; whether it is in use is not known. */
  | { readonly kind: "postcode"; readonly postcode: string }
  /** A point in or near Great Britain, in degrees. */
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  /** A stop of the national register (NaPTAN) by its ATCO code, e.g. `3290YYA00103`; whether it exists is not known. */
  | { readonly kind: "stop"; readonly atcocode: string }
  /** Anything else that can be a name; the service has to be asked. One line, trimmed, at most 80 characters. */
  | { readonly kind: "text"; readonly text: string };
