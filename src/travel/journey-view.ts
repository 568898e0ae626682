// Journeys as a reply: the ways in a list, one of them from end to end, and buttons to earlier and later ones.
import type { Temporal } from "temporal-polyfill";
import {
  buttonTo,
  menu,
  type ActionButton,
  type Part,
  type Reply,
  card,
  escapeMarkdown,
} from "../core/reply.ts";
import { formatUkDay, formatUkTime, minutesBetween } from "../time/uk-time.ts";
import type { JourneyLeg, JourneyPlan, JourneyQuestion, Route } from "./journeys.ts";
import { formatJourneyArgs } from "./journey-args.ts";
import { sourceLines } from "../sources/source-words.ts";
import { minute } from "../core/component-args.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { plural, joinDots, oneLine } from "../core/text.ts";
import { formatDuration } from "../time/duration.ts";

/** More ways than this nobody compares on a phone. */
const MOST_ROUTES = 6;
/** How far the buttons step where no way is known to step past. */
const STEP_MINUTES = 60;

export interface JourneyLook {
  /** Which way is shown from end to end, as {@link routeKey}; the next one, or the last in time, where there is none. */
  readonly route?: string | undefined;
  /** A sentence about the time that was asked for. */
  readonly note?: string | undefined;
}

/** Names a route among those of a plan, also after a restart. */
export function routeKey({ departsAt, arrivesAt }: Route): string {
  return `${minute.write(departsAt)}-${minute.write(arrivesAt)}`;
}

export function journeyView(plan: JourneyPlan, { route: key, note }: JourneyLook = {}): Reply {
  const { arriveBy } = plan.question;
  const all = distinct(plan.routes);
  const routes = arriveBy ? all.slice(-MOST_ROUTES) : all.slice(0, MOST_ROUTES);
  // Who wants to be there by a time need not leave before the last way.
  const shown = routes.find((route) => routeKey(route) === key) ?? routes.at(arriveBy ? -1 : 0);
  const content: Part[] = shown
    ? [
        ...(routes.length > 1 ? [routeList(routes, shown, plan), { type: "separator" as const }] : []),
        `${routes.length > 1 ? "" : `${routeLine(shown, plan, true)}\n`}${routeMarkdown(shown, plan)}`,
      ]
    : [NO_WAY];
  return card([
    heading(plan.question),
    note,
    ...content,
    sourceLines(plan),
    shown && routes.length > 1 && routeMenu(routes, shown, plan),
    buttons(plan, routes, shown),
  ]);
}

const NO_WAY =
  "I found no way there at that time. Try **Earlier** or **Later**, or a larger station nearby: `/places` finds some.";

/** Two ways that differ only in what a person cannot see would stand twice in the menu. */
function distinct(routes: readonly Route[]): readonly Route[] {
  return [...new Map(routes.toReversed().map((route) => [routeKey(route), route])).values()].toReversed();
}

function heading({ from, to, at, arriveBy }: JourneyQuestion): string {
  const when = arriveBy ? "Arriving by" : "Leaving from";
  return `### ${escapeMarkdown(placeName(from.name))} → ${escapeMarkdown(placeName(to.name))}\n-# ${when} ${formatUkTime(at)}, ${formatUkDay(at)}`;
}

function routeList(routes: readonly Route[], shown: Route, plan: JourneyPlan): string {
  return routes.map((route) => routeLine(route, plan, route === shown)).join("\n");
}

function routeLine(route: Route, { question }: JourneyPlan, isShown: boolean): string {
  const { times, rest } = routeWords(route, question.at);
  return `${isShown ? `**${times}**` : times} · ${rest}`;
}

function routeMenu(routes: readonly Route[], shown: Route, { question }: JourneyPlan): Part {
  return menu(
    { command: "journey", action: "route", args: formatJourneyArgs(question) },
    "Show another way…",
    routes.map((route) => {
      const { times, rest } = routeWords(route, question.at);
      return {
        label: `${times} · ${rest}`,
        value: routeKey(route),
        description: route.legs.map((leg) => legWords(leg).text.split(" · ")[0]).join(", "),
        chosen: route === shown,
      };
    }),
  );
}

function buttons(
  { question, dataAt }: JourneyPlan,
  routes: readonly Route[],
  shown: Route | undefined,
): readonly ActionButton[] {
  const { at, arriveBy } = question;
  const now = Math.floor(dataAt.epochMilliseconds / 60_000) * 60_000;
  const button = (label: string, action: string, changed: Partial<JourneyQuestion>): ActionButton =>
    buttonTo(label, { command: "journey", action, args: formatJourneyArgs({ ...question, ...changed }) });
  const last = routes.at(-1)?.departsAt;
  const earliest = routes[0]?.arrivesAt;
  const later = !arriveBy && last ? last.add({ minutes: 1 }) : at.add({ minutes: STEP_MINUTES });
  const stepBack =
    arriveBy && earliest ? earliest.subtract({ minutes: 1 }) : at.subtract({ minutes: STEP_MINUTES });
  // Back from now there is only what has gone.
  const isEarliest = at.epochMilliseconds <= now;
  const isTooEarly = stepBack.epochMilliseconds < now;
  const earlier = isTooEarly ? dataAt : stepBack;
  return [
    { ...button("Earlier", "earlier", { at: earlier }), disabled: isEarliest || (arriveBy && isTooEarly) },
    button("Later", "later", { at: later }),
    button("Return", "return", {
      from: question.to,
      to: question.from,
      at: shown?.arrivesAt ?? at,
      arriveBy: false,
    }),
  ];
}

// One route from end to end: a line of stops, with what one rides between them behind a bar.

/** Who has so little time before a walk just walks: it is not said as a wait. */
const SLACK_MINUTES = 5;

/**
 * The route in Markdown. Block quotes make the bars, so it reads on a phone as on a desk. In the specification's
 * answers legs have no ends: all that is known is what one does there.
 */
function routeMarkdown(route: Route, { question: { from, to, at } }: JourneyPlan): string {
  const { legs, departsAt } = route;
  const lines = [stopLine(departsAt, at, legs[0]?.from ?? from.name)];
  for (const [index, leg] of legs.entries()) {
    const before = legs[index - 1];
    const after = legs[index + 1];
    const waitMinutes = before ? minutesBetween(before.arrivesAt, leg.departsAt) : 0;
    if (before && waitMinutes > (leg.mode === "walk" ? SLACK_MINUTES : 0)) {
      const isChange = before.mode !== "walk" && leg.mode !== "walk";
      lines.push(
        `-# ${isChange ? "Change" : "Wait"}, ${lengthWords(waitMinutes)}`,
        stopLine(leg.departsAt, departsAt, leg.from ?? before.to ?? begin(leg)),
      );
    }
    const words = legWords(leg);
    const end = leg.to ?? (after ? (after.from ?? between(leg, after)) : to.name);
    lines.push(`> ${words.sign} ${escapeMarkdown(words.text)}`, stopLine(leg.arrivesAt, departsAt, end));
  }
  return lines.join("\n");
}

function begin({ mode }: JourneyLeg): string {
  return mode === "walk" ? "set off" : "get on";
}

/** What one does at the end of a leg, at a place nobody has named. */
function between(leg: JourneyLeg, after: JourneyLeg): string {
  if (leg.mode !== "walk") {
    return "get off";
  }
  return minutesBetween(leg.arrivesAt, after.departsAt) > 0 ? "arrive" : begin(after);
}

/** The day is named where it is another than `day`'s. */
function stopLine(moment: Route["departsAt"], day: Route["departsAt"], place: string): string {
  return `**${dayAndTime(moment, day)}** ${escapeMarkdown(placeName(place))}`;
}

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
function legWords(leg: JourneyLeg): { readonly sign: string; readonly text: string } {
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
function routeWords(
  { departsAt, arrivesAt, durationMinutes, pricePounds, changes, legs }: Route,
  day: Temporal.Instant,
): { readonly times: string; readonly rest: string } {
  const isOnFoot = legs.every(({ mode }) => mode === "walk");
  const changing = changes === 0 ? "direct" : plural(changes, "change");
  const price = pricePounds === undefined ? undefined : `£${pricePounds.toFixed(2)}`;
  return {
    times: `${dayAndTime(departsAt, day)} → ${dayAndTime(arrivesAt, departsAt)}`,
    rest: joinDots(lengthWords(durationMinutes), isOnFoot ? "on foot" : changing, price),
  };
}

/** e.g. `1 h 49 min`, `5 min`. */
function lengthWords(minutes: number): string {
  return minutes < 1 ? "1 min" : formatDuration(minutes * MS_PER_MINUTE);
}

/** The name of a place on one line. */
function placeName(name: string): string {
  return oneLine(name, NAME_LIMIT) || "somewhere";
}
