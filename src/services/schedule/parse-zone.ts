// Reads a time zone as people type it.
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import { isAbbreviation, zonesCalled } from "./find-zones.ts";
import { suggestZones } from "./suggest-schedule.ts";

/** Gives a zone's IANA name. Throws a UserError that names the nearest where none, or more than one, is called so. */
export function parseZone(text: string): string {
  const typed = text.slice(0, LONGEST).trim();
  // As it may be copied from a list of zones: "New York time (America/New_York)".
  const [, inBrackets] = /\(([^()]+)\)$/.exec(typed) ?? [];
  const [first, ...others] = zonesCalled(inBrackets ?? typed);
  if (first !== undefined && others.length === 0) {
    return first;
  }
  const quote = quoteText(text);
  if (first !== undefined) {
    throw new UserError(
      `More than one time zone is called “${quote}”, e.g. ${OR.format([first, ...others].slice(0, MOST_NAMED))}. Type the whole name.`,
    );
  }
  if (isAbbreviation(typed)) {
    throw new UserError(
      `“${quote}” leaves open whether clocks change in summer. Name a city, e.g. London, or type UTC for the same time all year.`,
    );
  }
  throw new UserError(
    quote === ""
      ? "Which time zone? Name a city, e.g. London or New York."
      : `There is no time zone “${quote}”. Did you mean ${OR.format(suggestZones(typed, 3))}?`,
  );
}

/** The longest name has 38 letters. */
const LONGEST = 80;
const MOST_NAMED = 4;
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });
