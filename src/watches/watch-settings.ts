// A watch as it is kept, and the rules for its settings.
import { z } from "zod";
import { requireStations } from "../boards/board-settings.ts";
import { UserError } from "../core/errors.ts";
import { DAY_MINUTES, minuteOfDay } from "../time/wall-clock.ts";
import type { Stations } from "../rail/stations.ts";
import { type Hours, timeSchema, weekdaySchema } from "../time/schedule.ts";
import type {
  Watch,
  WatchPauseReason,
  WatchSettings,
  WatchTarget,
  WatchedCommute,
  WatchedTrain,
} from "./watches.ts";
import type { WatchRecord } from "./watches-table.ts";
import type { Messenger } from "../core/ports.ts";
import { askWhetherAllowed } from "../delivery/messenger-errors.ts";
import { checkChannel } from "../delivery/check-channel.ts";

/** Where nobody says otherwise. */
export const DEFAULT_DELAY_MINUTES = 5;
export const DEFAULT_LEAD_MINUTES = 60;
/** Later trains than this are as good as cancelled. */
export const MOST_DELAY_MINUTES = 120;
/** Live boards look as far ahead. */
export const MOST_LEAD_MINUTES = 120;
export const LEAST_LEAD_MINUTES = 5;
/** A commute is asked for every minute of its hours. */
const MOST_COMMUTE_HOURS = 6;
/** No train leaves later than this long after its time. */
const GONE_MS = 2 * 3_600_000;

const crs = z.string().regex(/^[A-Z]{3}$/);

const watchSettingsSchema: z.ZodType<WatchSettings> = z.object({
  what: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("train"),
      station: crs,
      to: crs.optional(),
      trainUid: z.string().optional(),
      startDate: z.iso.date().optional(),
      mode: z.enum(["train", "bus"]).optional(),
      aimedMs: z.int(),
      place: z.string(),
      operator: z.string().optional(),
    }),
    z.object({
      kind: z.literal("commute"),
      station: crs,
      to: crs,
      hours: z.object({ from: timeSchema, to: timeSchema }),
      days: z.array(weekdaySchema).min(1),
    }),
    z.object({
      kind: z.literal("line"),
      line: z.string().regex(/^[a-z0-9-]{1,40}$/),
      hours: z.object({ from: timeSchema, to: timeSchema }).optional(),
      days: z.array(weekdaySchema).min(1),
    }),
    z.object({ kind: z.literal("network"), operator: z.string().max(60).optional() }),
  ]),
  delayMinutes: z.int().min(1).max(MOST_DELAY_MINUTES),
  leadMinutes: z.int().min(LEAST_LEAD_MINUTES).max(MOST_LEAD_MINUTES),
  ping: z.boolean(),
});

/** Reads settings as JSON. Throws for anything else. */
export function parseWatchSettings(json: string): WatchSettings {
  return watchSettingsSchema.parse(JSON.parse(json));
}

/** Reads a record. Throws where its settings are none: that is a bug. `settings`: where they are read already. */
export function readWatch(
  record: WatchRecord,
  settings: WatchSettings = parseWatchSettings(record.settings),
): Watch {
  const { id, ownerId, askedGuildId, askedChannelId, guildId, channelId, state } = record;
  return {
    id,
    ownerId,
    askedIn: { guildId: askedGuildId, channelId: askedChannelId },
    target:
      guildId === undefined || channelId === undefined
        ? { kind: "dm" }
        : { kind: "channel", guildId, channelId },
    settings,
    state,
    pausedBecause: REASONS.find((reason) => reason === record.pausedBecause),
  };
}

const REASONS: readonly WatchPauseReason[] = ["dm-closed", "channel-gone", "not-allowed", "station-closed"];

/** Whether people see it: neither a draft nor ended. */
export function isKeptWatch({ state }: Pick<WatchRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

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

/** Whether it is about trains at a station, with a time and a delay; otherwise about how a line or the network stands. */
export function isOfTrains(what: WatchSettings["what"]): what is WatchedTrain | WatchedCommute {
  return what.kind === "train" || what.kind === "commute";
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
