// Stored, so it survives ticks and restarts.
import { z } from "zod";
import type { BoardRow } from "../rail/departures.ts";

const instant = z.iso.datetime().transform((text) => Temporal.Instant.from(text));

const row: z.ZodType<BoardRow> = z
  .object({
    mode: z.enum(["train", "bus"]),
    place: z.string(),
    platform: z.string().optional(),
    operator: z.string().optional(),
    aimedAt: instant,
    expectedAt: instant.optional(),
    delayMinutes: z.number().optional(),
    state: z.enum(["cancelled", "delayed", "scheduled", "late", "early", "on-time"]),
    trainUid: z.string().optional(),
    startDate: z.string().optional(),
    reason: z.string().optional(),
    route: z.string().optional(),
    cancelledPlace: z.string().optional(),
    laterCancelled: z.literal(true).optional(),
    viaCancelled: z.literal(true).optional(),
  })
  .transform(({ platform, operator, expectedAt, delayMinutes, ...rest }) => ({
    ...rest,
    platform,
    operator,
    expectedAt,
    delayMinutes,
  }));

const trainSchema = z.object({
  /** The aimed departure time that was known first. */
  plannedAt: instant,
  /** The row as last seen; absent if it was never seen. */
  row: row.optional(),
  /** The first that was announced. */
  platform: z.string().optional(),
  /** How many minutes late it is, or `unknown`; absent unless it is late enough to be reported. */
  lateness: z.union([z.number(), z.literal("unknown")]).optional(),
  /** The same as `row` if the service lists only the bus. */
  bus: row.optional(),
  /** When the first answer that no longer listed it was made, if it should not have left by then. */
  missingSinceMs: z.int().optional(),
  /** A second answer did not list it either. */
  isVanished: z.boolean(),
  /** The aimed times of other trains that look like it; only for a train without an id. */
  neighboursMs: z.array(z.int()).readonly(),
  wasTroubled: z.boolean(),
  /** Whether it has left, or must have. What is known about it no longer changes. */
  isGone: z.boolean(),
});

const lineSchema = z.object({
  /** What is wrong now, in the source's words, worst first, e.g. `Severe Delays`; empty if nothing is. */
  states: z.array(z.string()).readonly(),
  reasons: z.array(z.string()).readonly(),
});

/** Trouble that train operators report, e.g. one of their incidents. */
const disruptionSchema = lineSchema.extend({
  /** Identifies it in the next answer: the source's id, otherwise its operator. */
  key: z.string(),
  operators: z.array(z.string()).readonly(),
  /** When the first answer that listed it was made. */
  sinceMs: z.int(),
  /** When the first answer that no longer listed it was made. */
  overSinceMs: z.int().optional(),
  /** A second answer did not list it either. */
  isOver: z.boolean(),
});

/** Makes a sound, even after a message about something less serious. */
const alarmSchema = z.enum(["cancelled", "platform"]);

/** About one incident. */
const knowledgeSchema = z.object({
  /** When the service made the data; older answers are ignored. */
  dataMs: z.int(),
  trains: z.record(z.string(), trainSchema),
  line: lineSchema.optional(),
  /** The disruptions that this incident's message reports. */
  disruptions: z.array(disruptionSchema).readonly().optional(),
  /** Somebody deleted its message; then no other is sent. */
  isUnwanted: z.boolean(),
  /**
   * The alarms of each of its messages when it was posted, oldest first. Absent in rows of earlier versions,
   * for which no further message is posted.
   */
  alarms: z.array(z.array(alarmSchema).readonly()).readonly().optional(),
});

export type TrainKnowledge = z.infer<typeof trainSchema>;
export type LineKnowledge = z.infer<typeof lineSchema>;
export type Disruption = z.infer<typeof disruptionSchema>;
export type Alarm = z.infer<typeof alarmSchema>;
export type IncidentKnowledge = z.infer<typeof knowledgeSchema>;

export const NOTHING_KNOWN: IncidentKnowledge = { dataMs: 0, trains: {}, isUnwanted: false };

/** The index of the last message, from 0. */
export function lastMessage({ alarms = [] }: IncidentKnowledge): number {
  return Math.max(0, alarms.length - 1);
}

/** For a message found by searching: what it reported is unknown, so nothing makes a sound again. */
export const ALL_ALARMS = alarmSchema.options;

/** Returns the knowledge without the last message, which was not sent. */
export function withoutMessage(known: IncidentKnowledge): IncidentKnowledge {
  return { ...known, alarms: known.alarms?.slice(0, -1) };
}

export function withAlarms(known: IncidentKnowledge, last: readonly Alarm[]): IncidentKnowledge {
  const { alarms: before = [] } = withoutMessage(known);
  return { ...known, alarms: [...before, last] };
}

/** Throws for anything that {@link serialiseKnowledge} did not write. */
export function parseKnowledge(json: string): IncidentKnowledge {
  return knowledgeSchema.parse(JSON.parse(json));
}

/** Equal knowledge gives equal text, whatever the order of its keys. */
export function serialiseKnowledge(knowledge: IncidentKnowledge | IncidentKnowledge["trains"]): string {
  return JSON.stringify(knowledge, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
