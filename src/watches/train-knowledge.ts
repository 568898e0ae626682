// What is known of a watched train or line, or of disruptions: it is kept from tick to tick and across restarts.
import { z } from "zod";
import type { BoardRow } from "../rail/departures.ts";

/** What is known of one train. */
export interface TrainKnowledge {
  /** When it was to leave, by what was first known of it. */
  readonly plannedAt: Temporal.Instant;
  /** As last seen; `undefined` where it never was. */
  readonly row?: BoardRow | undefined;
  /** The first that was announced. */
  readonly platform?: string | undefined;
  /** Set while it is late enough to matter: by how many minutes, or that nobody knows. */
  readonly lateness?: number | "unknown" | undefined;
  /** The bus that comes in its place. */
  readonly bus?: BoardRow | undefined;
  /** When the first answer was made that did not list it any more, before its time. */
  readonly missingSinceMs?: number | undefined;
  /** A second answer did not list it either. */
  readonly isVanished: boolean;
  /** Aimed times of others that look like it; only for a train without a name. */
  readonly neighboursMs: readonly number[];
  readonly wasTroubled: boolean;
  /** It has left, or its time is over. Nothing is learnt of it any more. */
  readonly isGone: boolean;
}

/** What is known of a watched line. */
export interface LineKnowledge {
  /** What is wrong now, in the source's words, the gravest first, e.g. `Severe Delays`; empty if nothing is. */
  readonly states: readonly string[];
  /** Each once. */
  readonly reasons: readonly string[];
}

/** Trouble that operators report, e.g. one incident of theirs. */
export interface Disruption {
  /** Identifies it in the next answer: the incident's id where the source gives one, else its operator. */
  readonly key: string;
  readonly operators: readonly string[];
  /** As of a line. */
  readonly states: readonly string[];
  readonly reasons: readonly string[];
  /** When the first answer that had it was made. */
  readonly sinceMs: number;
  /** When the first answer that no longer had it was made. */
  readonly overSinceMs?: number | undefined;
  /** A second answer did not have it either. */
  readonly isOver: boolean;
}

/** What is known of the trains, the line or the disruptions of one incident. */
export interface IncidentKnowledge {
  /** When the service made what this is based on; an older answer teaches nothing. */
  readonly dataMs: number;
  readonly trains: Readonly<Record<string, TrainKnowledge>>;
  readonly line?: LineKnowledge | undefined;
  /** Those that this incident's message reports while it is open. */
  readonly disruptions?: readonly Disruption[] | undefined;
  /** Somebody deleted its message: no other is sent. */
  readonly isUnwanted: boolean;
}

/** Nothing is known yet. */
export const NOTHING_KNOWN: IncidentKnowledge = { dataMs: 0, trains: {}, isUnwanted: false };

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

const knowledgeSchema: z.ZodType<IncidentKnowledge> = z.object({
  dataMs: z.int(),
  trains: z.record(
    z.string(),
    z.object({
      plannedAt: instant,
      row: row.optional(),
      platform: z.string().optional(),
      lateness: z.union([z.number(), z.literal("unknown")]).optional(),
      bus: row.optional(),
      missingSinceMs: z.int().optional(),
      isVanished: z.boolean(),
      neighboursMs: z.array(z.int()),
      wasTroubled: z.boolean(),
      isGone: z.boolean(),
    }),
  ),
  line: z.object({ states: z.array(z.string()), reasons: z.array(z.string()) }).optional(),
  disruptions: z
    .array(
      z.object({
        key: z.string(),
        operators: z.array(z.string()),
        states: z.array(z.string()),
        reasons: z.array(z.string()),
        sinceMs: z.int(),
        overSinceMs: z.int().optional(),
        isOver: z.boolean(),
      }),
    )
    .optional(),
  isUnwanted: z.boolean(),
});

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

const written = new WeakMap<object, string>();

/** As {@link serialiseKnowledge}, for what is asked for every minute and never changed. */
export function serialiseOnce(knowledge: IncidentKnowledge["trains"]): string {
  const json = written.get(knowledge) ?? serialiseKnowledge(knowledge);
  written.set(knowledge, json);
  return json;
}
