// Shared by a journey's text, its picture and the picture's alt text.
import { joinDots, listAnd, oneLine, plural, upperFirst } from "../core/text.ts";
import { dayAndTime, latenessWords } from "../rail/board-words.ts";
import type { JourneyPictureLine } from "../render/journey-picture.ts";
import { formatDuration } from "../time/words.ts";
import { formatUkDate, formatUkTime, formatUkWeekday, isBefore, minutesBetween } from "../time/uk-time.ts";
import type { DetailedLeg, DetailedRoute, LegStop } from "./route-details.ts";
import { type JourneyPlan, type Route, nightWaitMinutes } from "./journeys.ts";

export type JourneyLine = Exclude<JourneyPictureLine, { readonly kind: "ride" }> | Ride;

interface Ride extends Extract<JourneyPictureLine, { readonly kind: "ride" }> {
  readonly sign: string;
  /** e.g. `Northern towards Hull`. */
  readonly words: string;
  readonly length: string;
}

/** Shown if no source names the station where the person changes trains. */
export const NOT_GIVEN = "station not given";

/** The longest time before a walk that is not shown as a wait. */
const SLACK_MINUTES = 5;

export function journeyLines(
  { legs, departsAt }: DetailedRoute,
  { from, to }: JourneyPlan["question"],
): readonly JourneyLine[] {
  const stopLine = (at: Temporal.Instant, place: string, stop: LegStop | undefined): JourneyLine => ({
    kind: "stop",
    time: formatUkTime(at),
    day: formatUkDate(at) === formatUkDate(departsAt) ? undefined : formatUkWeekday(at),
    place: place === "" ? "" : placeName(place),
    platform: oneLine(stop?.platform ?? "", 8) || undefined,
    ...liveWords(at, stop),
  });
  return legs.flatMap((leg, index) => {
    const before = legs[index - 1];
    const after = legs[index + 1];
    const waitMinutes = before ? minutesBetween(before.arrivesAt, leg.departsAt) : 0;
    const isWait = before && waitMinutes > (leg.mode === "walk" ? SLACK_MINUTES : 0);
    const start = leg.from ?? before?.to ?? (before ? "" : from.name);
    const next = legs[index + 2];
    const end =
      leg.to ??
      (after
        ? (after.from ??
          describeUnnamedPlace(leg, after, {
            start,
            end: after.to ?? (next === undefined ? to.name : next.from),
          }))
        : to.name);
    const lines: JourneyLine[] = [];
    if (before && isWait) {
      lines.push(waitLine(before, leg, waitMinutes));
    }
    if (!before || isWait) {
      lines.push(stopLine(leg.departsAt, start, leg.departure));
    }
    lines.push(rideLine(leg), stopLine(leg.arrivesAt, end, leg.arrival));
    return lines;
  });
}

/** Anything within a minute is on time. */
function liveWords(at: Temporal.Instant, stop: LegStop | undefined) {
  if (stop?.isCancelled === true) {
    return { remark: "cancelled", mood: "cancelled" } as const;
  }
  const { expectedAt } = stop ?? {};
  const late =
    expectedAt && isBefore(at, expectedAt) ? latenessWords(minutesBetween(at, expectedAt)) : undefined;
  return expectedAt && late
    ? ({ remark: `${late}, ${formatUkTime(expectedAt)}`, mood: "late" } as const)
    : ({ remark: expectedAt && "on time", mood: "plain" } as const);
}

function waitLine(before: DetailedLeg, leg: DetailedLeg, minutes: number): JourneyLine {
  const isChange = before.mode !== "walk" && leg.mode !== "walk";
  const arrivesAt = before.arrival?.expectedAt ?? before.arrivesAt;
  const isTight = minutesBetween(arrivesAt, leg.departure?.expectedAt ?? leg.departsAt) < 1;
  const words = `${isChange ? "Change" : "Wait"}, ${lengthWords(minutes)}`;
  return { kind: "wait", words: isTight ? `${words}: you may miss it` : words, isTight };
}

/** No source names this place, so the other end of a short walk, or what the person does there, does. */
function describeUnnamedPlace(
  leg: DetailedLeg,
  after: DetailedLeg,
  { start, end }: { readonly start: string; readonly end: string | undefined },
): string {
  if (leg.mode === "train" || after.mode === "train") {
    return NOT_GIVEN;
  }
  const [walk, there] = leg.mode === "walk" ? [leg, start] : [after, end];
  const isNear = walk.mode === "walk" && minutesBetween(walk.departsAt, walk.arrivesAt) <= NEARBY_MINUTES;
  return isNear && there ? `near ${placeName(there)}` : leg.mode === "walk" ? "get on" : "get off";
}

const NEARBY_MINUTES = 10;
const MS_PER_MINUTE = 60_000;
const NAME_LIMIT = 60;

/** The emoji, word and picture for each mode that the service names. */
const MODES: ReadonlyMap<string, readonly [sign: string, word: string, by: Ride["by"]]> = new Map([
  ["train", ["🚆", "Train", "train"]],
  ["replacement-bus", ["🚌", "Replacement bus", "bus"]],
  ["bus", ["🚌", "Bus", "bus"]],
  ["coach", ["🚌", "Coach", "bus"]],
  ["tube", ["🚇", "Underground", "metro"]],
  ["underground", ["🚇", "Underground", "metro"]],
  ["subway", ["🚇", "Subway", "metro"]],
  ["metro", ["🚇", "Metro", "metro"]],
  ["dlr", ["🚈", "DLR", "metro"]],
  ["overground", ["🚆", "Overground", "train"]],
  ["tram", ["🚊", "Tram", "metro"]],
  ["boat", ["⛴️", "Boat", "boat"]],
  ["ferry", ["⛴️", "Ferry", "boat"]],
  ["cable-car", ["🚠", "Cable car", "metro"]],
  ["taxi", ["🚕", "Taxi", "metro"]],
]);

/** e.g. `🚆 Northern towards Hull`, `🚌 Bus 4A towards City Centre`, `🚶 Walk`. */
function rideLine(leg: DetailedLeg): Ride {
  const length = lengthWords(minutesBetween(leg.departsAt, leg.arrivesAt));
  if (leg.mode === "walk") {
    return { kind: "ride", sign: "🚶", words: "Walk", length, title: "Walk", detail: length, by: "walk" };
  }
  const mode = leg.mode.replace(/[\s_]+/g, "-");
  const [sign, word, by] =
    MODES.get(mode) ??
    (["🚏", upperFirst(oneLine(mode.replaceAll("-", " "), 30)) || "Ride", "metro"] as const);
  const vehicle = vehicleWord(word, leg);
  const ride = { kind: "ride", sign, length, by } as const;
  if (!leg.destination) {
    return { ...ride, words: vehicle, title: vehicle, detail: length };
  }
  const towards = `towards ${oneLine(leg.destination, NAME_LIMIT)}`;
  return { ...ride, words: `${vehicle} ${towards}`, title: towards, detail: joinDots(vehicle, length) };
}

/** e.g. `Bus 4A`. A train's line is its operator in the specification, but a number in the public service. */
function vehicleWord(word: string, { line = "" }: DetailedLeg): string {
  const name = oneLine(line, NAME_LIMIT);
  if (name === "" || (word === "Train" && /^\d+$/.test(name))) {
    return word;
  }
  const hasWord = name.toLowerCase().includes(word.toLowerCase());
  return word === "Train" || hasWord
    ? name
    : /^[A-Z]?\d/.test(name)
      ? `${word} ${name}`
      : `${name} (${word})`;
}

/** e.g. `Northern, Bus 4A`. */
export function ridesWords({ legs }: Route): string {
  return legs.map((leg) => (leg.mode === "walk" ? "walk" : rideLine(leg).words)).join(", ");
}

/** e.g. `17:31 → 19:20` and `1 h 49 min · 1 change · £12.40`; with the day if not the question's. */
export function routeWords(
  route: Route,
  { routes, question: { at } }: Pick<JourneyPlan, "routes" | "question">,
) {
  const { departsAt, arrivesAt, durationMinutes, pricePounds, changes, legs } = route;
  const changesText = changes === 0 ? "direct" : plural(changes, "change");
  const hasPrices = routes.some((one) => one.pricePounds !== undefined);
  const nightWait = nightWaitMinutes(route);
  return {
    times: `${dayAndTime(departsAt, at)} → ${dayAndTime(arrivesAt, departsAt)}`,
    facts: joinDots(
      lengthWords(durationMinutes),
      legs.every(({ mode }) => mode === "walk") ? "on foot" : changesText,
      pricePounds === undefined ? hasPrices && "no price" : `£${pricePounds.toFixed(2)}`,
    ),
    marks: joinDots(
      routeMarks(route, routes),
      nightWait !== undefined && `⚠️ ${lengthWords(nightWait)} wait overnight`,
    ),
  };
}

/** The fastest, and the cheapest of those with a known price; empty if there is no choice. */
function routeMarks(route: Route, routes: readonly Route[]): string {
  const priced = routes.filter(({ pricePounds }) => pricePounds !== undefined);
  const marks = [
    isFirstMinimum(route, routes, ({ durationMinutes }) => durationMinutes) && "fastest",
    isFirstMinimum(route, priced, ({ pricePounds = 0 }) => pricePounds) && "cheapest",
  ].filter((mark) => mark !== false);
  return marks.length === 0 ? "" : `★ ${listAnd(marks)}`;
}

function isFirstMinimum(route: Route, all: readonly Route[], valueOf: (one: Route) => number): boolean {
  const least = Math.min(...all.map(valueOf));
  return all.some((one) => valueOf(one) > least) && all.find((one) => valueOf(one) === least) === route;
}

/** e.g. `1 h 49 min`, `5 min`. */
function lengthWords(minutes: number): string {
  return minutes < 1 ? "1 min" : formatDuration(minutes * MS_PER_MINUTE);
}

export function placeName(name: string): string {
  return oneLine(name, NAME_LIMIT) || "somewhere";
}
