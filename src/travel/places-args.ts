// What the buttons of a list of places remember, small enough for a component's id and readable after a restart.
import { z } from "zod";
import { COMPONENT_ID_LIMIT, type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import type { NamedPoint, PlaceKind, PlacesSearch } from "./places.ts";

/** What a button or a menu of a list does: go to another part of it, show what is near a place, say which is meant. */
export type PlacesAction = "page" | "near" | "which";

/** One letter for each kind. */
const KIND_LETTERS = {
  t: "train-station",
  b: "bus-stop",
  u: "tube-station",
  m: "tram-stop",
  f: "ferry",
  s: "settlement",
  p: "postcode",
  o: "other",
} as const satisfies Readonly<Record<string, PlaceKind>>;

/** Degrees to five digits and a name: `53.958_-1.093_York`. */
const NAMED_POINT = /^(-?\d{1,3}(?:\.\d{1,5})?)_(-?\d{1,3}(?:\.\d{1,5})?)_(.{1,60})$/su;
const POINT_NAME_LIMIT = 30;

/** Writes a point and what people call it for an id or a menu. */
export function formatNamedPoint(
  { latitude, longitude, name }: NamedPoint,
  nameLimit = POINT_NAME_LIMIT,
): string {
  const short = Array.from(name.toWellFormed()).slice(0, nameLimit).join("").trim() || "there";
  return `${Number(latitude.toFixed(5))}_${Number(longitude.toFixed(5))}_${short}`;
}

/** Reads what {@link formatNamedPoint} wrote; `undefined` for anything else. */
export function parseNamedPoint(text: string): NamedPoint | undefined {
  const [, latitude, longitude, name] = NAMED_POINT.exec(text) ?? [];
  return latitude === undefined || longitude === undefined || name === undefined
    ? undefined
    : { latitude: Number(latitude), longitude: Number(longitude), name };
}

const namedPoint = z.string().transform((text, context) => {
  const point = parseNamedPoint(text);
  if (!point) {
    context.addIssue("no point");
    return z.NEVER;
  }
  return point;
});

/** Reads what {@link placesTarget} wrote; refuses anything else. */
export const placesArgsSchema = z
  .object({
    q: z.string().min(1).max(80).optional(),
    n: namedPoint.optional(),
    k: z.enum(["t", "b", "u", "m", "f", "s", "p", "o"]).optional(),
    p: z.coerce.number().int().min(1).max(400).default(1),
    o: z.coerce.number().int().min(0).max(95).default(0),
  })
  .transform(({ q, n, k, p, o }): PlacesSearch => ({
    text: q,
    near: n,
    kind: k && KIND_LETTERS[k],
    start: { page: p, skip: o },
  }));

/** A target that shows a search; `undefined` where its texts are too long for an id, so that there can be no button. */
export function placesTarget(action: PlacesAction, search: PlacesSearch): ComponentTarget | undefined {
  const { text, near, kind, start } = search;
  const letter = Object.entries(KIND_LETTERS).find(([, value]) => value === kind)?.[0];
  const write = (nameLimit: number): ComponentTarget => ({
    command: "places",
    action,
    args: {
      ...(text !== undefined && { q: text }),
      ...(near && { n: formatNamedPoint(near, nameLimit) }),
      ...(letter !== undefined && { k: letter }),
      ...(start.page !== 1 && { p: String(start.page) }),
      ...(start.skip !== 0 && { o: String(start.skip) }),
    },
  });
  // The name of the point gives way first: it is only said back.
  return [POINT_NAME_LIMIT, 12, 4].map(write).find(fitsId);
}

function fitsId(target: ComponentTarget): boolean {
  try {
    return formatComponentId(target).length <= COMPONENT_ID_LIMIT;
  } catch {
    return false;
  }
}

/** `show` from a place, `refresh` and the two directions of a long list. Each shows a stop. */
export type BusAction = "show" | "refresh" | "back" | "more";

/** Which stop, and how many of its buses to skip. Reads what {@link busTarget} wrote; refuses anything else. */
export const busArgsSchema = z
  .object({
    s: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
    o: z.coerce.number().int().min(0).max(500).default(0),
  })
  .transform(({ s, o }) => ({ atco: s, skip: o }));

export type BusArgs = z.infer<typeof busArgsSchema>;

/** A target that shows a stop's buses. */
export function busTarget(action: BusAction, { atco, skip }: BusArgs): ComponentTarget {
  return { command: "bus", action, args: { s: atco, ...(skip > 0 && { o: String(skip) }) } };
}
