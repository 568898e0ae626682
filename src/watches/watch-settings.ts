// The rules for a watch's settings, and for where it notifies.
import { requireStations } from "../boards/board-settings.ts";
import { UserError } from "../core/errors.ts";
import { DAY_MINUTES, minuteOfDay } from "../time/wall-clock.ts";
import type { Stations } from "../rail/stations.ts";
import type { Hours } from "../time/schedule.ts";
import type { Messenger } from "../core/ports.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import { checkChannel } from "../delivery/check-channel.ts";
import {
  LEAST_LEAD_MINUTES,
  MOST_DELAY_MINUTES,
  MOST_LEAD_MINUTES,
  type WatchSettings,
  type WatchTarget,
  type WatchedCommute,
  type WatchedTrain,
  isOfTrains,
} from "./watches.ts";

/** A commute is asked for every minute of its hours. */
const MOST_COMMUTE_HOURS = 6;
/** No train leaves later than this long after its time. */
const GONE_MS = 2 * 3_600_000;

/** Throws a UserError that says what to change in settings with which nothing can be watched. */
export function checkWatchSettings(
  settings: WatchSettings,
  stations: Pick<Stations, "byCrs">,
  nowMs: number,
): void {
  const { what, delayMinutes, leadMinutes } = settings;
  if (!isOfTrains(what)) {
    return;
  }
  checkStations(what, stations);
  if (!isWithin(delayMinutes, 1, MOST_DELAY_MINUTES)) {
    throw new UserError(`Pick a delay between 1 and ${MOST_DELAY_MINUTES} minutes.`);
  }
  if (!isWithin(leadMinutes, LEAST_LEAD_MINUTES, MOST_LEAD_MINUTES)) {
    throw new UserError(
      `I can start checking ${LEAST_LEAD_MINUTES} to ${MOST_LEAD_MINUTES} minutes before departure. Pick a number in that range.`,
    );
  }
  if (what.kind === "train" && what.aimedMs < nowMs - GONE_MS) {
    throw new UserError("That train has left. To watch the next one, use `/watch train`.");
  }
  if (what.kind === "commute" && lengthMinutes(what.hours) > MOST_COMMUTE_HOURS * 60) {
    throw new UserError(
      `I can watch a commute for up to ${MOST_COMMUTE_HOURS} hours a day. Type hours like 07:00-09:30, and set up another watch for the way back.`,
    );
  }
}

function checkStations(
  { station, to }: WatchedTrain | WatchedCommute,
  stations: Pick<Stations, "byCrs">,
): void {
  requireStations([station, to ?? station], stations);
  if (station === to) {
    const name = stations.byCrs(station)?.name ?? station;
    throw new UserError(`Both stations are ${name}. Pick another one to go to.`);
  }
}

/** Hours over midnight end on the next day. */
function lengthMinutes({ from, to }: Hours): number {
  return (minuteOfDay(to) - minuteOfDay(from) + DAY_MINUTES) % DAY_MINUTES;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** Throws a UserError that says what is in the way, and how to clear it. Direct messages are proved by writing one. */
export async function checkTarget(
  messenger: Pick<Messenger, "check" | "mayManage">,
  target: WatchTarget,
  userId: string,
): Promise<void> {
  if (target.kind === "dm") {
    return;
  }
  const { guildId, channelId } = target;
  if (!(await askWhetherAllowed(() => messenger.mayManage(guildId, userId)))) {
    throw new UserError(
      "Only people who manage the server can have alerts posted in a channel. Leave out `where` and I'll DM you instead.",
    );
  }
  const words = { act: "write", otherwise: "use another channel" };
  await checkChannel(messenger, { guildId, channelId, userId }, words);
}
