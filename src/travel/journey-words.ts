// A journey's facts as words, which its text, its picture and the picture's alt text share.
import { joinDots, listAnd, oneLine, plural, upperFirst } from "../core/text.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { formatDuration } from "../time/duration.ts";
import { UK_TIME_ZONE, formatUkTime, minutesBetween } from "../time/uk-time.ts";
import type { FollowedLeg, FollowedRoute, LegStop } from "./follow-journey.ts";
import type { JourneyPlan, Route } from "./journeys.ts";

/** One route from end to end, from top to bottom: where one is, what one rides, where one waits. */
export type JourneyLine =
  | {
      readonly kind: "stop";
      readonly at: Temporal.Instant;
      /** Empty where the stop above has said it. */
      readonly place: string;
      readonly platform: string | undefined;
      readonly live: LiveWords | undefined;
    }
  | {
      readonly kind: "ride";
      readonly sign: string;
      readonly mode: string;
      readonly vehicle: string;
      /** e.g. `towards Hull`; empty where nobody says. */
      readonly towards: string;
      readonly length: string;
    }
  | { readonly kind: "wait"; readonly words: string; readonly isTight: boolean };

/** How a train does at a stop, e.g. `5 min late, 17:36`. */
export interface LiveWords {
  readonly words: string;
  readonly state: "on-time" | "late" | "cancelled";
}

/** Said where nobody names the station at which one changes trains. */
export const NOT_GIVEN = "station not given";

/** Who has so little time before a walk just walks: it is not said as a wait. */
const SLACK_MINUTES = 5;

export function journeyLines(
  { legs }: FollowedRoute,
  { from, to }: JourneyPlan["question"],
): readonly JourneyLine[] {
  return legs.flatMap((leg, index) => {
    const before = legs[index - 1];
    const after = legs[index + 1];
    const waitMinutes = before ? minutesBetween(before.arrivesAt, leg.departsAt) : 0;
    const isWait = before && waitMinutes > (leg.mode === "walk" ? SLACK_MINUTES : 0);
    const start =
      leg.from ??
      before?.to ??
      (before ? unnamed(leg, before, { onFoot: "set off", riding: "get on" }) : from.name);
    const end =
      leg.to ??
      (after ? (after.from ?? unnamed(leg, after, { onFoot: "get on", riding: "get off" })) : to.name);
    const isSame =
      before !== undefined && (before.to === undefined || placeName(before.to) === placeName(start));
    const lines: JourneyLine[] = [];
    if (before && isWait) {
      lines.push(waitLine(before, leg, waitMinutes));
    }
    if (!before || isWait) {
      lines.push(stopLine(leg.departsAt, isSame ? "" : start, leg.departure));
    }
    lines.push(rideLine(leg), stopLine(leg.arrivesAt, end, leg.arrival));
    return lines;
  });
}

function stopLine(at: Temporal.Instant, place: string, stop: LegStop | undefined): JourneyLine {
  return {
    kind: "stop",
    at,
    place: place === "" ? "" : placeName(place),
    platform: oneLine(stop?.platform ?? "", 8) || undefined,
    live: stop && liveWords(at, stop),
  };
}

/** Anything within a minute is on time. */
function liveWords(at: Temporal.Instant, { expectedAt, isCancelled }: LegStop): LiveWords | undefined {
  if (isCancelled) {
    return { words: "cancelled", state: "cancelled" };
  }
  if (expectedAt === undefined) {
    return undefined;
  }
  const late = minutesBetween(at, expectedAt);
  return late > 1
    ? { words: `${late} min late, ${formatUkTime(expectedAt)}`, state: "late" }
    : { words: "on time", state: "on-time" };
}

function waitLine(before: FollowedLeg, leg: FollowedLeg, minutes: number): JourneyLine {
  const isChange = before.mode !== "walk" && leg.mode !== "walk";
  const there = before.arrival?.expectedAt ?? before.arrivesAt;
  const isTight = minutesBetween(there, leg.departure?.expectedAt ?? leg.departsAt) < 1;
  const words = `${isChange ? "Change" : "Wait"}, ${lengthWords(minutes)}`;
  return { kind: "wait", words: isTight ? `${words}: you may miss it` : words, isTight };
}

/** What one does where nobody names the place between two legs: `onFoot` if one walks this leg, otherwise `riding`. */
function unnamed(
  leg: FollowedLeg,
  neighbour: FollowedLeg,
  { onFoot, riding }: { readonly onFoot: string; readonly riding: string },
): string {
  const isByTrain = leg.mode === "train" || neighbour.mode === "train";
  return isByTrain ? NOT_GIVEN : leg.mode === "walk" ? onFoot : riding;
}

const MS_PER_MINUTE = 60_000;
const NAME_LIMIT = 60;

/** What people call a vehicle, by the service's word for it. */
const MODES: ReadonlyMap<string, readonly [sign: string, word: string]> = new Map([
  ["train", ["🚆", "Train"]],
  ["replacement-bus", ["🚌", "Replacement bus"]],
  ["bus", ["🚌", "Bus"]],
  ["coach", ["🚌", "Coach"]],
  ["tube", ["🚇", "Underground"]],
  ["underground", ["🚇", "Underground"]],
  ["subway", ["🚇", "Subway"]],
  ["metro", ["🚇", "Metro"]],
  ["dlr", ["🚈", "DLR"]],
  ["overground", ["🚆", "Overground"]],
  ["tram", ["🚊", "Tram"]],
  ["boat", ["⛴️", "Boat"]],
  ["ferry", ["⛴️", "Ferry"]],
  ["cable-car", ["🚠", "Cable car"]],
  ["taxi", ["🚕", "Taxi"]],
]);

/** One leg, e.g. `🚆 Northern towards Hull`, `🚌 Bus 4A towards City Centre`, `🚶 Walk`. */
function rideLine(leg: FollowedLeg): JourneyLine & { readonly kind: "ride" } {
  const length = lengthWords(minutesBetween(leg.departsAt, leg.arrivesAt));
  if (leg.mode === "walk") {
    return { kind: "ride", sign: "🚶", mode: leg.mode, vehicle: "Walk", towards: "", length };
  }
  const [sign, word] = MODES.get(leg.mode.replace(/[\s_]+/g, "-")) ?? ["🚏", modeWord(leg.mode)];
  return {
    kind: "ride",
    sign,
    mode: leg.mode,
    vehicle: vehicleWord(word, leg),
    towards: leg.destination ? `towards ${oneLine(leg.destination, NAME_LIMIT)}` : "",
    length,
  };
}

/** A train's line is its company in the specification and a mere number in the public service. */
function vehicleWord(word: string, { line = "" }: FollowedLeg): string {
  const name = oneLine(line, NAME_LIMIT);
  if (name === "" || (word === "Train" && /^\d+$/.test(name))) {
    return word;
  }
  const says = name.toLowerCase().includes(word.toLowerCase());
  return word === "Train" || says ? name : /^[A-Z]?\d/.test(name) ? `${word} ${name}` : `${name} (${word})`;
}

function modeWord(mode: string): string {
  return upperFirst(oneLine(mode.replace(/[-_]+/g, " "), 30)) || "Ride";
}

/** e.g. `Northern towards Hull`. */
export function rideTitle({ vehicle, towards }: JourneyLine & { readonly kind: "ride" }): string {
  return `${vehicle} ${towards}`.trim();
}

/** What one rides, in the order of riding, e.g. `Northern, Bus 4A`. */
export function ridesWords({ legs }: Route): string {
  return legs.map((leg) => (leg.mode === "walk" ? "walk" : rideTitle(rideLine(leg)))).join(", ");
}

/** One route in a line, e.g. `17:31 → 19:20` and `1 h 49 min · 1 change · £12.40`; days are named from `day`'s on. */
export function routeWords(
  route: Route,
  { routes, question: { at } }: Pick<JourneyPlan, "routes" | "question">,
) {
  const { departsAt, arrivesAt, durationMinutes, pricePounds, changes, legs } = route;
  const changing = changes === 0 ? "direct" : plural(changes, "change");
  const hasPrices = routes.some((one) => one.pricePounds !== undefined);
  return {
    times: `${dayAndTime(departsAt, at)} → ${dayAndTime(arrivesAt, departsAt)}`,
    facts: joinDots(
      lengthWords(durationMinutes),
      legs.every(({ mode }) => mode === "walk") ? "on foot" : changing,
      pricePounds === undefined ? hasPrices && "no price" : `£${pricePounds.toFixed(2)}`,
    ),
    marks: joinDots(marksAmong(route, routes), nightWords(route)),
  };
}

/** Where there is a choice: whether this one is the fastest, or the cheapest of those whose price is known. */
function marksAmong(route: Route, routes: readonly Route[]): string {
  const priced = routes.filter(({ pricePounds }) => pricePounds !== undefined);
  const marks = [
    isFirstLeast(route, routes, ({ durationMinutes }) => durationMinutes) && "fastest",
    isFirstLeast(route, priced, ({ pricePounds = 0 }) => pricePounds) && "cheapest",
  ].filter((mark) => mark !== false);
  return marks.length === 0 ? "" : `★ ${listAnd(marks)}`;
}

function isFirstLeast(route: Route, all: readonly Route[], valueOf: (one: Route) => number): boolean {
  const least = Math.min(...all.map(valueOf));
  return all.some((one) => valueOf(one) > least) && all.find((one) => valueOf(one) === least) === route;
}

const NIGHT_WAIT_MINUTES = 150;

/** A long wait over midnight, or in the small hours, e.g. `⚠️ 8 h 17 min wait overnight`. */
function nightWords({ legs }: Route): string | undefined {
  const waits = legs.slice(1).map((leg, index) => {
    const since = legs[index]?.arrivesAt ?? leg.departsAt;
    const minutes = minutesBetween(since, leg.departsAt);
    const isNight = hourOf(leg.departsAt) < hourOf(since) || hourOf(since) < 4;
    return isNight ? minutes : 0;
  });
  const longest = Math.max(0, ...waits);
  return longest >= NIGHT_WAIT_MINUTES ? `⚠️ ${lengthWords(longest)} wait overnight` : undefined;
}

function hourOf(at: Temporal.Instant): number {
  return at.toZonedDateTimeISO(UK_TIME_ZONE).hour;
}

/** e.g. `1 h 49 min`, `5 min`. */
function lengthWords(minutes: number): string {
  return minutes < 1 ? "1 min" : formatDuration(minutes * MS_PER_MINUTE);
}

export function placeName(name: string): string {
  return oneLine(name, NAME_LIMIT) || "somewhere";
}
