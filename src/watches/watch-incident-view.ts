import { SUCCESS_ACCENT, type Part, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import { formatUkTime } from "../time/uk-time.ts";
import { hashContent } from "../delivery/deliver.ts";
import type { Weekday } from "../time/schedule.ts";
import { instantAt } from "../time/wall-clock.ts";
import { formatDay, relativeTime, weekdayName } from "../time/words.ts";
import type { Watch } from "./watches.ts";
import type { Judgement, TroubledTrain } from "./judge-incident.ts";
import type { StationNames } from "../boards/board-settings-words.ts";
import { incidentMark, watchButton } from "./watch-args.ts";
import type { Disruption, LineKnowledge } from "./train-knowledge.ts";
import { trainLine, trainSentences } from "./train-trouble-words.ts";
import { watchName } from "./watch-saved-view.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { joinDots, joinLines, listAnd, oneLine, upperFirst } from "../core/text.ts";

/** A train, a commute or a line on one day, or disruptions. */
export interface Incident extends Omit<Judgement, "knowledge"> {
  readonly watch: Watch;
  /** The UK day of a train's start or of a commute's first hour, "YYYY-MM-DD"; a number for disruptions. */
  readonly day: string;
  /** The incident's messages are counted from 0. */
  readonly message: number;
  /** When the service made the data; for disruptions, the last answer that had something new. */
  readonly dataMs: number;
  /** The credit of its source, as Markdown; `undefined` if nothing is known now. */
  readonly credit: string | undefined;
  /** No train times have come for a quarter of an hour although they were due, or none are known. */
  readonly isBlind: boolean;
  /** The source could not be asked again for some minutes. */
  readonly isOld: boolean;
}

/** More lines would not be read. */
const MAX_LINES = 10;
/** If only the age of the data changes, a message is edited no more often than this. */
const AGE_STEP_MS = 10 * 60_000;

/** The age of the data alone changes the hash only every {@link AGE_STEP_MS}. */
export interface PresentedIncident {
  readonly hash: string;
  readonly reply: Reply;
}

/** Its buttons carry the mark by which the message is found again. */
export function presentIncident(incident: Incident, stations: StationNames): PresentedIncident {
  const text = incidentText(incident, stations);
  const { dataMs, isOld, isOver, watch, disruptions, credit } = incident;
  // Disruptions last for days: their messages say when something last changed, not how old the data is.
  const age = disruptions ? [isOld] : [Math.floor(dataMs / AGE_STEP_MS), isOld, isOver];
  if (disruptions?.every((each) => each.isOver)) {
    return { hash: hashContent(text), reply: card([text, credit && `-# ${credit}`], SUCCESS_ACCENT) };
  }
  const parts: Part[] = [
    text,
    dataMs > 0 && ageLine(incident),
    !(isOver && watch.settings.what.kind === "train") && buttons(incident),
  ];
  return { hash: hashContent([text, ...age]), reply: card(parts) };
}

function incidentText(incident: Incident, stations: StationNames): string {
  const { watch, isOver } = incident;
  return joinLines(
    `### ${heading(incident, stations)}`,
    body(incident),
    isOver && endLine(incident),
    watch.channelId !== undefined && watch.settings.ping && `-# <@${watch.ownerId}>`,
  );
}

function body(incident: Incident): string {
  const { watch, trains, line, disruptions, isOld } = incident;
  if (disruptions !== undefined) {
    return disruptionLines(disruptions);
  }
  if (line !== undefined) {
    return lineWords(line);
  }
  if (trains.length === 0) {
    return missingWords(incident);
  }
  return watch.settings.what.kind === "train"
    ? joinLines(...trains.map((train) => trainSentences(train, isOld)))
    : commuteLines(trains);
}

/** For a message that was posted because no train times came. */
function missingWords({ isBlind, isOver }: Incident): string {
  if (!isBlind) {
    return "✅ Train times are back, and I've seen nothing wrong.";
  }
  return isOver
    ? "⚠️ I couldn't get train times, so I can't say how it went."
    : "⚠️ **I can't get train times at the moment.** Please check the screens at the station.";
}

function endLine({ watch: { settings }, day }: Incident): string | undefined {
  const { what } = settings;
  switch (what.kind) {
    case "train":
      return "-# This watch is over.";
    case "network":
      return undefined;
    case "commute":
    case "line":
      return `-# That's all for today. I'll check again on ${nextDay(what.days, day)}.`;
  }
}

/** e.g. `07:30 York → Leeds, Sat 21 Nov` or `York → Leeds, 07:00–09:00, Sat 21 Nov`. */
function heading({ watch: { settings }, day, disruptions }: Incident, stations: StationNames): string {
  if (settings.what.kind === "network") {
    const [only, ...others] = disruptions ?? [];
    return only && others.length === 0
      ? operatorNames(only)
      : upperFirst(watchName(settings, stations, escapeMarkdown));
  }
  return watchName(settings, stations, escapeMarkdown, formatDay(Temporal.PlainDate.from(day)));
}

/** The next of these weekdays after a day, e.g. `Monday`. */
function nextDay(days: readonly Weekday[], day: string): string {
  const { dayOfWeek } = Temporal.PlainDate.from(day);
  const [next = 1] = days.toSorted((a, b) => ((a - dayOfWeek + 6) % 7) - ((b - dayOfWeek + 6) % 7));
  return weekdayName(next);
}

const REASON_LIMIT = 600;
const MAX_REASONS = 3;

function stateWords(states: readonly string[]): string {
  return escapeMarkdown(upperFirst(oneLine(listAnd(states), 200).toLowerCase()));
}

/** The text about a line: what is wrong in the source's words and why, or that all is well again. */
function lineWords({ states, reasons }: LineKnowledge): string {
  return states.length === 0
    ? "✅ **Good service again.**"
    : joinLines(
        `⚠️ **${stateWords(states)}**`,
        ...reasons.slice(0, MAX_REASONS).map((reason) => escapeMarkdown(oneLine(reason, REASON_LIMIT))),
      );
}

const SHORT_REASON_LIMIT = 120;
const MAX_DISRUPTIONS = 15;

/** One disruption in full, or a line for each of those that began together; those that are over come last. */
function disruptionLines(disruptions: readonly Disruption[]): string {
  const [only, ...others] = disruptions;
  if (only !== undefined && others.length === 0) {
    return only.isOver ? `${overWords(only)}\n-# ${shortWords(only)}` : lineWords(only);
  }
  const shown = disruptions.toSorted((a, b) => Number(a.isOver) - Number(b.isOver));
  const more = shown.length - MAX_DISRUPTIONS;
  return joinLines(
    disruptions.every(({ isOver }) => isOver) && "✅ **All of these are over.**",
    ...shown.slice(0, MAX_DISRUPTIONS).map((one) => {
      const name = operatorNames(one);
      return one.isOver
        ? joinDots(`~~${name}~~`, overWords(one))
        : joinDots(`⚠️ **${name}**`, shortWords(one));
    }),
    more > 0 && `-# and ${more} more. \`/network\` shows them all.`,
  );
}

function operatorNames({ operators }: Disruption): string {
  return escapeMarkdown(oneLine(listAnd(operators), 120));
}

function overWords({ overSinceMs = 0, sinceMs }: Disruption): string {
  return `✅ **Over since ${dayAndTime(instantAt(overSinceMs), instantAt(sinceMs))}**`;
}

function shortWords({ states, reasons }: Disruption): string {
  const reason = reasons[0] && escapeMarkdown(oneLine(reasons[0], SHORT_REASON_LIMIT));
  return joinDots(stateWords(states), reason);
}

/** A line for each train, by aimed time. If there are too many, trains that have left are dropped first. */
function commuteLines(trains: readonly TroubledTrain[]): string {
  const over = trains.length - MAX_LINES;
  const byImportance = [
    ...trains.filter(({ isGone }) => !isGone),
    ...trains.filter(({ isGone }) => isGone).toReversed(),
  ];
  const shown = new Set(byImportance.slice(0, MAX_LINES));
  const isBackToNormal = trains.every(({ isGone, troubles }) => !isGone && troubles.length === 0);
  return joinLines(
    isBackToNormal && "✅ **Back to normal.**",
    ...trains.filter((train) => shown.has(train)).map(trainLine),
    over > 0 && `-# and ${over} more`,
  );
}

function ageLine({ dataMs, isOld, credit, disruptions }: Incident): string {
  const at = `${formatUkTime(instantAt(dataMs))} UK time (${relativeTime(dataMs)})`;
  const age =
    disruptions === undefined
      ? `As of ${at}${isOld ? "; I haven't been able to check since" : ""}`
      : `Last changed at ${at}${isOld ? "; I can't check at the moment" : ""}`;
  return `-# ${joinDots(age, credit)}`;
}

function buttons({ watch: { id: watchId }, day, message }: Incident): Part {
  const mark = incidentMark.encode({ watchId, day, message });
  return [watchButton("pause", watchId, mark), watchButton("stop", watchId, mark)];
}
