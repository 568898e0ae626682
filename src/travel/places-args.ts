// They fit in a component's id and can be read after a restart.
import {
  type Arg,
  type ArgsOf,
  anyText,
  defineArgs,
  integer,
  oneOf,
  optional,
  textLike,
  withDefault,
  type ComponentTarget,
  fitsId,
} from "../core/component-id.ts";
import { viewFormatArg } from "../rail/view-format.ts";
import type { NamedPoint, PlacesSearch } from "./places.ts";

/** Another part of the list, what is near a place, or the choice of the place that was meant. */
export type PlacesAction = "page" | "near" | "which";

/** Degrees to five digits and a name: `53.958_-1.093_York`. */
const NAMED_POINT = /^(-?\d{1,3}(?:\.\d{1,5})?)_(-?\d{1,3}(?:\.\d{1,5})?)_(.{1,60})$/su;
const POINT_NAME_LIMIT = 30;

export function formatNamedPoint(point: NamedPoint): string {
  const { latitude, longitude } = point;
  return `${Number(latitude.toFixed(5))}_${Number(longitude.toFixed(5))}_${shortName(point, POINT_NAME_LIMIT)}`;
}

function shortName({ name }: NamedPoint, limit: number): string {
  return Array.from(name.toWellFormed()).slice(0, limit).join("").trim() || "there";
}

/** `undefined` for anything that {@link formatNamedPoint} did not write. */
export function parseNamedPoint(text: string): NamedPoint | undefined {
  const [, latitude, longitude, name] = NAMED_POINT.exec(text) ?? [];
  return latitude === undefined || longitude === undefined || name === undefined
    ? undefined
    : { latitude: Number(latitude), longitude: Number(longitude), name };
}

const namedPoint: Arg<NamedPoint> = { write: formatNamedPoint, read: parseNamedPoint };

export const placesArgs = defineArgs({
  text: ["q", optional(anyText(80))],
  near: ["n", optional(namedPoint)],
  kind: [
    "k",
    optional(
      oneOf({
        "train-station": "t",
        "bus-stop": "b",
        "tube-station": "u",
        "tram-stop": "m",
        ferry: "f",
        settlement: "s",
        postcode: "p",
        other: "o",
      }),
    ),
  ],
  page: ["p", withDefault(integer(1, 400), 1)],
  skip: ["o", withDefault(integer(0, 95), 0)],
});

/** `undefined` if the texts are too long for an id, so that there can be no button. */
export function placesTarget(action: PlacesAction, search: PlacesSearch): ComponentTarget | undefined {
  // The point's name is shortened first, because it is only shown.
  return [POINT_NAME_LIMIT, 12, 4]
    .map((nameLimit) => {
      const near = search.near && { ...search.near, name: shortName(search.near, nameLimit) };
      return { command: "places", action, args: placesArgs.encode({ ...search, near }) };
    })
    .find(fitsId);
}

/** `show` is on a place, `back` and `more` go through a long list, and `look` changes the format. */
export type BusAction = "show" | "refresh" | "back" | "more" | "look";

/** `skip`: how many of the stop's buses to leave out. */
export const busArgs = defineArgs({
  atco: ["s", textLike(/^[0-9A-Za-z]{4,12}$/)],
  skip: ["o", withDefault(integer(0, 500), 0)],
  format: ["w", viewFormatArg],
});

export type BusArgs = ArgsOf<typeof busArgs>;

export function busTarget(action: BusAction, stop: BusArgs): ComponentTarget {
  return { command: "bus", action, args: busArgs.encode(stop) };
}
