// A board's settings in words, and the forms that edit them.
import { plural, listAnd, listOr, oneLine } from "../core/text.ts";
import { defineArgs, shortId } from "../core/component-id.ts";
import { UK_TIME_ZONE } from "../time/uk-time.ts";
import { boardQuestion } from "./planning/board-rows.ts";
import { formatDays, formatHours, formatSchedule, formatTiming, formatZone } from "../time/schedule.ts";
import { type BoardSettings, SETTING_LABELS, type PauseReason, type Subscription } from "./boards.ts";
import { HOUR_MS, wallTime } from "../time/wall-clock.ts";
import { lineOf } from "../rail/london.ts";
import type { Stations } from "../rail/stations.ts";
import { questionFilters } from "../rail/board-words.ts";
import type { Modal, ModalField } from "../core/reply.ts";

export type StationNames = Pick<Stations, "byCrs">;

/** e.g. `York → Leeds or Hull`, `York`, `Leeds → York (arrivals)`. Plain text. */
export function boardName(
  { kind, station, callingAt, callingAtAll }: BoardSettings,
  stations: StationNames,
): string {
  const nameOf = (crs: string) => stations.byCrs(crs)?.name ?? crs;
  const calls = (callingAtAll ? listAnd : listOr)(callingAt.map(nameOf));
  const ends = kind === "departures" ? [nameOf(station), calls] : [calls, nameOf(station)];
  return `${ends.filter((end) => end !== "").join(" → ")}${kind === "arrivals" ? " (arrivals)" : ""}`;
}

/** Says how often new times come on a plan that is too small. `withoutAny`: what it does if the plan has no calls for it. */
export function gapSentence(kind: "board" | "watch", gapMs: number, withoutAny: string): string {
  return Number.isFinite(gapMs)
    ? `⚠️ This bot's train data is limited: this ${kind} would get new times about ${formatTiming({ every: roundedMinutes(gapMs) })}.`
    : `⚠️ This bot has no train data left for ${kind}s: this one would ${withoutAny}. The person who runs the bot can get a larger plan.`;
}

/** Rounds to minutes, and from two hours on to hours, because the estimate is no more precise than that. */
function roundedMinutes(gapMs: number): number {
  const step = gapMs < 2 * HOUR_MS ? 1 : 60;
  return Math.max(1, Math.round(gapMs / (step * 60_000)) * step);
}

/** e.g. `LNER`, `platforms 3 and 4A`, `8 rows`. `write`: escapes names, as in `questionFilters`. */
export function settingsDetails(
  settings: BoardSettings,
  stations: StationNames,
  write?: (text: string) => string,
): readonly string[] {
  const { rows, look } = settings;
  // The calling points are already in the board's name.
  const question = boardQuestion({ ...settings, callingAt: [] }, stations);
  return [...questionFilters(question, write), plural(rows, "row"), ...(look === "text" ? ["as text"] : [])];
}

/** e.g. `One message in #trains, updated every 10 minutes, 07:00–09:30, Monday to Friday.` */
export function whatHappens(channelId: string, settings: BoardSettings): string {
  const { mode, publish, schedule } = settings;
  const channel = `<#${channelId}>`;
  const when = formatSchedule(schedule);
  const sentence: Readonly<Record<BoardSettings["mode"], string>> = {
    edit: `One message in ${channel}, updated ${when}.`,
    replace: `One message at the bottom of ${channel}, checked ${when}, and posted again when something changes.`,
    post: `A new message in ${channel} ${when}.`,
  };
  return publish
    ? `${sentence[mode]} Each new message is published to the servers that follow the channel.`
    : sentence[mode];
}

/** Says when a board is next due, in the schedule's zone, e.g. `Next at 07:00 on Monday.` */
export function slotSentence(slotMs: number, settings: BoardSettings): string {
  return `Next at ${slotWords(slotMs, settings)}.`;
}

/** The text in place of trains while the board is paused or outside its hours, e.g. `Paused`, `Back at 07:00 on Monday`. */
export function closedWords({ nextSlotMs, settings }: Pick<Subscription, "nextSlotMs" | "settings">): string {
  if (nextSlotMs === undefined) {
    return "Paused";
  }
  const { zone } = settings.schedule;
  return `Back at ${slotWords(nextSlotMs, settings)}${zone === UK_TIME_ZONE ? "" : ` (${formatZone(zone)})`}`;
}

export function slotWords(slotMs: number, { schedule }: BoardSettings): string {
  const { time, weekday } = wallTime(schedule.zone, slotMs);
  return `${time} on ${weekday}`;
}

/** Each follows "because". */
export const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  "channel-gone": "its channel is gone, or I can't see it any more",
  "not-allowed": "I can't post in its channel any more",
  "station-closed": "I no longer have times for its station",
};

/** The arguments of a board's forms and of the buttons that manage it. */
export const boardIdArgs = defineArgs({ id: ["b", shortId] });

function boardForm(
  action: "times" | "filters",
  { id, settings }: Subscription,
  stations: StationNames,
  fields: readonly ModalField[],
): Modal {
  const target = { command: "board/edit", action, args: boardIdArgs.encode({ id }) };
  return { type: "modal", target, title: boardName(settings, stations), fields };
}

/** A form with the board's current times. Its fields: `every`, `at`, `days`, `hours`, `zone`. */
export function boardTimesForm(board: Subscription, stations: StationNames): Modal {
  const { timing, days, hours, zone } = board.settings.schedule;
  const every = "every" in timing ? formatTiming(timing) : "";
  const at = "at" in timing ? timing.at.join(", ") : "";
  return boardForm("times", board, stations, [
    field("every", "How often", "e.g. every 10 minutes; leave empty for fixed times", every),
    field("at", "Or at fixed times", "e.g. 07:30, 17:15", at),
    field("days", "On which days", "e.g. weekdays, or Mon, Wed, Fri; empty for every day", formatDays(days)),
    field(
      "hours",
      "Only between",
      "e.g. 07:00-09:30; empty for the whole day",
      hours ? formatHours(hours) : "",
    ),
    field("zone", "Time zone", "e.g. London, New York", zone),
  ]);
}

/** Discord's limit for a field's description. */
const DESCRIPTION_LIMIT = 100;

/** Its fields: `to`, `match`, `operator`, `platforms`, `only`; for London `operator` and `platforms`. */
export function boardFiltersForm(board: Subscription, stations: StationNames): Modal {
  const { station, callingAt, callingAtAll, operator = "", platforms, transport } = board.settings;
  const calls = callingAt.map((crs) => stations.byCrs(crs)?.name ?? crs);
  const lines = stations.byCrs(station)?.lines?.map((line) => lineOf(line).name);
  const onPlatforms = field(
    "platforms",
    "Only these platforms",
    "e.g. 3, 4a or 4-6; empty for all",
    platforms.join(", "),
  );
  if (lines !== undefined) {
    const description = oneLine(`${listOr(lines)}; empty for all`, DESCRIPTION_LIMIT);
    const onLine = field("operator", "Only this line", description, operator);
    return boardForm("filters", board, stations, [onLine, onPlatforms]);
  }
  return boardForm("filters", board, stations, [
    field(
      "to",
      "Only trains that call at",
      "Up to three stations, e.g. Leeds, Hull; empty for all trains",
      calls.join(", "),
    ),
    choice("match", "At any of these stations, or all of them", callingAtAll ? "all" : "any"),
    field("operator", "Only this operator", "e.g. LNER; empty for all", operator),
    onPlatforms,
    choice("only", "Trains, or replacement buses", transport),
  ]);
}

function field(name: string, label: string, description: string, value: string): ModalField {
  return { type: "text", name, label, description, value, lines: "one", required: false, maxLength: 200 };
}

function choice(name: "match" | "only", label: string, now: string): ModalField {
  const choices = Object.entries(SETTING_LABELS[name]).map(([value, words]) => ({
    label: words,
    value,
    chosen: value === now,
  }));
  return { type: "choice", name, label, required: false, choices };
}
