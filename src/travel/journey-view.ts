// A journey's routes in a list, and one of them in full as a picture or in words.
import {
  ALT_TEXT_LIMIT,
  buttonTo,
  menu,
  type ActionButton,
  type Part,
  type Reply,
  card,
  escapeMarkdown,
} from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import { type JourneyPlan, type JourneyQuestion, type Route, routeKey } from "./journeys.ts";
import { formatJourneyArgs } from "./journey-args.ts";
import {
  type JourneyLine,
  NOT_GIVEN,
  journeyLines,
  placeName,
  ridesWords,
  routeWords,
} from "./journey-words.ts";
import type { JourneyPictureModel } from "../render/journey-picture.ts";
import { sourceLines } from "../sources/source-words.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { type ViewFormat, viewFormatButton } from "../rail/view-format.ts";
import { joinCommas, joinDots, oneLine } from "../core/text.ts";

/** How far **Earlier** and **Later** go if there is no route to go past. */
const STEP_MINUTES = 60;

export interface JourneyViewOptions {
  /** A PNG of {@link journeyPictureModel}; without it, the route is shown in words. */
  readonly picture?: Uint8Array | undefined;
  /** About the time that was asked for. */
  readonly note?: string | undefined;
  /** The format that the buttons carry; it may be `picture` even if there is nothing to draw. */
  readonly format?: ViewFormat;
}

export function journeyView(
  plan: JourneyPlan,
  { picture, note, format = "text" }: JourneyViewOptions = {},
): Reply {
  const { routes, shown, question } = plan;
  const lines = shown ? journeyLines(shown, question) : [];
  return card([
    heading(question),
    note,
    missedSentence(plan),
    shown ? routes.map((route) => routeLine(route, plan)).join("\n") : NO_ROUTE,
    picture
      ? { name: "journey.png", bytes: picture, description: altText(plan, lines) }
      : lines.map(lineMarkdown).join("\n"),
    shown?.hasSkippedLookups === true
      ? SAVING_NOTE
      : lines.some((line) => line.kind === "stop" && line.place === NOT_GIVEN) && NOT_GIVEN_NOTE,
    sourceLines(plan),
    shown && routes.length > 1 && routeMenu(plan, format),
    buttons(plan, format),
  ]);
}

const NO_ROUTE =
  "I couldn't find a way there at that time. Try **Later**, or a larger station nearby: `/places` finds them.";

const NOT_GIVEN_NOTE =
  "-# I couldn't find out every station where you change. [National Rail](https://www.nationalrail.co.uk/journey-planner/) can tell you.";

const SAVING_NOTE =
  "-# To save requests, I haven't looked up every platform, delay and change. [National Rail](https://www.nationalrail.co.uk/journey-planner/) has them.";

function heading({ from, to, at, arriveBy }: JourneyQuestion): string {
  const when = arriveBy ? "Arriving by" : "Leaving after";
  return `### ${escapeMarkdown(placeName(from.name))} → ${escapeMarkdown(placeName(to.name))}\n-# ${when} ${formatUkTime(at)}, ${formatUkDay(at)}`;
}

function missedSentence({ missed, shown, question: { to, at } }: JourneyPlan): string | undefined {
  return missed && shown
    ? `**You can't be in ${escapeMarkdown(placeName(to.name))} by ${dayAndTime(missed, at)} any more.** The earliest arrival is ${dayAndTime(shown.arrivesAt, at)}, leaving ${dayAndTime(shown.departsAt, at)}.`
    : undefined;
}

function isShown(route: Route, { shown }: JourneyPlan): boolean {
  return shown !== undefined && routeKey(route) === routeKey(shown);
}

function routeLine(route: Route, plan: JourneyPlan): string {
  const { times, facts, marks } = routeWords(route, plan);
  return joinDots(isShown(route, plan) ? `**${times}**` : times, facts, marks && `**${marks}**`);
}

function routeMenu(plan: JourneyPlan, format: ViewFormat): Part {
  return menu(
    { command: "journey", action: "route", args: formatJourneyArgs(plan.question, format) },
    "Show another way…",
    plan.routes.map((route) => {
      const { times, facts, marks } = routeWords(route, plan);
      return {
        label: joinDots(times, facts),
        value: routeKey(route),
        description: oneLine(joinDots(marks, ridesWords(route)), 100),
        chosen: isShown(route, plan),
      };
    }),
  );
}

function buttons(
  { question, routes, shown, dataAt }: JourneyPlan,
  format: ViewFormat,
): readonly ActionButton[] {
  const { at, arriveBy } = question;
  const now = Math.floor(dataAt.epochMilliseconds / 60_000) * 60_000;
  const to = (action: string, changed: Partial<JourneyQuestion> = {}, otherFormat = format) => ({
    command: "journey",
    action,
    args: formatJourneyArgs({ ...question, ...changed }, otherFormat),
  });
  const last = routes.at(-1)?.departsAt;
  const earliest = routes[0]?.arrivesAt;
  const later = !arriveBy && last ? last.add({ minutes: 1 }) : at.add({ minutes: STEP_MINUTES });
  const stepBack =
    arriveBy && earliest ? earliest.subtract({ minutes: 1 }) : at.subtract({ minutes: STEP_MINUTES });
  // Anything before now has left.
  const isEarliest = at.epochMilliseconds <= now;
  const isTooEarly = stepBack.epochMilliseconds < now;
  const earlier = isTooEarly ? dataAt : stepBack;
  return [
    buttonTo("Earlier", to("earlier", { at: earlier }), {
      disabled: isEarliest || (arriveBy && isTooEarly),
    }),
    buttonTo("Later", to("later", { at: later })),
    buttonTo(
      "Return",
      to("return", {
        from: question.to,
        to: question.from,
        at: shown?.arrivesAt ?? at,
        arriveBy: false,
      }),
    ),
    viewFormatButton(format, (other) => to("look", {}, other)),
  ];
}

function dayAndTimeOf({ day, time }: { readonly day?: string | undefined; readonly time: string }): string {
  return day === undefined ? time : `${day} ${time}`;
}

/** Block quotes draw the bars between stops, which look right on phones and on desktops. */
function lineMarkdown(line: JourneyLine): string {
  switch (line.kind) {
    case "ride":
      return `> ${line.sign} ${escapeMarkdown(line.words)} · ${line.length}`;
    case "wait":
      return line.isTight ? `⚠️ ${line.words}` : `-# ${line.words}`;
    case "stop":
      return joinDots(
        `**${dayAndTimeOf(line)}** ${escapeMarkdown(line.place || "leaves")}`,
        line.platform && `platform ${escapeMarkdown(line.platform)}`,
        line.remark && (line.mood === "plain" ? line.remark : `**${line.remark}**`),
      );
  }
}

function altText(plan: JourneyPlan, lines: readonly JourneyLine[]): string {
  const { from, to } = plan.question;
  const steps = lines.map((line) => {
    switch (line.kind) {
      case "ride":
        return `${line.words}, ${line.length}`;
      case "wait":
        return line.words;
      case "stop":
        return joinCommas(
          `${dayAndTimeOf(line)} ${line.place}`.trim(),
          line.platform && `platform ${line.platform}`,
          line.remark,
        );
    }
  });
  return oneLine(`${placeName(from.name)} to ${placeName(to.name)}. ${steps.join(". ")}.`, ALT_TEXT_LIMIT);
}

/** `undefined` if there is no route. */
export function journeyPictureModel(plan: JourneyPlan): JourneyPictureModel | undefined {
  const { question, shown } = plan;
  return (
    shown && {
      title: `${placeName(question.from.name)} to ${placeName(question.to.name)}`,
      summary: routeWords(shown, plan).facts,
      day: formatUkDay(shown.departsAt),
      lines: journeyLines(shown, question),
    }
  );
}
