// What the buttons and menus of a journey remember. Its ends are written as people may write them, so that they are
// read like everything people write.
import { type ArgsOf, anyText, defineArgs, flag, minute, oneOf, optional } from "../core/component-args.ts";
import { type ViewFormat, viewFormatArg } from "../rail/view-format.ts";
import { formatLonLat } from "./coordinates.ts";
import type { JourneyEnd, JourneyQuestion } from "./journeys.ts";
import { type WrittenArgs, cutForId, sizeInId } from "../core/component-id.ts";

/**
 * A journey before anybody knows what its ends are: as a person typed them, or as {@link formatEnd} wrote them. Now where
 * `at` is absent.
 */
export const journeyArgs = defineArgs({
  from: ["f", anyText(100)],
  to: ["t", anyText(100)],
  at: ["a", optional(minute)],
  arriveBy: ["b", flag],
  format: ["w", viewFormatArg],
});

export type JourneyArgs = ArgsOf<typeof journeyArgs>;

/** Room for both ends in an id beside everything else, in characters. */
const ENDS_LIMIT = 54;

/** Writes a question for a component's id. Names of places give way where there is no room for them. */
export function formatJourneyArgs({ from, to, ...when }: JourneyQuestion, format: ViewFormat): WrittenArgs {
  const bare = sizeInId(formatEnd(from, 0)) + sizeInId(formatEnd(to, 0));
  const nameLimit = Math.floor((ENDS_LIMIT - bare) / 2) - 1;
  return journeyArgs.encode({
    from: formatEnd(from, nameLimit),
    to: formatEnd(to, nameLimit),
    ...when,
    format,
  });
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

/** Which end still has to be chosen, and what is known beside it: the other end, as typed. */
export const choosingArgs = defineArgs({
  side: ["m", oneOf({ from: "f", to: "t" })],
  other: ["o", anyText(100)],
  at: ["a", optional(minute)],
  arriveBy: ["b", flag],
  format: ["w", viewFormatArg],
});

export type ChoosingArgs = ArgsOf<typeof choosingArgs>;

/** Room for the other end in the id of the menu, in characters. */
const OTHER_LIMIT = 60;

/** Writes args for the menu's id; `undefined` where the other end is too long to be remembered. */
export function formatChoosingArgs(given: ChoosingArgs): WrittenArgs | undefined {
  return sizeInId(given.other) > OTHER_LIMIT ? undefined : choosingArgs.encode(given);
}

function nameTail(name: string, limit: number): string {
  const tail = cutForId(name.replaceAll("*", " ").trim(), limit - 1).trim();
  return tail === "" ? "" : `*${tail}`;
}
