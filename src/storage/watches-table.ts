// Watches of people and of channels: what they are and how they stand. What was told of them is in another table.
import type { Row } from "./row.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly watches: Row<WatchRecord>;
  }
}

/** A watch as it is kept. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface WatchRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly createdAtMs: number;
  /** Where it was asked for. */
  readonly askedGuildId: string | undefined;
  readonly askedChannelId: string | undefined;
  /** Whose channel it tells; both `undefined` where it tells its owner in direct messages. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
  /** JSON; `watchSettingsSchema` of src/services/watches reads it. */
  readonly settings: string;
  /** `draft`: shown to its maker, not yet saved. `ended`: its train has left. Neither counts, and both are swept. */
  readonly state: "draft" | "active" | "paused" | "ended";
  /** Why the bot paused it. */
  readonly pausedBecause: string | undefined;
  /** When it got its state. */
  readonly stateAtMs: number;
  /** When there is something to do for it; `undefined` where nobody has worked that out yet. */
  readonly nextAtMs: number | undefined;
}

/** Parts of a watch that change. */
export type WatchChanges = Partial<
  Pick<WatchRecord, "settings" | "state" | "pausedBecause" | "stateAtMs" | "guildId" | "channelId">
>;

/** How many active and paused watches there may be, this one included. */
export interface WatchLimits {
  readonly perOwner: number;
  /** Of those that tell a channel of one server. */
  readonly perGuild: number;
}

/** Queries over watches. A part of a change that is absent stays as it was; one that is `undefined` is emptied. */
export interface WatchesTable {
  add(watch: Omit<WatchRecord, "nextAtMs">): Promise<void>;
  get(id: string): Promise<WatchRecord | undefined>;
  /** In any state and with any target, in the order in which they were made. */
  ofOwner(ownerId: string): Promise<readonly WatchRecord[]>;
  /** Those that tell a channel of this server, in any state, in the order in which they were made. */
  ofGuild(guildId: string): Promise<readonly WatchRecord[]>;
  /** Active watches, but for those whose channel is in a server that the bot has left. */
  active(): Promise<readonly WatchRecord[]>;
  /** Paused watches, whoever paused them. */
  paused(): Promise<readonly WatchRecord[]>;
  /** Of the active ones those for which there is something to do, or may be. */
  due(nowMs: number): Promise<readonly WatchRecord[]>;
  /** Sets when there is something to do again, for active watches that are still as they were seen. */
  defer(seen: readonly WatchRecord[], nextAtMs: (watch: WatchRecord) => number): Promise<void>;
  /**
   * Changes parts of a watch, but only while its state is one of these, and only while there is room for it where
   * `limits` is given; says what stood in the way. A watch that tells a channel takes room of its server alone, any
   * other of its owner alone. What there is to do for it is worked out anew, and what its messages show counts as
   * unknown.
   */
  changeState(
    id: string,
    from: readonly WatchRecord["state"][],
    changes: WatchChanges,
    limits?: WatchLimits,
  ): Promise<"changed" | "not-in-state" | "no-room">;
  /**
   * Undoes what a clock has noted that was ahead of this moment: what there is to do for active watches is worked out
   * anew, what ended later has not ended, and days that were closed later are begun again.
   */
  forgetAfter(ms: number): Promise<void>;
  /** With all that was told of it. */
  remove(id: string): Promise<void>;
  /**
   * Removes drafts whose state is older than the first moment, and ended ones than the second, with all that was told
   * of them; and what was told on days that were over by then.
   */
  sweep(draftsBeforeMs: number, endedBeforeMs: number): Promise<void>;
}
