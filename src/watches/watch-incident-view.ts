import { SUCCESS_ACCENT, type Part, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import { formatUkDay, formatUkTime, ukInstantOf } from "../time/uk-time.ts";
import { hashContent } from "../delivery/nonce.ts";
import { type Weekday, formatHours } from "../time/schedule.ts";
import { instantAt } from "../time/wall-clock.ts";
import { weekdayName, relativeTime } from "../time/words.ts";
import type { Watch } from "./watches.ts";
import type { Judgement, TroubledTrain } from "./judge-incident.ts";
import type { Trouble } from "./judge-train.ts";
import type { StationNames } from "../boards/board-settings-words.ts";
import { incidentMark, watchButton } from "./watch-args.ts";
import type { Disruption, LineKnowledge } from "./train-knowledge.ts";
import { hoursWords, watchName } from "./watch-saved-view.ts";
import type { BoardRow } from "../rail/departures.ts";
import { dayAndTime, rowWords } from "../rail/board-words.ts";
import { joinDots, joinLines, listAnd, lowerFirst, oneLine, upperFirst } from "../core/text.ts";
import { lineOf } from "../rail/london.ts";

/** A train, a commute or a line on one day, or disruptions. */
export interface Incident extends Pick<Judgement, "trains" | "line" | "disruptions"> {
  readonly watch: Watch;
  /** The UK day of a train's start or of a commute's first hour, "YYYY-MM-DD"; a number for disruptions. */
  readonly day: string;
  /** The incident's messages are counted from 0. */
  readonly message: number;
  /** When the service made the data; for disruptions, the last answer that had something new. */
  readonly dataMs: number;
  /** The credit of its source, as Markdown; `undefined` if nothing is known now. */
  readonly credit: string | undefined;
  /** The source could not be asked again for some minutes. */
  readonly isOld: boolean;
  /** The trains have left, a line's hours have passed, or the disruptions have ended. */
  readonly closed: boolean;
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
  const { dataMs, isOld, closed, watch, disruptions, credit } = incident;
  // Disruptions last for days: their messages say when something last changed, not how old the data is.
  const age = disruptions ? [isOld] : [Math.floor(dataMs / AGE_STEP_MS), isOld, closed];
  if (disruptions?.every(({ isOver }) => isOver)) {
    return { hash: hashContent(text), reply: card([text, credit && `-# ${credit}`], SUCCESS_ACCENT) };
  }
  const parts: Part[] = [
    text,
    dataMs > 0 && ageLine(incident),
    !(closed && watch.settings.what.kind === "train") && buttons(incident),
  ];
  return { hash: hashContent([text, ...age]), reply: card(parts) };
}

function incidentText(incident: Incident, stations: StationNames): string {
  const { watch, closed } = incident;
  return joinLines(
    `### ${heading(incident, stations)}`,
    ...bodyLines(incident),
    closed && endLine(incident),
    watch.target.kind === "channel" && watch.settings.ping && `-# <@${watch.ownerId}>`,
  );
}

function bodyLines({ watch, trains, line, disruptions }: Incident): readonly string[] {
  if (disruptions !== undefined) {
    return disruptionLines(disruptions);
  }
  if (line !== undefined) {
    return lineWords(line);
  }
  return watch.settings.what.kind === "train" ? trains.flatMap(trainSentences) : commuteLines(trains);
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
  const { what } = settings;
  if (what.kind === "network") {
    const [only, ...others] = disruptions ?? [];
    return only && others.length === 0
      ? operatorNames(only)
      : upperFirst(watchName(settings, stations, escapeMarkdown));
  }
  if (what.kind === "train") {
    return watchName(settings, stations, escapeMarkdown);
  }
  const nameOf = (crs: string): string => escapeMarkdown(stations.byCrs(crs)?.name ?? crs);
  const noon = ukInstantOf(Temporal.PlainDate.from(day).toPlainDateTime({ hour: 12 }));
  if (what.kind === "line") {
    return `${escapeMarkdown(lineOf(what.line).name)}, ${hoursWords(what)}, ${formatUkDay(noon)}`;
  }
  return `${nameOf(what.station)} → ${nameOf(what.to)}, ${formatHours(what.hours)}, ${formatUkDay(noon)}`;
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
function lineWords({ states, reasons }: LineKnowledge): readonly string[] {
  return states.length === 0
    ? ["✅ **Good service again.**"]
    : [
        `⚠️ **${stateWords(states)}**`,
        ...reasons.slice(0, MAX_REASONS).map((reason) => escapeMarkdown(oneLine(reason, REASON_LIMIT))),
      ];
}

const SHORT_REASON_LIMIT = 120;
const MAX_DISRUPTIONS = 15;

/** One disruption in full, or a line for each of those that began together; those that are over come last. */
function disruptionLines(disruptions: readonly Disruption[]): readonly string[] {
  const [only, ...others] = disruptions;
  if (only !== undefined && others.length === 0) {
    return only.isOver ? [overWords(only), `-# ${shortWords(only)}`] : lineWords(only);
  }
  const shown = disruptions.toSorted((a, b) => Number(a.isOver) - Number(b.isOver));
  const more = shown.length - MAX_DISRUPTIONS;
  return [
    ...(disruptions.every(({ isOver }) => isOver) ? ["✅ **All of these are over.**"] : []),
    ...shown.slice(0, MAX_DISRUPTIONS).map((one) => {
      const name = operatorNames(one);
      return one.isOver
        ? joinDots(`~~${name}~~`, overWords(one))
        : joinDots(`⚠️ **${name}**`, shortWords(one));
    }),
    ...(more > 0 ? [`-# and ${more} more. \`/network\` shows them all.`] : []),
  ];
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
function commuteLines(trains: readonly TroubledTrain[]): readonly string[] {
  const over = trains.length - MAX_LINES;
  const byImportance = [
    ...trains.filter(({ gone }) => !gone),
    ...trains.filter(({ gone }) => gone).toReversed(),
  ];
  const shown = new Set(byImportance.slice(0, MAX_LINES));
  const isBackToNormal = trains.every(({ gone, troubles }) => !gone && troubles.length === 0);
  return [
    ...(isBackToNormal ? ["✅ **Back to normal.**"] : []),
    ...trains.filter((train) => shown.has(train)).map(trainLine),
    ...(over > 0 ? [`-# and ${over} more`] : []),
  ];
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

const PLACE_LIMIT = 40;
const PLATFORM_LIMIT = 8;

/** A sentence or two for each trouble and for the alternatives, one below the other. */
function trainSentences(train: TroubledTrain): readonly string[] {
  const { troubles, gone } = train;
  if (gone) {
    return [`${endWords(train)}.`];
  }
  if (troubles.length === 0) {
    return [`✅ **Back to normal**: ${statusWords(train.row)}.`];
  }
  const hasBus = troubles.some(({ kind }) => kind === "bus");
  const isNotRunning = troubles.some(({ kind }) => NOT_RUNNING.has(kind));
  const reason = reasonWords(train);
  return [
    ...allTroubleWords(train).map((words) => `${words}.`),
    ...(reason === undefined ? [] : [`-# ${upperFirst(reason)}.`]),
    ...(isNotRunning ? [nextSentence(train, hasBus)] : []),
  ];
}

function trainLine(train: TroubledTrain): string {
  const { plannedAt, row, troubles, gone } = train;
  const name = `${formatUkTime(plannedAt)} to ${place(row)}`;
  if (gone) {
    return `-# ${name} · ${lowerFirst(endWords(train))}`;
  }
  if (troubles.length === 0) {
    return `**${name}** · ✅ back to normal, ${statusWords(row)}`;
  }
  const isNotRunning = troubles.some(({ kind }) => NOT_RUNNING.has(kind));
  return joinDots(
    isNotRunning ? `~~**${name}**~~` : `**${name}**`,
    ...allTroubleWords(train),
    reasonWords(train),
    isNotRunning && train.next && `next: ${rowName(train.next, plannedAt)}`,
  );
}

/** e.g. `because of a points failure`. Not for a train that has vanished: its last reason may not be why. */
function reasonWords({ row, troubles }: TroubledTrain): string | undefined {
  const { reason } = rowWords(row, row.aimedAt);
  return reason === undefined || troubles.some(({ kind }) => kind === "vanished")
    ? undefined
    : escapeMarkdown(reason);
}

const NOT_RUNNING: ReadonlySet<Trouble["kind"]> = new Set(["cancelled", "vanished"]);
/** A train may have these although it runs to time. */
const POSSIBLE_WHEN_ON_TIME: ReadonlySet<Trouble["kind"]> = new Set(["retimed", "platform"]);

/** A text for each trouble. If none of them says how late the train is, the last one adds it. */
function allTroubleWords(train: TroubledTrain): readonly string[] {
  const { troubles, row } = train;
  const addsLateness =
    troubles.every(({ kind }) => POSSIBLE_WHEN_ON_TIME.has(kind)) && row.state !== "scheduled";
  return troubles.map((trouble, index) => {
    const words = troubleWords(trouble, train);
    return addsLateness && index === troubles.length - 1 ? `${words}, ${latenessWords(row)}` : words;
  });
}

function troubleWords(trouble: Trouble, { plannedAt, row, bus }: TroubledTrain): string {
  switch (trouble.kind) {
    case "cancelled":
      return row.viaCancelled ? "**Runs, but won't stop where you get off**" : "**Cancelled**";
    case "vanished":
      return "**Gone from the board before it was due**: please check the screens at the station";
    case "bus":
      return `🚌 **A bus runs instead**${bus ? ` at ${leaves(bus, plannedAt)}` : ""}`;
    case "delayed":
      return "**Delayed**, with no expected time yet";
    case "late":
      return `**${trouble.minutes} min late**, expected at **${leaves(row, plannedAt)}**${fromPlatform(row)}`;
    case "retimed":
      return `**Now scheduled for ${dayAndTime(row.aimedAt, plannedAt)}** instead of ${formatUkTime(plannedAt)}`;
    case "platform":
      return `**Platform ${platform(trouble.to)}** instead of ${platform(trouble.from)}`;
  }
}

/** The sentence that says what to take instead of a train that does not run. */
function nextSentence({ plannedAt, next }: TroubledTrain, hasBus: boolean): string {
  if (next !== undefined) {
    return `${hasBus ? "Or the next one that runs" : "The next one that runs"}: ${rowName(next, plannedAt)}.`;
  }
  return hasBus
    ? "I don't see another in the next two hours."
    : "I don't see one that runs in the next two hours; `/journey` may find another way.";
}

/** e.g. `**07:45** to Hull, platform 3, on time`. */
function rowName(row: BoardRow, plannedAt: Temporal.Instant): string {
  const kind = row.mode === "bus" ? "🚌 bus" : undefined;
  const parts = [`**${dayAndTime(row.aimedAt, plannedAt)}** to ${place(row)}`, kind, statusWords(row)];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** e.g. `on time from platform 4`, `2 min late`. */
function statusWords(row: BoardRow): string {
  return `${latenessWords(row)}${fromPlatform(row)}`;
}

/** e.g. `on time`, `2 min late`. */
function latenessWords(row: BoardRow): string {
  const { lateness, expected } = rowWords(row, row.aimedAt);
  return lowerFirst(lateness ?? expected);
}

/** e.g. `It has left, 12 min late from platform 7`. */
function endWords({ row, troubles }: TroubledTrain): string {
  const [worst] = troubles;
  if (troubles.some(({ kind }) => kind === "bus")) {
    return "The replacement bus has left";
  }
  switch (worst?.kind) {
    case "cancelled":
      return row.viaCancelled ? "It ran without stopping where you get off" : "It was cancelled";
    case "vanished":
      return "It never came back on the board";
    case "late":
      return `It has left, ${worst.minutes} min late${fromPlatform(row)}`;
    case "delayed":
      return `It has left, late${fromPlatform(row)}`;
    case "bus":
    case "retimed":
    case "platform":
    case undefined:
      return row.state === "scheduled"
        ? `It has left${fromPlatform(row)}`
        : `It has left, ${statusWords(row)}`;
  }
}

/** When a train or bus leaves, as far as is known. */
function leaves({ expectedAt, aimedAt }: BoardRow, plannedAt: Temporal.Instant): string {
  return dayAndTime(expectedAt ?? aimedAt, plannedAt);
}

function fromPlatform(row: BoardRow): string {
  return row.platform === undefined ? "" : ` from platform ${platform(row.platform)}`;
}

function platform(text: string): string {
  return escapeMarkdown(oneLine(text, PLATFORM_LIMIT));
}

function place(row: BoardRow): string {
  return escapeMarkdown(oneLine(row.place, PLACE_LIMIT) || "somewhere");
}
