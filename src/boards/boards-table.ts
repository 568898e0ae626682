// The boards of channels: what they are, and how far each has come. A slot is claimed before it is worked on and
// finished when its outcome is certain, so that the process that takes over after a crash finds what it needs to go on.
import { type Row, fromRow, readRows, toRow } from "../storage/row.ts";
import type { ExpressionBuilder } from "kysely";
import { isBotInGuild } from "../storage/left-guilds-table.ts";
import type { Engine, Queries, Schema } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly boards: Row<BoardRecord>;
  }
}

/** A board as it is kept. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface BoardRecord {
  readonly id: string;
  readonly guildId: string;
  readonly channelId: string;
  readonly createdBy: string | undefined;
  readonly createdAtMs: number;
  /** JSON; boards.ts reads it. */
  readonly settings: string;
  /** `draft`: shown to its maker, not yet saved. `removed`: may be brought back for an hour. */
  readonly state: "draft" | "active" | "paused" | "removed";
  /** Why the bot paused it: it no longer sees the channel, may not write there, or has no times for the station. */
  readonly pausedBecause: "channel-gone" | "not-allowed" | "station-closed" | undefined;
  /** When it got its state. */
  readonly stateAtMs: number;
  /** A draft's board that it will replace. */
  readonly changes: string | undefined;
  /** Its next slot; only an active board has one. */
  readonly nextSlotMs: number | undefined;
  /** The slot that is being worked on. */
  readonly claimedSlotMs: number | undefined;
  /** Until when nobody else may work on it. */
  readonly claimedUntilMs: number | undefined;
  /** The message that it keeps, or posted last. */
  readonly messageId: string | undefined;
  /** The slot for which that message was sent. */
  readonly messageSlotMs: number | undefined;
  /** What that message shows. */
  readonly shownHash: string | undefined;
  /** How old the data is that it shows: when the service made it. */
  readonly shownDataMs: number | undefined;
  readonly lastSentMs: number | undefined;
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
  /** What became of its last slots; slot-history.ts reads and writes it. */
  readonly history: string | undefined;
}

/** No process works on it. */
export const NO_CLAIM = { claimedSlotMs: undefined, claimedUntilMs: undefined } as const;

/** It has no message, or one that it no longer keeps. */
export const NO_MESSAGE = {
  messageId: undefined,
  messageSlotMs: undefined,
  shownHash: undefined,
  shownDataMs: undefined,
} as const;

/** What a record says of a board that has not come yet. */
export const NEVER_SENT = {
  ...NO_CLAIM,
  ...NO_MESSAGE,
  lastSentMs: undefined,
  missed: 0,
  lastMissedMs: undefined,
  history: undefined,
} as const satisfies Partial<BoardRecord>;

export interface BoardClaim {
  readonly id: string;
  /** What the claimer read. If the row has changed since, somebody else was first and nothing is claimed. */
  readonly seen: Pick<BoardRecord, "nextSlotMs" | "claimedSlotMs" | "claimedUntilMs">;
  readonly slotMs: number;
  /** The board's next slot after this one. */
  readonly nextSlotMs: number | undefined;
  /** Slots before this one that nobody worked on; counted when the slot is claimed for the first time. */
  readonly missed: number;
  /** `undefined` leaves these as they were. */
  readonly lastMissedMs: number | undefined;
  readonly history: string | undefined;
}

/** What is read of all boards each minute; the rest is read of those that are due. */
const RUNNING = [
  "id",
  "channelId",
  "settings",
  "nextSlotMs",
  "claimedSlotMs",
  "claimedUntilMs",
  "messageId",
  "shownHash",
  "lastSentMs",
] as const satisfies readonly (keyof BoardRecord)[];

export type RunningRecord = Pick<BoardRecord, (typeof RUNNING)[number]>;

/** A server is in use if somebody used the bot there within this time. */
const USED_MS = 24 * 60 * 60_000;

export type BoardsTable = ReturnType<typeof createBoardsTable>;

/** Absent: as it was; `undefined`: none any more. */
export type BoardChanges = Partial<Omit<BoardRecord, "id" | "guildId">>;

/** What changes several boards at once takes the lock, so that no two changes wait for each other. */
export function createBoardsTable({ queries, now, lock, lockWithNext }: Engine) {
  return {
    async add(board: BoardRecord): Promise<void> {
      await queries.insertInto("boards").values(toRow(board)).execute();
    },

    async get(id: string): Promise<BoardRecord | undefined> {
      const row = await queries.selectFrom("boards").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<BoardRecord>(row);
    },

    /** In the order in which they were made. */
    ofGuild: (guildId: string) =>
      readRows<BoardRecord>(
        queries
          .selectFrom("boards")
          .selectAll()
          .where("guildId", "=", guildId)
          .orderBy("createdAtMs")
          .orderBy("id"),
      ),

    /** Active boards of a server's channel. */
    inChannel: (guildId: string, channelId: string) =>
      readRows<BoardRecord>(
        queries
          .selectFrom("boards")
          .selectAll()
          .where("guildId", "=", guildId)
          .where("channelId", "=", channelId)
          .where("state", "=", "active"),
      ),

    /** The channels of active boards, each once. */
    async activeChannels(): Promise<readonly string[]> {
      const rows = await queries
        .selectFrom("boards")
        .select("channelId")
        .distinct()
        .where("state", "=", "active")
        .execute();
      return rows.map(({ channelId }) => channelId);
    },

    /** How many active boards each server has. */
    async countActive(): Promise<ReadonlyMap<string, number>> {
      const rows = await queries
        .selectFrom("boards")
        .select(({ fn }) => ["guildId", fn.countAll<number | string>().as("count")])
        .where("state", "=", "active")
        .groupBy("guildId")
        .execute();
      return new Map(rows.map(({ guildId, count }) => [guildId, Number(count)]));
    },

    /** How many active boards have missed a slot since then. */
    async countMissed(sinceMs: number): Promise<number> {
      const { count } = await queries
        .selectFrom("boards")
        .select(({ fn }) => fn.countAll<number | string>().as("count"))
        .where("state", "=", "active")
        .where("lastMissedMs", ">=", sinceMs)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Active boards of servers that the bot is in: for the plan of what is asked when. */
    active: () => readRows<RunningRecord>(selectRunning(queries).select(RUNNING)),

    /** The distinct settings of these, each with one board's id; without those of the board `except`. */
    activeSettings: (except: string | undefined) =>
      readRows<Pick<BoardRecord, "id" | "settings">>(
        selectRunning(queries)
          .select(({ fn }) => [fn.min("id").as("id"), "settings"])
          .$if(except !== undefined, (query) => query.where("id", "!=", except ?? ""))
          .groupBy("settings"),
      ),

    /**
     * Of these the ones whose slot has come at `nowMs` and that no process works on, or whose claim has run out. Edits at an
     * interval come last, because they may be late; of these, servers in use come first. Then the oldest slot comes first,
     * and equal settings are together. `most`: at most this many (default: all).
     */
    due: (nowMs: number, most?: number) =>
      readRows<BoardRecord>(
        selectRunning(queries)
          .where((eb) =>
            eb.or([
              eb.and([eb("claimedUntilMs", "is", null), eb("nextSlotMs", "<=", nowMs)]),
              eb("claimedUntilMs", "<=", now()),
            ]),
          )
          .orderBy((eb) =>
            eb
              .case()
              .when(
                eb.or([
                  eb("messageId", "is", null),
                  eb("settings", "not like", EDITED),
                  eb("settings", "not like", AT_INTERVAL),
                ]),
              )
              .then(0)
              .when(isInUse(eb, nowMs - USED_MS))
              .then(1)
              .else(2)
              .end(),
          )
          .orderBy(({ fn }) => fn.coalesce("claimedSlotMs", "nextSlotMs"))
          .orderBy("settings")
          .orderBy("id")
          .$if(most !== undefined, (query) => query.limit(most ?? 0))
          .selectAll(),
      ),

    /** Makes these claims in one transaction; nobody else may work on them for `forMs`. Returns those that succeeded, by id, with the time at which they expire. */
    claim: (claims: readonly BoardClaim[], forMs: number): Promise<ReadonlyMap<string, number>> =>
      queries.transaction().execute(async (transaction) => {
        const untilMs = (await lock(transaction, "write")) + forMs;
        const claimed = new Map<string, number>();
        for (const claim of claims) {
          if (await claimOne(transaction, claim, untilMs)) {
            claimed.set(claim.id, untilMs);
          }
        }
        return claimed;
      }),

    /**
     * Ends this slot's claim with its outcome and returns the board's state. If another claim has replaced it, changes nothing
     * and returns `undefined`.
     */
    async finish(
      id: string,
      slotMs: number,
      outcome: BoardChanges,
    ): Promise<BoardRecord["state"] | undefined> {
      const finished = await queries
        .updateTable("boards")
        .set(toRow({ ...outcome, ...NO_CLAIM }))
        .where("id", "=", id)
        .where("claimedSlotMs", "=", slotMs)
        .returning("state")
        .executeTakeFirst();
      return finished?.state;
    },

    /** Changes parts of a board, whatever its state; `false` where there is none. */
    async change(id: string, changes: BoardChanges): Promise<boolean> {
      const { numUpdatedRows } = await queries
        .updateTable("boards")
        .set(toRow(changes))
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /**
     * As `change`, but only while its state is one of these, and only while the server has room for it where `most`
     * counts active and paused boards; says what stood in the way.
     */
    async changeState(
      id: string,
      from: readonly BoardRecord["state"][],
      changes: BoardChanges,
      most?: number,
    ): Promise<"changed" | "not-in-state" | "no-room"> {
      if (most === undefined) {
        return (await changeFrom(queries, id, from, changes)) ? "changed" : "not-in-state";
      }
      // If two boards compete for the last place, the second must see the first.
      return queries.transaction().execute(async (transaction) => {
        await lockWithNext(transaction, "write");
        if (await changeFrom(transaction, id, from, changes, most)) {
          return "changed";
        }
        const there = await transaction
          .selectFrom("boards")
          .select("id")
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirst();
        return there === undefined ? "not-in-state" : "no-room";
      });
    },

    /**
     * The message is gone: clears what is stored about it and, if `byMs` is given, makes the board due at that time at the
     * latest. Does nothing if the board is not active, or keeps another message by now.
     */
    async loseMessage(
      { id, messageId }: Pick<BoardRecord, "id" | "messageId">,
      byMs?: number,
    ): Promise<void> {
      await queries
        .updateTable("boards")
        .set(({ eb }) => ({
          ...toRow(NO_MESSAGE),
          ...(byMs !== undefined && {
            nextSlotMs: eb.case().when("nextSlotMs", "<=", byMs).then(eb.ref("nextSlotMs")).else(byMs).end(),
          }),
        }))
        .where("id", "=", id)
        .where("state", "=", "active")
        .where("messageId", "is not distinct from", messageId ?? null)
        .execute();
    },

    async remove(id: string): Promise<void> {
      await queries.deleteFrom("boards").where("id", "=", id).execute();
    },

    /** Removes drafts and removed boards whose state is older than this. */
    async sweep(beforeMs: number): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        await transaction
          .deleteFrom("boards")
          .where("state", "in", ["draft", "removed"])
          .where("stateAtMs", "<", beforeMs)
          .execute();
      });
    },
  };
}

function selectRunning(queries: Queries) {
  return queries.selectFrom("boards").where("state", "=", "active").where(isBotInGuild("boards.guildId"));
}

/** Parts of the settings, as JSON.stringify writes them. */
const EDITED = '%"mode":"edit"%';
const AT_INTERVAL = '%"every":%';

function isInUse(eb: ExpressionBuilder<Schema, "boards">, sinceMs: number) {
  return eb.exists(
    eb
      .selectFrom("guildUses")
      .select("guildUses.guildId")
      .whereRef("guildUses.guildId", "=", "boards.guildId")
      .where("guildUses.lastUsedAt", ">=", sinceMs),
  );
}

async function claimOne(transaction: Queries, claim: BoardClaim, untilMs: number): Promise<boolean> {
  const { id, seen, slotMs, nextSlotMs, missed, lastMissedMs, history } = claim;
  const { numUpdatedRows } = await transaction
    .updateTable("boards")
    .set(({ eb }) => ({
      claimedSlotMs: slotMs,
      claimedUntilMs: untilMs,
      nextSlotMs: nextSlotMs ?? null,
      missed: eb("missed", "+", seen.claimedSlotMs === undefined ? missed : 0),
      ...(lastMissedMs !== undefined && { lastMissedMs }),
      ...(history !== undefined && { history }),
    }))
    .where("id", "=", id)
    .where("state", "=", "active")
    .where("nextSlotMs", "is not distinct from", seen.nextSlotMs ?? null)
    .where("claimedSlotMs", "is not distinct from", seen.claimedSlotMs ?? null)
    .where("claimedUntilMs", "is not distinct from", seen.claimedUntilMs ?? null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Changes a board in one of these states if its server has fewer than `most` others; returns whether it did. */
async function changeFrom(
  queries: Queries,
  id: string,
  from: readonly BoardRecord["state"][],
  changes: BoardChanges,
  most = Infinity,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable("boards")
    .set(toRow(changes))
    .where("id", "=", id)
    .where("state", "in", from)
    .$if(most < Infinity, (query) =>
      query.where((eb) =>
        eb(
          eb
            .selectFrom("boards as others")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .whereRef("others.guildId", "=", "boards.guildId")
            .whereRef("others.id", "!=", "boards.id")
            .where("others.state", "in", ["active", "paused"]),
          "<",
          most,
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
