// A journey's ends are written as people may type them, so one parser reads both.
import {
  type ArgsOf,
  anyText,
  defineArgs,
  flag,
  minute,
  oneOf,
  optional,
  type WrittenArgs,
  cutForId,
  sizeInId,
} from "../core/component-id.ts";
import { type ViewFormat, viewFormatArg } from "../rail/view-format.ts";
import { formatLonLat } from "./parse-place.ts";
import type { JourneyEnd, JourneyQuestion } from "./journeys.ts";

/** Ends as typed, or as {@link formatEnd} wrote them. `at` is absent for now. */
export const journeyArgs = defineArgs({
  from: ["f", anyText(100)],
  to: ["t", anyText(100)],
  at: ["a", optional(minute)],
  arriveBy: ["b", flag],
  format: ["w", viewFormatArg],
});

export type JourneyArgs = ArgsOf<typeof journeyArgs>;

/** How many characters of an id both ends may take. */
const ENDS_LIMIT = 54;

/** The names of places are shortened or left out if there is no room for them. */
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
 * e.g. `YRK`, `YO241AB`, `atco:3290YYA00103`, `-1.093 53.958`. After the last two, a star and as much of the
 * name follow as `nameLimit` characters of an id allow. {@link parseEnd} separates the two.
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
      // In Great Britain the numbers themselves show which is the latitude. A space is the shortest separator.
      return `${formatLonLat(place).replace(",", " ")}${nameTail(name, nameLimit)}`;
  }
}

/** No place's name contains a star. */
export function parseEnd(text: string): { readonly text: string; readonly name: string | undefined } {
  const [place = "", name] = text.split("*");
  return { text: place, name: name?.trim() || undefined };
}

/** The other end is as typed. */
export const choosingArgs = defineArgs({
  side: ["m", oneOf({ from: "f", to: "t" })],
  other: ["o", anyText(100)],
  at: ["a", optional(minute)],
  arriveBy: ["b", flag],
  format: ["w", viewFormatArg],
});

export type ChoosingArgs = ArgsOf<typeof choosingArgs>;

/** How many characters of the menu's id the other end may take. */
const OTHER_LIMIT = 60;

/** `undefined` if the other end is too long for the menu's id. */
export function formatChoosingArgs(given: ChoosingArgs): WrittenArgs | undefined {
  return sizeInId(given.other) > OTHER_LIMIT ? undefined : choosingArgs.encode(given);
}

function nameTail(name: string, limit: number): string {
  const tail = cutForId(name.replaceAll("*", " ").trim(), limit - 1).trim();
  return tail === "" ? "" : `*${tail}`;
}
