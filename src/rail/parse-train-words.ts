// Parses a message that asks for trains in somebody's own words, e.g. "next train to Leeds from York".
import type { WhenReader, WhenText } from "../time/parse-when.ts";
import type { Station, Stations } from "./stations.ts";

export interface TrainWords {
  /** As typed; `Stations.resolve` finds it. */
  readonly station: string;
  readonly to: string | undefined;
}

const LONGEST = 120;
/** Includes mentions and greetings. A longer message is ignored, because the patterns below take quadratic time. */
const LONGEST_MESSAGE = 500;
const MENTIONS = /<@[!&]?\d+>/g;
const POLITENESS = /^(?:(?:hi|hello|hey|please)\b[\s,!.]*)+|[\s,]*\b(?:please|thanks|thank you|now)$/gi;
const OPENING =
  /^(?:(?:when|what|show|which)(?:'s|’s| is| are| me)? )?(?:the |my )?(?:next |live |all )?(?:trains?|departures?)(?: times?)? /i;

/**
 * `undefined` if it is not certain that the message is about trains. Chat is full of words that are codes ("how",
 * "and") or nearly the names of stations ("home"). So names must be exact and codes in capitals, unless it says e.g.
 * "trains from".
 */
export function parseTrainWords(
  content: string,
  stations: Pick<Stations["live"], "find" | "resolve">,
): TrainWords | undefined {
  const text = plainText(content);
  if (text === "" || text.length > LONGEST) {
    return undefined;
  }
  const asked = text.replace(OPENING, "");
  const isAboutTrains = asked !== text && /^(?:from|to|at|between) /i.test(asked);
  const knows = (name: string): boolean =>
    isExact(name, stations.find(name)) || (isAboutTrains && isResolved(name, stations));
  return readings(asked).find(({ station, to }) => knows(station) && (to === undefined || knows(to)));
}

/** As {@link parseTrainWords}, with a day, a time or both at the end, e.g. "York to Leeds tomorrow at 9:00". */
export function parseTimedTrainWords(
  content: string,
  stations: Pick<Stations["live"], "find" | "resolve">,
  when: Pick<WhenReader, "split">,
): (TrainWords & WhenText) | undefined {
  const text = plainText(content);
  const words = text.length > LONGEST ? [] : text.split(" ");
  for (let count = 1; count < words.length; count += 1) {
    const moment = when.split(words.slice(count).join(" "));
    const trains = moment && parseTrainWords(words.slice(0, count).join(" "), stations);
    if (trains) {
      return { ...trains, ...moment };
    }
  }
  return undefined;
}

function plainText(content: string): string {
  if (content.length > LONGEST_MESSAGE) {
    return "";
  }
  const words = content.replace(MENTIONS, " ").replace(/\s+/g, " ").trim();
  return words
    .replace(/[?!.,]+$/, "")
    .replace(POLITENESS, "")
    .trim();
}

/** The ways to read a text as one station or two, the likeliest first: a name may contain "and". */
function readings(text: string): readonly TrainWords[] {
  const forms: readonly RegExp[] = [
    /^to (?<to>.+) from (?<station>.+)$/i,
    /^(?!to )(?:from |at )?(?<station>.+)$/i,
    /^(?:from |between )?(?<station>.+?)(?: to | ?(?:->|→|>) ?| [-–—] )(?<to>.+)$/i,
    /^(?:from |between )?(?<station>.+?) and (?<to>.+)$/i,
  ];
  return forms.flatMap((form) => {
    const { station, to } = form.exec(text)?.groups ?? {};
    return station === undefined ? [] : [{ station, to }];
  });
}

const CODE_LENGTH = 3;

function isExact(typed: string, found: Station | undefined): boolean {
  const isName = found?.name.toLowerCase() === typed.toLowerCase();
  return found !== undefined && (isName || typed.length !== CODE_LENGTH || typed === found.crs);
}

function isResolved(typed: string, stations: Pick<Stations["live"], "resolve">): boolean {
  try {
    stations.resolve(typed);
    return true;
  } catch {
    return false;
  }
}
