// What is known of a watched train or line, or of disruptions: it is kept from tick to tick and across restarts.
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
  /** When it was to leave, by what was first known of it. */
  plannedAt: instant,
  /** As last seen; `undefined` where it never was. */
  row: row.optional(),
  /** The first that was announced. */
  platform: z.string().optional(),
  /** Set while it is late enough to matter: by how many minutes, or that nobody knows. */
  lateness: z.union([z.number(), z.literal("unknown")]).optional(),
  /** The bus that comes in its place. */
  bus: row.optional(),
  /** When the first answer was made that did not list it any more, before its time. */
  missingSinceMs: z.int().optional(),
  /** A second answer did not list it either. */
  isVanished: z.boolean(),
  /** Aimed times of others that look like it; only for a train without a name. */
  neighboursMs: z.array(z.int()).readonly(),
  wasTroubled: z.boolean(),
  /** It has left, or its time is over. Nothing is learnt of it any more. */
  isGone: z.boolean(),
});

const lineSchema = z.object({
  /** What is wrong now, in the source's words, the gravest first, e.g. `Severe Delays`; empty if nothing is. */
  states: z.array(z.string()).readonly(),
  /** Each once. */
  reasons: z.array(z.string()).readonly(),
});

/** Trouble that operators report, e.g. one incident of theirs. */
const disruptionSchema = lineSchema.extend({
  /** Identifies it in the next answer: the incident's id where the source gives one, else its operator. */
  key: z.string(),
  operators: z.array(z.string()).readonly(),
  /** When the first answer that had it was made. */
  sinceMs: z.int(),
  /** When the first answer that no longer had it was made. */
  overSinceMs: z.int().optional(),
  /** A second answer did not have it either. */
  isOver: z.boolean(),
});

/**
 * News that deserves a sound of its own, although an earlier message has made one for less: the train does not run, or
 * leaves soon from another platform.
 */
const alarmSchema = z.enum(["cancelled", "platform"]);

/** What is known of the trains, the line or the disruptions of one incident. */
const knowledgeSchema = z.object({
  /** When the service made what this is based on; an older answer teaches nothing. */
  dataMs: z.int(),
  trains: z.record(z.string(), trainSchema),
  line: lineSchema.optional(),
  /** Those that this incident's message reports while it is open. */
  disruptions: z.array(disruptionSchema).readonly().optional(),
  /** Somebody deleted its message: no other is sent. */
  isUnwanted: z.boolean(),
  /**
   * Which alarms each of its messages had from the start, the oldest first. The last message is the one that stands, or
   * the one that is being posted in its place. Absent in rows of earlier versions: nobody knows, and no other is posted.
   */
  alarms: z.array(z.array(alarmSchema).readonly()).readonly().optional(),
});

export type TrainKnowledge = z.infer<typeof trainSchema>;
export type LineKnowledge = z.infer<typeof lineSchema>;
export type Disruption = z.infer<typeof disruptionSchema>;
export type Alarm = z.infer<typeof alarmSchema>;
export type IncidentKnowledge = z.infer<typeof knowledgeSchema>;

export const NOTHING_KNOWN: IncidentKnowledge = { dataMs: 0, trains: {}, isUnwanted: false };

/** Which of its messages is the last one, from 0. */
export function lastMessage({ alarms = [] }: IncidentKnowledge): number {
  return Math.max(0, alarms.length - 1);
}

/** Nobody knows what a message that is found had to say at first: none of it makes a sound again. */
const ALL_ALARMS = alarmSchema.options;

/** With as many messages as there are up to this one. */
export function withMessages(known: IncidentKnowledge, last: number): IncidentKnowledge {
  const { alarms = [] } = known;
  return { ...known, alarms: Array.from({ length: last + 1 }, (_, index) => alarms[index] ?? ALL_ALARMS) };
}

/** Without the last message: it was not sent. */
export function withoutMessage(known: IncidentKnowledge): IncidentKnowledge {
  return { ...known, alarms: known.alarms?.slice(0, -1) };
}

/** With these as the alarms of its last message. */
export function withAlarms(known: IncidentKnowledge, last: readonly Alarm[]): IncidentKnowledge {
  const { alarms: before = [] } = withoutMessage(known);
  return { ...known, alarms: [...before, last] };
}

/** Reads what {@link serialiseKnowledge} wrote. Throws for anything else. */
export function parseKnowledge(json: string): IncidentKnowledge {
  return knowledgeSchema.parse(JSON.parse(json));
}

/** Writes knowledge, or a part of it, as JSON: what is equal is written alike, wherever it came from. */
export function serialiseKnowledge(knowledge: IncidentKnowledge | IncidentKnowledge["trains"]): string {
  return JSON.stringify(knowledge, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
