// What a board is: a channel that subscribed to a station. What people may do with one is in subscriptions.ts, the running
// of it in sending/board-runner.ts.
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { limitEntries } from "../core/cache-options.ts";
import type { Log } from "../core/log.ts";
import { PLACE_CODE } from "../rail/london.ts";
import { scheduleSchema } from "../time/schedule.ts";
import type { BoardRecord } from "./boards-table.ts";

/** A call for each, every time. */
export const MOST_CALLING_AT = 3;
const MOST_ROWS = 10;
/** Nobody walks to a station for longer. */
export const MOST_WALK_MINUTES = 60;
/** Discord's limit for each announcement channel. */
export const PUBLISHED_PER_HOUR = 10;
/** More are as good as all. */
export const MOST_PLATFORMS = 8;
/** Longer names of platforms are not real. */
export const LONGEST_PLATFORM = 6;

/**
 * What a channel wants to see, and when, as it is kept. What boards of earlier versions do not have is as it was for them;
 * fields of later ones are dropped.
 */
const settingsSchema = z
  .object({
    kind: z.enum(["departures", "arrivals"]),
    /** Code of the station. */
    station: z.string().regex(PLACE_CODE),
    /** Codes of stations: departures call there later, arrivals called there before. */
    callingAt: z
      .array(z.string().regex(/^[A-Z]{3}$/))
      .max(MOST_CALLING_AT)
      .readonly()
      .default([]),
    /** Whether a train must call at all of them; otherwise at any. */
    callingAtAll: z.boolean().default(false),
    operator: z.string().min(1).optional(),
    /** Any of these, e.g. `4` or `4b`; empty for every platform. */
    platforms: z.array(z.string().min(1).max(LONGEST_PLATFORM)).max(MOST_PLATFORMS).readonly().default([]),
    transport: z.enum(["all", "trains", "buses"]).default("all"),
    /** Leaves out what leaves sooner than one can be there; 0 for nothing. */
    walkMinutes: z.int().min(0).max(MOST_WALK_MINUTES).default(0),
    rows: z.int().min(1).max(MOST_ROWS),
    look: z.enum(["picture", "text"]).default("picture"),
    /** One message edited in place; one that moves to the bottom, where the old one is deleted; or a new one each time. */
    mode: z.enum(["edit", "replace", "post"]),
    /** In an announcement channel: each new message is published to the servers that follow it. Never with `edit`. */
    publish: z.boolean().default(false),
    schedule: scheduleSchema,
  })
  .readonly();

export type BoardSettings = z.infer<typeof settingsSchema>;

/** What people choose among, by the name of the option or the field of a form. */
export const CHOICES = {
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

export type BoardMode = BoardSettings["mode"];
export type BoardState = BoardRecord["state"];
/** Why the bot itself paused a board. */
export type PauseReason = NonNullable<BoardRecord["pausedBecause"]>;

/** A board with its settings read. */
export interface Subscription extends Omit<BoardRecord, "settings"> {
  readonly settings: BoardSettings;
}

/** Reads settings as JSON. Throws for anything else. */
export function parseBoardSettings(json: string): BoardSettings {
  return settingsSchema.parse(JSON.parse(json));
}

/** Throws if its settings are unreadable: that is a bug. */
export function readSubscription(record: BoardRecord): Subscription {
  return { ...record, settings: parseBoardSettings(record.settings) };
}

/** Whether people see it: neither a draft nor removed. */
export function isKept({ state }: Pick<BoardRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

/** Boards kept parsed in memory, about a kilobyte each. If a bot has more, all are parsed again every minute. */
export const MOST_KEPT = 20_000;

type ReadableRecord = Pick<BoardRecord, "id" | "settings">;

/**
 * Reads thousands of boards again and again, but parses each text once. Leaves out what cannot be read, which is a bug and
 * is logged once.
 */
export function createBoardReader(log: Log) {
  const known = new LRUCache<string, { readonly settings: BoardSettings | undefined }>(
    limitEntries(MOST_KEPT),
  );

  function parse({ id, settings }: ReadableRecord): BoardSettings | undefined {
    try {
      return parseBoardSettings(settings);
    } catch (error) {
      log.error({ error, board: id }, "board settings unreadable; board stopped");
      return undefined;
    }
  }

  return <R extends ReadableRecord>(
    records: readonly R[],
  ): readonly (Omit<R, "settings"> & Pick<Subscription, "settings">)[] =>
    records.flatMap((record) => {
      const entry = known.get(record.settings) ?? { settings: parse(record) };
      known.set(record.settings, entry);
      return entry.settings === undefined ? [] : [{ ...record, settings: entry.settings }];
    });
}
