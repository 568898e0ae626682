// A journey's facts as words, not yet escaped.
import type { Temporal } from "temporal-polyfill";
import type { JourneyLeg, Route } from "../services/journeys/journeys.ts";
import { dayAndTime } from "./board-words.ts";
import { oneLine } from "../core/cut-text.ts";
import { formatDuration } from "./duration.ts";

const NAME_LIMIT = 60;
const MS_PER_MINUTE = 60_000;

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

/** One leg, e.g. `🚆 Northern to Hull`, `🚌 Bus 4A to City Centre`, `🚶 Walk 5 min`. */
export function legWords(leg: JourneyLeg): { readonly sign: string; readonly text: string } {
  const minutes = minutesBetween(leg.departsAt, leg.arrivesAt);
  if (leg.mode === "walk") {
    return { sign: "🚶", text: `Walk ${lengthWords(minutes)}` };
  }
  const [sign, word] = MODES.get(leg.mode.replace(/[\s_]+/g, "-")) ?? ["🚏", modeWord(leg.mode)];
  const destination = leg.destination && ` to ${oneLine(leg.destination, NAME_LIMIT)}`;
  return { sign, text: `${vehicleWord(word, leg)}${destination ?? ""} · ${lengthWords(minutes)}` };
}

/** A train's line is its company in the specification and a mere number in the public service. */
function vehicleWord(word: string, { line = "" }: JourneyLeg): string {
  const name = oneLine(line, NAME_LIMIT);
  if (name === "" || (word === "Train" && /^\d+$/.test(name))) {
    return word;
  }
  const says = name.toLowerCase().includes(word.toLowerCase());
  return word === "Train" || says ? name : /^[A-Z]?\d/.test(name) ? `${word} ${name}` : `${name} (${word})`;
}

function modeWord(mode: string): string {
  const word = oneLine(mode.replace(/[-_]+/g, " "), 30);
  return word === "" ? "Ride" : `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** One route in a line, e.g. `17:31 → 19:20` and `1 h 49 min · 1 change · £12.40`; days are named from `day`'s on. */
export function routeWords(
  { departsAt, arrivesAt, durationMinutes, pricePounds, changes, legs }: Route,
  day: Temporal.Instant,
): { readonly times: string; readonly rest: string } {
  const isOnFoot = legs.every(({ mode }) => mode === "walk");
  const changing = changes === 0 ? "direct" : `${changes} change${changes === 1 ? "" : "s"}`;
  const price = pricePounds === undefined ? undefined : `£${pricePounds.toFixed(2)}`;
  return {
    times: `${dayAndTime(departsAt, day)} → ${dayAndTime(arrivesAt, departsAt)}`,
    rest: [lengthWords(durationMinutes), isOnFoot ? "on foot" : changing, price].filter(Boolean).join(" · "),
  };
}

/** e.g. `1 h 49 min`, `5 min`. */
export function lengthWords(minutes: number): string {
  return minutes < 1 ? "1 min" : formatDuration(minutes * MS_PER_MINUTE);
}

/** Whole minutes. */
export function minutesBetween(start: Temporal.Instant, end: Temporal.Instant): number {
  return Math.round((end.epochMilliseconds - start.epochMilliseconds) / MS_PER_MINUTE);
}

/** The name of a place on one line. */
export function placeName(name: string): string {
  return oneLine(name, NAME_LIMIT) || "somewhere";
}
