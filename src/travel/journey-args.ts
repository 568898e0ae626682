// What the buttons and menus of a journey remember. Its ends are written as people may write them, so that they are
// read like everything people write.
import { z } from "zod";
import { formatLonLat } from "./coordinates.ts";
import type { JourneyEnd, JourneyQuestion } from "./journeys.ts";
import { cutForId, sizeInId } from "../core/component-id.ts";
import { formatMinute, minuteSchema } from "../time/parse-when.ts";

/**
 * A journey before anybody knows what its ends are: as a person typed them, or as {@link formatEnd} wrote them. Now where
 * `at` is absent. Reads what {@link formatJourneyArgs} wrote; refuses anything else.
 */
export const journeyArgsSchema = z
  .object({
    f: z.string().min(1).max(100),
    t: z.string().min(1).max(100),
    a: minuteSchema.optional(),
    b: z.literal("1").optional(),
  })
  .transform(({ f, t, a, b }) => ({ from: f, to: t, at: a, arriveBy: b === "1" }));

export type JourneyArgs = z.infer<typeof journeyArgsSchema>;

/** Room for both ends in an id beside everything else, in characters. */
const ENDS_LIMIT = 58;

/** Writes a question for a component's id. Names of places give way where there is no room for them. */
export function formatJourneyArgs({ from, to, at, arriveBy }: JourneyQuestion): Record<string, string> {
  const bare = sizeInId(formatEnd(from, 0)) + sizeInId(formatEnd(to, 0));
  const nameLimit = Math.floor((ENDS_LIMIT - bare) / 2) - 1;
  return {
    f: formatEnd(from, nameLimit),
    t: formatEnd(to, nameLimit),
    a: formatMinute(at),
    ...(arriveBy && { b: "1" }),
  };
}

/**
 * An end as a short text, e.g. `YRK`, `YO241AB`, `atco:3290YYA00103`, `-1.093 53.958`; the last two with as much of
 * their name as `nameLimit` characters of an id hold, after a star. {@link parseEnd} takes the two apart.
 */
export function formatEnd({ place, name }: JourneyEnd, nameLimit: number): string {
  switch (place.kind) {
    case "station":
      return place.crs;
    case "postcode":
      return place.postcode.replace(" ", "");
    case "stop":
      return `atco:${place.atcocode}${nameTail(name, nameLimit)}`;
    case "point":
      // In Great Britain a pair says by itself which of the two is the latitude; a space is the cheapest separator.
      return `${formatLonLat(place).replace(",", " ")}${nameTail(name, nameLimit)}`;
  }
}

/** The text that says where an end lies, and its name where one is remembered. A star is in no place's name. */
export function parseEnd(text: string): { readonly text: string; readonly name: string | undefined } {
  const [place = "", name] = text.split("*");
  return { text: place, name: name?.trim() || undefined };
}

/**
 * Which end still has to be chosen, and what is known beside it: the other end, as typed. Reads what
 * {@link formatChoosingArgs} wrote; refuses anything else.
 */
export const choosingArgsSchema = z
  .object({
    m: z.enum(["f", "t"]),
    o: z.string().min(1).max(100),
    a: minuteSchema.optional(),
    b: z.literal("1").optional(),
  })
  .transform(({ m, o, a, b }) => ({
    side: m === "f" ? ("from" as const) : ("to" as const),
    other: o,
    at: a,
    arriveBy: b === "1",
  }));

export type ChoosingArgs = z.infer<typeof choosingArgsSchema>;

/** Room for the other end in the id of the menu, in characters. */
const OTHER_LIMIT = 60;

/** Writes args for the menu's id; `undefined` where the other end is too long to be remembered. */
export function formatChoosingArgs({
  side,
  other,
  at,
  arriveBy,
}: ChoosingArgs): Record<string, string> | undefined {
  return sizeInId(other) > OTHER_LIMIT
    ? undefined
    : {
        m: side === "from" ? "f" : "t",
        o: other,
        ...(at && { a: formatMinute(at) }),
        ...(arriveBy && { b: "1" }),
      };
}

function nameTail(name: string, limit: number): string {
  const tail = cutForId(name.replaceAll("*", " ").trim(), limit - 1).trim();
  return tail === "" ? "" : `*${tail}`;
}
