// manage-watches.ts has what people can do with watches; watch-runner.ts runs them.
import { z } from "zod";
import { requireStations } from "../boards/board-settings.ts";
import { UserError } from "../core/errors.ts";
import type { Stations } from "../rail/stations.ts";
import { type Hours, timeSchema, weekdaySchema } from "../time/schedule.ts";
import { DAY_MINUTES, minuteOfDay } from "../time/wall-clock.ts";
import type { WatchRecord } from "./watches-table.ts";

/** Used if the person names no other value. */
export const DEFAULT_DELAY_MINUTES = 5;
export const DEFAULT_LEAD_MINUTES = 60;
/** A train later than this is as good as cancelled. */
export const MAX_DELAY_MINUTES = 120;
/** Live boards look this far ahead. */
export const MAX_LEAD_MINUTES = 120;
export const MIN_LEAD_MINUTES = 5;

const crs = z.string().regex(/^[A-Z]{3}$/);
/** In UK time. */
const hours = z.object({ from: timeSchema, to: timeSchema });
const days = z.array(weekdaySchema).min(1).readonly();

/** One train, identified by details that stay the same when its times and its board rows change. */
const trainSchema = z.object({
  kind: z.literal("train"),
  /** The code of the station where the person gets on. */
  station: crs,
  /** Where the person gets off; absent if they did not say. Boards are asked for trains that call there. */
  to: crs.optional(),
  /** The service's id for the train, unique within a day; absent if the service gives none. */
  trainUid: z.string().optional(),
  /** The day on which the train starts its journey, "YYYY-MM-DD"; the person may get on a day later. */
  startDate: z.iso.date().optional(),
  /** A train if absent. */
  mode: z.enum(["train", "bus"]).optional(),
  /** The aimed departure when the watch was made, in milliseconds since the epoch. */
  aimedMs: z.int(),
  /** The destination as the board names it. */
  place: z.string(),
  operator: z.string().optional(),
});

const commuteSchema = z.object({ kind: z.literal("commute"), station: crs, to: crs, hours, days });

/** One of London's lines, by its id there; all day if `hours` is absent. */
const lineSchema = z.object({
  kind: z.literal("line"),
  line: z.string().regex(/^[a-z0-9-]{1,40}$/),
  hours: hours.optional(),
  days,
});

/** The railway's disruptions, each in its own message; only those of one operator if `operator` is given. */
const networkSchema = z.object({ kind: z.literal("network"), operator: z.string().max(60).optional() });

const settingsSchema = z.object({
  what: z.discriminatedUnion("kind", [trainSchema, commuteSchema, lineSchema, networkSchema]),
  /** A train is worth a message if it is at least this many minutes late. Used for trains and commutes only. */
  delayMinutes: z.int().min(1).max(MAX_DELAY_MINUTES),
  /** Checking starts this many minutes before departure. Used for trains and commutes only. */
  leadMinutes: z.int().min(MIN_LEAD_MINUTES).max(MAX_LEAD_MINUTES),
  /** Whether an incident's messages ping the owner when they are posted. */
  ping: z.boolean(),
});

export type WatchedTrain = z.infer<typeof trainSchema>;
export type WatchedCommute = z.infer<typeof commuteSchema>;
export type WatchedLine = z.infer<typeof lineSchema>;
export type WatchedNetwork = z.infer<typeof networkSchema>;
export type WatchSettings = z.infer<typeof settingsSchema>;
export type WatchPauseReason = NonNullable<WatchRecord["pausedBecause"]>;

/** Its record with the settings parsed. */
export interface Watch extends Omit<WatchRecord, "settings" | "nextAtMs"> {
  readonly settings: WatchSettings;
}

/** Throws if the JSON is not valid settings. */
export function parseWatchSettings(json: string): WatchSettings {
  return settingsSchema.parse(JSON.parse(json));
}

/** Throws if the settings are unreadable, which is a bug. */
export function readWatch(record: WatchRecord, settings = parseWatchSettings(record.settings)): Watch {
  return { ...record, settings };
}

/** Whether a watch is saved and has not ended: only these are shown and counted. */
export function isSavedWatch({ state }: Pick<WatchRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

/** About trains, with a delay and a lead time, or else about the status of a line or the network. */
export function isAboutTrains(what: WatchSettings["what"]): what is WatchedTrain | WatchedCommute {
  return what.kind === "train" || what.kind === "commute";
}

/** Limited because a commute is asked about in every minute of its hours. */
const MAX_COMMUTE_HOURS = 6;
/** A train is assumed to have left this long after its aimed departure. */
const GONE_MS = 2 * 3_600_000;

/** Throws a UserError that says what to change. */
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
  if (!settingsSchema.shape.delayMinutes.safeParse(delayMinutes).success) {
    throw new UserError(`Pick a delay between 1 and ${MAX_DELAY_MINUTES} minutes.`);
  }
  if (!settingsSchema.shape.leadMinutes.safeParse(leadMinutes).success) {
    throw new UserError(
      `I can start checking ${MIN_LEAD_MINUTES} to ${MAX_LEAD_MINUTES} minutes before departure. Pick a number in that range.`,
    );
  }
  if (what.kind === "train" && what.aimedMs < nowMs - GONE_MS) {
    throw new UserError("That train has left. To watch the next one, use `/watch train`.");
  }
  if (what.kind === "commute" && lengthMinutes(what.hours) > MAX_COMMUTE_HOURS * 60) {
    throw new UserError(
      `I can watch a commute for up to ${MAX_COMMUTE_HOURS} hours a day. Type hours like 07:00-09:30, and set up another watch for the way back.`,
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

/** Hours that cross midnight end on the next day. */
function lengthMinutes({ from, to }: Hours): number {
  return (minuteOfDay(to) - minuteOfDay(from) + DAY_MINUTES) % DAY_MINUTES;
}
