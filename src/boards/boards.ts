// What is stored about a board. People manage boards through manage-boards.ts; sending/board-runner.ts runs them.
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { limitEntries } from "../core/cache-options.ts";
import type { Log } from "../core/log.ts";
import { PLACE_CODE } from "../rail/london.ts";
import { scheduleSchema } from "../time/schedule.ts";
import type { BoardRecord } from "./boards-table.ts";

/** Each calling point costs a call whenever the board gets new data. */
export const MAX_CALLING_AT = 3;
const MAX_ROWS = 10;
/** The longest walk to a station that can be set, in minutes. */
export const MAX_WALK_MINUTES = 60;
/** Discord's limit for an announcement channel. */
export const PUBLISHED_PER_HOUR = 10;
/** A filter for more platforms is hardly different from none. */
export const MAX_PLATFORMS = 8;
/** Every real name fits. */
export const LONGEST_PLATFORM = 6;

/** A default keeps the behaviour of versions without that field. Fields of later versions are dropped. */
const settingsSchema = z
  .object({
    kind: z.enum(["departures", "arrivals"]),
    /** A CRS code, or a London stop's id. */
    station: z.string().regex(PLACE_CODE),
    /** CRS codes of stations at which departures call later, or arrivals called earlier. */
    callingAt: z
      .array(z.string().regex(/^[A-Z]{3}$/))
      .max(MAX_CALLING_AT)
      .readonly()
      .default([]),
    /** Whether a train must call at all of `callingAt`, or at any of them. */
    callingAtAll: z.boolean().default(false),
    operator: z.string().min(1).optional(),
    /** e.g. `4` or `4b`; empty for all. */
    platforms: z.array(z.string().min(1).max(LONGEST_PLATFORM)).max(MAX_PLATFORMS).readonly().default([]),
    transport: z.enum(["all", "trains", "buses"]).default("all"),
    /** Trains that leave sooner are hidden. */
    walkMinutes: z.int().min(0).max(MAX_WALK_MINUTES).default(0),
    rows: z.int().min(1).max(MAX_ROWS),
    look: z.enum(["picture", "text"]).default("picture"),
    /** `edit`: one message. `replace`: one at the bottom; the old one goes. `post`: a new one each time. */
    mode: z.enum(["edit", "replace", "post"]),
    /** Whether each new message of an announcement channel is published to the servers that follow it. Never with `edit`. */
    publish: z.boolean().default(false),
    schedule: scheduleSchema,
  })
  .readonly();

export type BoardSettings = z.infer<typeof settingsSchema>;

/** The labels of settings that people choose from a list, by the name of the option or form field. */
export const SETTING_LABELS = {
  mode: {
    edit: "One message, kept up to date",
    replace: "One message, moved to the bottom when it changes",
    post: "A new message each time",
  },
  kind: { departures: "Departures", arrivals: "Arrivals" },
  only: { all: "Both", trains: "Trains", buses: "Replacement buses" },
  match: { any: "At any of them", all: "At all of them" },
} as const satisfies {
  readonly mode: Readonly<Record<BoardSettings["mode"], string>>;
  readonly kind: Readonly<Record<BoardSettings["kind"], string>>;
  readonly only: Readonly<Record<BoardSettings["transport"], string>>;
  readonly match: object;
};

/** Why the bot itself paused a board. */
export type PauseReason = NonNullable<BoardRecord["pausedBecause"]>;

export interface Subscription extends Omit<BoardRecord, "settings"> {
  readonly settings: BoardSettings;
}

/** Throws if the settings are invalid. */
export function parseBoardSettings(json: string): BoardSettings {
  return settingsSchema.parse(JSON.parse(json));
}

/** Throws if the settings are invalid, which is a bug. */
export function readSubscription(record: BoardRecord): Subscription {
  return { ...record, settings: parseBoardSettings(record.settings) };
}

/** Whether a board is neither a draft nor removed. */
export function isSaved({ state }: Pick<BoardRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

/** How many boards' settings stay parsed in memory, about 1 KB each. If there are more, all are parsed again every minute. */
export const MAX_CACHED = 20_000;

type ReadableRecord = Pick<BoardRecord, "id" | "settings">;

/**
 * Thousands of boards are read every minute, so each distinct JSON text is parsed once. Invalid settings are
 * a bug: their board is left out and logged once.
 */
export function createBoardReader(log: Log) {
  const known = new LRUCache<string, { readonly settings: BoardSettings | undefined }, ReadableRecord>({
    ...limitEntries(MAX_CACHED),
    memoMethod(json, _old, { context }) {
      try {
        return { settings: parseBoardSettings(json) };
      } catch (error) {
        log.error({ error, board: context.id }, "board settings unreadable; board stopped");
        return { settings: undefined };
      }
    },
  });

  return <R extends ReadableRecord>(
    records: readonly R[],
  ): readonly (Omit<R, "settings"> & Pick<Subscription, "settings">)[] =>
    records.flatMap((record) => {
      const { settings } = known.memo(record.settings, { context: record });
      return settings === undefined ? [] : [{ ...record, settings }];
    });
}
