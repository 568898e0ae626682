// What a watch is: a person, or a channel, is notified when a train, a commute, a line or the network goes wrong. What people
// may do with one is in manage-watches.ts, the running of it in watch-runner.ts.
import { z } from "zod";
import { requireStations } from "../boards/board-settings.ts";
import { UserError } from "../core/errors.ts";
import type { Stations } from "../rail/stations.ts";
import { type Hours, timeSchema, weekdaySchema } from "../time/schedule.ts";
import { DAY_MINUTES, minuteOfDay } from "../time/wall-clock.ts";
import type { WatchRecord } from "./watches-table.ts";

/** Where nobody says otherwise. */
export const DEFAULT_DELAY_MINUTES = 5;
export const DEFAULT_LEAD_MINUTES = 60;
/** Later trains than this are as good as cancelled. */
export const MOST_DELAY_MINUTES = 120;
/** Live boards look as far ahead. */
export const MOST_LEAD_MINUTES = 120;
export const LEAST_LEAD_MINUTES = 5;

const crs = z.string().regex(/^[A-Z]{3}$/);
/** In UK time. */
const hours = z.object({ from: timeSchema, to: timeSchema });
const days = z.array(weekdaySchema).min(1).readonly();

/** One train, by what stays the same when its times and its rows change. */
const trainSchema = z.object({
  kind: z.literal("train"),
  /** Code of the station at which it is caught. */
  station: crs,
  /** Code of the station where the person gets off, where they said so; it is asked for as "calling at". */
  to: crs.optional(),
  /** Names the train among those of one day, where the service says so. */
  trainUid: z.string().optional(),
  /** The day on which it starts its journey, "YYYY-MM-DD"; not always the day on which it is caught. */
  startDate: z.iso.date().optional(),
  /** `bus` where it is a replacement bus that is watched; a train where it is absent. */
  mode: z.enum(["train", "bus"]).optional(),
  /** Milliseconds since the epoch, as it was when the watch was made. */
  aimedMs: z.int(),
  /** Where it goes, as the board says. */
  place: z.string(),
  operator: z.string().optional(),
});

/** All trains from one station to another within some hours of some days, by aimed departure. */
const commuteSchema = z.object({ kind: z.literal("commute"), station: crs, to: crs, hours, days });

/** One of London's lines, by Transport for London's id, within some hours of some days; all day where they are absent. */
const lineSchema = z.object({
  kind: z.literal("line"),
  line: z.string().regex(/^[a-z0-9-]{1,40}$/),
  hours: hours.optional(),
  days,
});

/** The railway's disruptions, each in a message of its own; only those of an operator where it is named. */
const networkSchema = z.object({ kind: z.literal("network"), operator: z.string().max(60).optional() });

/** What is watched, and how loudly. */
const settingsSchema = z.object({
  what: z.discriminatedUnion("kind", [trainSchema, commuteSchema, lineSchema, networkSchema]),
  /** A train this many minutes late, or more, is worth a message. Used for trains and commutes only. */
  delayMinutes: z.int().min(1).max(MOST_DELAY_MINUTES),
  /** The watch begins this many minutes before departure. Used for trains and commutes only. */
  leadMinutes: z.int().min(LEAST_LEAD_MINUTES).max(MOST_LEAD_MINUTES),
  /** Whether the message of an incident pings its owner, once. */
  ping: z.boolean(),
});

export type WatchedTrain = z.infer<typeof trainSchema>;
export type WatchedCommute = z.infer<typeof commuteSchema>;
export type WatchedLine = z.infer<typeof lineSchema>;
export type WatchedNetwork = z.infer<typeof networkSchema>;
export type WatchSettings = z.infer<typeof settingsSchema>;
export type WatchPauseReason = NonNullable<WatchRecord["pausedBecause"]>;

/** Where the messages go. */
export type WatchTarget =
  | { readonly kind: "dm" }
  | { readonly kind: "channel"; readonly guildId: string; readonly channelId: string };

export interface Watch extends Pick<WatchRecord, "id" | "ownerId" | "state" | "pausedBecause"> {
  /** The channel where it was asked for: notified once where a direct message does not come through. */
  readonly askedIn: { readonly guildId: string | undefined; readonly channelId: string | undefined };
  readonly target: WatchTarget;
  readonly settings: WatchSettings;
}

/** Reads settings as JSON. Throws for anything else. */
export function parseWatchSettings(json: string): WatchSettings {
  return settingsSchema.parse(JSON.parse(json));
}

/** Throws if its settings are unreadable: that is a bug. */
export function readWatch(record: WatchRecord, settings = parseWatchSettings(record.settings)): Watch {
  const { id, ownerId, askedGuildId, askedChannelId, guildId, channelId, state, pausedBecause } = record;
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
    pausedBecause,
  };
}

/** Whether people see it: neither a draft nor ended. */
export function isSavedWatch({ state }: Pick<WatchRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

/** Whether it is about trains at a station, with a time and a delay; otherwise about how a line or the network stands. */
export function isAboutTrains(what: WatchSettings["what"]): what is WatchedTrain | WatchedCommute {
  return what.kind === "train" || what.kind === "commute";
}

// Which settings make sense.

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
  if (!isAboutTrains(what)) {
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
