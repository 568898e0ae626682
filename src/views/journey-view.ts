// Journeys as a reply: the ways in a list, one of them from end to end, and buttons to earlier and later ones.
import { escapeMarkdown, type ActionButton, type ContentBlock, type Reply } from "../core/reply.ts";
import { formatUkTime, formatUkDay } from "../core/uk-time.ts";
import type { JourneyPlan, JourneyQuestion, Route } from "../services/journeys/journeys.ts";
import { ACCENT } from "./accent.ts";
import { formatJourneyArgs } from "./journey-args.ts";
import { routeMarkdown } from "./journey-route-text.ts";
import { legWords, placeName, routeWords } from "./journey-words.ts";
import { sourceLines } from "./source-words.ts";
import { formatMinute } from "./when-args.ts";

/** More ways than this nobody compares on a phone. */
const MOST_ROUTES = 6;
/** How far the buttons step where no way is known to step past. */
const STEP_MINUTES = 60;

/** How a plan is shown. */
export interface JourneyLook {
  /** Which way is shown from end to end, as {@link routeKey}; the next one, or the last in time, where there is none. */
  readonly route?: string | undefined;
  /** A sentence about the time that was asked for. */
  readonly note?: string | undefined;
}

/** Names a route among those of a plan, also after a restart. */
export function routeKey({ departsAt, arrivesAt }: Route): string {
  return `${formatMinute(departsAt)}-${formatMinute(arrivesAt)}`;
}

/** Shows a plan. */
export function journeyView(plan: JourneyPlan, { route: key, note }: JourneyLook = {}): Reply {
  const { arriveBy } = plan.question;
  const all = distinct(plan.routes);
  const routes = arriveBy ? all.slice(-MOST_ROUTES) : all.slice(0, MOST_ROUTES);
  // Who wants to be there by a time need not leave before the last way.
  const shown = routes.find((route) => routeKey(route) === key) ?? routes.at(arriveBy ? -1 : 0);
  const content: ContentBlock[] = shown
    ? [
        ...(routes.length > 1
          ? [{ type: "text" as const, text: routeList(routes, shown, plan) }, { type: "separator" as const }]
          : []),
        {
          type: "text",
          text: `${routes.length > 1 ? "" : `${routeLine(shown, plan, true)}\n`}${routeMarkdown(shown, plan)}`,
        },
      ]
    : [{ type: "text", text: NO_WAY }];
  return {
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: heading(plan.question) },
          ...(note === undefined ? [] : [{ type: "text" as const, text: note }]),
          ...content,
          { type: "text", text: sourceLines(plan) },
          ...(shown && routes.length > 1 ? [routeMenu(routes, shown, plan)] : []),
          { type: "buttons", buttons: buttons(plan, routes, shown) },
        ],
      },
    ],
  };
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

function routeMenu(routes: readonly Route[], shown: Route, { question }: JourneyPlan): ContentBlock {
  return {
    type: "select",
    target: { command: "journey", action: "route", args: formatJourneyArgs(question) },
    placeholder: "Show another way…",
    choices: routes.map((route) => {
      const { times, rest } = routeWords(route, question.at);
      return {
        label: `${times} · ${rest}`,
        value: routeKey(route),
        description: route.legs.map((leg) => legWords(leg).text.split(" · ")[0]).join(", "),
        chosen: route === shown,
      };
    }),
  };
}

function buttons(
  { question, dataAt }: JourneyPlan,
  routes: readonly Route[],
  shown: Route | undefined,
): readonly ActionButton[] {
  const { at, arriveBy } = question;
  const now = Math.floor(dataAt.epochMilliseconds / 60_000) * 60_000;
  const button = (label: string, action: string, changed: Partial<JourneyQuestion>): ActionButton => ({
    type: "button",
    label,
    style: "secondary",
    target: { command: "journey", action, args: formatJourneyArgs({ ...question, ...changed }) },
  });
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
