// A watch in words: what it is about, when it speaks up, and where.
import { Temporal } from "temporal-polyfill";
import { formatUkTime, formatUkDay } from "../core/uk-time.ts";
import { formatDays, formatHours } from "../services/schedule/format-schedule.ts";
import type { Watch, WatchPauseReason, WatchSettings } from "../services/watches/watches.ts";
import { oneLine } from "../core/cut-text.ts";
import type { StationNames } from "./board-settings-words.ts";

const PLACE_LIMIT = 40;

/**
 * e.g. `08:16 York → Leeds, Wed 18 Nov` or `York → Leeds, 07:00–09:30, Monday to Friday`; `write` makes foreign text fit
 * for its place.
 */
export function watchName(
  { what }: Pick<WatchSettings, "what">,
  stations: StationNames,
  write: (text: string) => string = String,
): string {
  const nameOf = (crs: string): string => write(stations.byCrs(crs)?.name ?? crs);
  if (what.kind === "commute") {
    return `${nameOf(what.station)} → ${nameOf(what.to)}, ${formatHours(what.hours)}, ${formatDays(what.days)}`;
  }
  const aimedAt = Temporal.Instant.fromEpochMilliseconds(what.aimedMs);
  const end = write(oneLine(what.place, PLACE_LIMIT) || "somewhere");
  const place = what.to === undefined ? end : nameOf(what.to);
  return `${formatUkTime(aimedAt)} ${nameOf(what.station)} → ${place}, ${formatUkDay(aimedAt)}`;
}

/** What will happen, e.g. `I tell you in a direct message if …`. */
export function watchPromise({
  ownerId,
  settings,
  target,
}: Pick<Watch, "ownerId" | "settings" | "target">): string {
  const { what, delayMinutes, leadMinutes, ping } = settings;
  const [whom, where] =
    target.kind === "dm" ? ["you", "in a direct message"] : ["everyone", `in <#${target.channelId}>`];
  const subject = what.kind === "train" ? "the train" : "one of these trains";
  const since =
    what.kind === "train"
      ? `I look from ${minutes(leadMinutes)} before it leaves.`
      : `I look at each of them from ${minutes(leadMinutes)} before it leaves.`;
  return [
    `I tell ${whom} ${where} if ${subject} is ${minutes(delayMinutes)} late or more, is cancelled, is replaced by a bus or changes its platform, and when it recovers.`,
    since,
    // Whoever manages the server reads it too.
    pingWords(what.kind, ping, target.kind === "dm" ? "you" : `<@${ownerId}>`),
  ].join(" ");
}

function pingWords(kind: WatchSettings["what"]["kind"], ping: boolean, whom: string): string {
  const first = kind === "train" ? "The message" : "The first message of a day";
  return ping ? `${first} pings ${whom} once, and then changes quietly.` : "Nothing pings.";
}

/** e.g. `1 minute`, `90 minutes`. */
export function minutes(count: number): string {
  return count === 1 ? "1 minute" : `${count} minutes`;
}

/** e.g. `on`, `⏸️ paused because you take no direct messages from me`. */
export function watchStateWords({ state, pausedBecause }: Pick<Watch, "state" | "pausedBecause">): string {
  if (state !== "paused") {
    return "on";
  }
  return pausedBecause === undefined ? "⏸️ paused" : `⏸️ paused because ${PAUSE_WORDS[pausedBecause]}`;
}

const PAUSE_WORDS: Readonly<Record<WatchPauseReason, string>> = {
  "dm-closed": "its owner takes no direct messages from me",
  "channel-gone": "its channel is gone, or I no longer see it",
  "not-allowed": "I am no longer allowed to write in its channel",
  "station-closed": "its station is no longer on my list of stations",
};
