// A board's settings in words: what it is called, what it leaves out, and what will happen.
import { relativeTime } from "./duration.ts";
import { boardQuestion } from "../services/board-data/board-rows.ts";
import { formatSchedule } from "../services/schedule/format-schedule.ts";
import type { BoardSettings, PauseReason } from "../services/boards/boards.ts";
import type { Stations } from "../services/stations/stations.ts";
import { questionFilters } from "./board-words.ts";

/** Finds the names of stations. */
export type StationNames = Pick<Stations, "byCrs">;

/** e.g. `York → Leeds or Hull`, `York`, `Leeds → York (arrivals)`. Plain text. */
export function boardName(
  { kind, station, callingAt, callingAtAll }: BoardSettings,
  stations: StationNames,
): string {
  const nameOf = (crs: string) => stations.byCrs(crs)?.name ?? crs;
  const calls = (callingAtAll ? AND : OR).format(callingAt.map(nameOf));
  const ends = kind === "departures" ? [nameOf(station), calls] : [calls, nameOf(station)];
  return `${ends.filter((end) => end !== "").join(" → ")}${kind === "arrivals" ? " (arrivals)" : ""}`;
}

/** What the board is narrowed to, and its form, e.g. `LNER`, `platforms 3 and 4A`, `8 rows`; `write` as in `boardFilters`. */
export function settingsDetails(
  settings: BoardSettings,
  stations: StationNames,
  write?: (text: string) => string,
): readonly string[] {
  const { rows, look } = settings;
  // The stations it calls at are in its name.
  const question = boardQuestion({ ...settings, callingAt: [] }, stations);
  return [
    ...questionFilters(question, write),
    rows === 1 ? "1 row" : `${rows} rows`,
    ...(look === "text" ? ["as text"] : []),
  ];
}

/** What the bot does, e.g. `I will keep one message in #trains up to date every 10 minutes, 07:00–09:30, Monday to Friday.` */
export function whatHappens(channelId: string, settings: BoardSettings): string {
  const { mode, publish, schedule } = settings;
  const channel = `<#${channelId}>`;
  const when = formatSchedule(schedule);
  const sentence: Readonly<Record<BoardSettings["mode"], string>> = {
    edit:
      "at" in schedule.timing
        ? `I will keep one message in ${channel}, and bring it up to date ${when}.`
        : `I will keep one message in ${channel} up to date ${when}.`,
    replace: `I will look ${when}. Whenever something has changed, I post the board anew at the bottom of ${channel} and take the old message away.`,
    post: `I will post the board in ${channel} ${when}.`,
  };
  return publish
    ? `${sentence[mode]} Each new message is published to the servers that follow the channel.`
    : sentence[mode];
}

/** When a board comes, e.g. `First at 07:00 on Monday (in 3 days).` In the schedule's zone; Discord counts down. */
export function slotSentence(
  word: "First" | "Next",
  slotMs: number,
  { schedule: { zone: timeZone } }: BoardSettings,
): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "long" });
  return `${word} at ${time.format(slotMs)} on ${day.format(slotMs)} (${relativeTime(slotMs)}).`;
}

/** Why a board does not run, to follow `because`; `undefined` for one that a person paused. */
export function pauseWords(reason: PauseReason | undefined): string | undefined {
  return reason && PAUSE_WORDS[reason];
}

const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  "channel-gone": "its channel is gone, or I no longer see it",
  "not-allowed": "I am no longer allowed to write in its channel",
  "station-closed": "its station is no longer on my list of stations",
};

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });
