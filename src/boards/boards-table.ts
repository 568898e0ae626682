// A slot is claimed before it is worked on and finished when its outcome is certain, so that another process
// can continue after a crash.
import { type Row, countRows, fromRow, readRows, toRow } from "../storage/row.ts";
import { type ExpressionBuilder, sql } from "kysely";
import { isBotInGuild } from "../storage/left-guilds-table.ts";
import type { Engine, Queries, Schema } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly boards: Row<BoardRecord>;
  }
}

/** Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface BoardRecord {
  readonly id: string;
  readonly guildId: string;
  readonly channelId: string;
  readonly createdBy: string | undefined;
  readonly createdAtMs: number;
  /** JSON; boards.ts reads it. */
  readonly settings: string;
  /** `draft`: previewed, not yet saved. `removed`: can be brought back for an hour. */
  readonly state: "draft" | "active" | "paused" | "removed";
  /** Why the bot paused it: it cannot see the channel, may not write there, or has no times for the station. */
  readonly pausedBecause: "channel-gone" | "not-allowed" | "station-closed" | undefined;
  /** When `state` last changed. */
  readonly stateAtMs: number;
  /** The board that a draft will replace. */
  readonly changes: string | undefined;
  /** Only active boards have one, and removed boards that were active. */
  readonly nextSlotMs: number | undefined;
  readonly claimedSlotMs: number | undefined;
  /** Until then no other process may work on the board. */
  readonly claimedUntilMs: number | undefined;
  /** The message that the board keeps up to date, or its last post. */
  readonly messageId: string | undefined;
  /** The slot for which that message was sent. */
  readonly messageSlotMs: number | undefined;
  /** The hash of what that message shows. */
  readonly shownHash: string | undefined;
  /** When the source made the data that the message shows. */
  readonly shownDataMs: number | undefined;
  readonly lastSentMs: number | undefined;
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
  /** JSON of the outcomes of its last slots, for slot-history.ts. */
  readonly history: string | undefined;
}

/** Ends a claim. */
export const NO_CLAIM = { claimedSlotMs: undefined, claimedUntilMs: undefined } as const;

/** Forgets the board's message, or says that there is none. */
export const NO_MESSAGE = {
  messageId: undefined,
  messageSlotMs: undefined,
  shownHash: undefined,
  shownDataMs: undefined,
} as const;

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
  /** The values that the claiming process read. If the row has changed since, nothing is claimed. */
  readonly seen: Pick<BoardRecord, "channelId" | "nextSlotMs" | "claimedSlotMs" | "claimedUntilMs">;
  readonly slotMs: number;
  readonly nextSlotMs: number | undefined;
  /** How many slots before this one nobody worked on; counted when the slot is first claimed. */
  readonly missed: number;
  /** `undefined` leaves this and `history` unchanged. */
  readonly lastMissedMs: number | undefined;
  readonly history: string | undefined;
}

/** The columns that are read for all active boards each minute. The others are read only for boards that are due. */
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

const USED_MS = 24 * 60 * 60_000;

export type BoardsTable = ReturnType<typeof createBoardsTable>;

/** Absent fields stay unchanged; `undefined` clears a field. */
export type BoardChanges = Partial<Omit<BoardRecord, "id" | "guildId">>;

/** Changes to several boards in one transaction take the lock, which prevents deadlocks. */
export function createBoardsTable({ queries, now, lock, lockWithNext }: Engine) {
  return {
    async add(board: BoardRecord): Promise<void> {
      await queries.insertInto("boards").values(toRow(board)).execute();
    },

    async get(id: string): Promise<BoardRecord | undefined> {
      const row = await queries.selectFrom("boards").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<BoardRecord>(row);
    },

    ofGuild: (guildId: string) =>
      readRows<BoardRecord>(
        queries
          .selectFrom("boards")
          .selectAll()
          .where("guildId", "=", guildId)
          .orderBy("createdAtMs")
          .orderBy("id"),
      ),

    inChannel: (guildId: string, channelId: string) =>
      readRows<BoardRecord>(
        queries
          .selectFrom("boards")
          .selectAll()
          .where((eb) => eb.and({ guildId, channelId, state: "active" })),
      ),

    async activeChannels(): Promise<readonly string[]> {
      const rows = await queries
        .selectFrom("boards")
        .select("channelId")
        .distinct()
        .where("state", "=", "active")
        .execute();
      return rows.map(({ channelId }) => channelId);
    },

    async countActive(): Promise<ReadonlyMap<string, number>> {
      const rows = await queries
        .selectFrom("boards")
        .select(({ fn }) => ["guildId", fn.countAll<number>().as("count")])
        .where("state", "=", "active")
        .groupBy("guildId")
        .execute();
      return new Map(rows.map(({ guildId, count }) => [guildId, count]));
    },

    countMissed: (sinceMs: number) =>
      countRows(
        queries.selectFrom("boards").where("state", "=", "active").where("lastMissedMs", ">=", sinceMs),
      ),

    /** The active boards of servers that the bot is in. */
    active: () => readRows<RunningRecord>(selectRunning(queries).select(RUNNING)),

    /** The distinct settings of `active` boards other than `except`, each with the id of one board. */
    activeSettings: (except: string | undefined) =>
      readRows<Pick<BoardRecord, "id" | "settings">>(
        selectRunning(queries)
          .select(({ fn }) => [fn.min("id").as("id"), "settings"])
          .$if(except !== undefined, (query) => query.where("id", "!=", except ?? ""))
          .groupBy("settings"),
      ),

    /**
     * Boards that no process works on and whose slot has come or whose claim has expired. Edits at an
     * interval come last, because they may be late; among these, servers in use come first. Then the oldest
     * slot comes first, and equal settings are together. `most`: default all.
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

    /**
     * Claims for `forMs`. Returns when each successful claim expires, by the board's id. All are written in one
     * statement, because others wait for the lock during each round trip to the server.
     */
    claim: (claims: readonly BoardClaim[], forMs: number): Promise<ReadonlyMap<string, number>> =>
      queries.transaction().execute(async (transaction) => {
        const untilMs = (await lock(transaction, "write")) + forMs;
        const claimed = claims.length === 0 ? [] : await claimAll(transaction, claims, untilMs);
        return new Map(claimed.map(({ id }) => [id, untilMs]));
      }),

    /** Ends the claim and returns the board's state; `undefined` if another claim has replaced this one. */
    async finish(
      id: string,
      slotMs: number,
      outcome: BoardChanges,
    ): Promise<BoardRecord["state"] | undefined> {
      const finished = await queries
        .updateTable("boards")
        .set(toRow({ ...outcome, ...NO_CLAIM }))
        .where((eb) => eb.and({ id, claimedSlotMs: slotMs }))
        .returning("state")
        .executeTakeFirst();
      return finished?.state;
    },

    /**
     * Changes a board in any state; with `seen`, only if its state and message are still the same. Returns whether it was
     * changed.
     */
    async change(
      id: string,
      changes: BoardChanges,
      seen?: Pick<BoardRecord, "state" | "messageId">,
    ): Promise<boolean> {
      let changing = queries.updateTable("boards").set(toRow(changes)).where("id", "=", id);
      if (seen !== undefined) {
        changing = changing
          .where("state", "=", seen.state)
          .where("messageId", "is not distinct from", seen.messageId ?? null);
      }
      const { numUpdatedRows } = await changing.executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Only from a state of `from`, and if the server has fewer than `most` other saved boards. */
    async changeState(
      id: string,
      from: readonly BoardRecord["state"][],
      changes: BoardChanges,
      most?: number,
    ): Promise<"changed" | "not-in-state" | "no-room"> {
      if (most === undefined) {
        return (await changeFrom(queries, id, from, changes)) ? "changed" : "not-in-state";
      }
      // If two boards compete for the last place, the second transaction must see the first one's change.
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

    /** `byMs`: when the board becomes due. Does nothing if it is inactive or has another message by now. */
    async forgetMessage(
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
        .where((eb) => eb.and({ id, state: "active" }))
        .where("messageId", "is not distinct from", messageId ?? null)
        .execute();
    },

    /** Deletes a draft; does nothing if it has been saved in the meantime. */
    async discard(id: string): Promise<void> {
      await queries
        .deleteFrom("boards")
        .where((eb) => eb.and({ id, state: "draft" }))
        .execute();
    },

    /** Deletes drafts and removed boards whose state last changed before `beforeMs`. */
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

/** Patterns for parts of the settings as `JSON.stringify` writes them. */
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

async function claimAll(
  transaction: Queries,
  claims: readonly BoardClaim[],
  untilMs: number,
): Promise<readonly Pick<BoardRecord, "id">[]> {
  const values = claims.map(({ id, seen, slotMs, nextSlotMs, missed, lastMissedMs, history }) => {
    const { nextSlotMs: seenNextMs, claimedSlotMs: seenSlotMs, claimedUntilMs: seenUntilMs } = seen;
    const newlyMissed = seenSlotMs === undefined ? missed : 0;
    const numbers = [seenNextMs, seenSlotMs, seenUntilMs, slotMs, nextSlotMs, newlyMissed, lastMissedMs];
    // Without a cast, PostgreSQL treats a parameter in `values` as text.
    const integers = sql.join(numbers.map((value) => sql`cast(${value ?? null} as bigint)`));
    return sql`(${id}, ${seen.channelId}, ${integers}, ${history ?? null})`;
  });
  // `coalesce` makes SQLite find the boards by their ids. Without it, SQLite reads all active boards.
  const { rows } = await sql<Pick<BoardRecord, "id">>`
    with claim (id, "seenChannelId", "seenNextMs", "seenSlotMs", "seenUntilMs", "slotMs", "nextMs", missed, "lastMissedMs", history)
      as (values ${sql.join(values)})
    update boards set "claimedSlotMs" = claim."slotMs", "claimedUntilMs" = ${untilMs}, "nextSlotMs" = claim."nextMs",
      missed = boards.missed + claim.missed,
      "lastMissedMs" = coalesce(claim."lastMissedMs", boards."lastMissedMs"),
      history = coalesce(claim.history, boards.history)
    from claim
    where boards.id = claim.id and coalesce(state, '') = 'active' and "channelId" = "seenChannelId"
      and "nextSlotMs" is not distinct from "seenNextMs"
      and "claimedSlotMs" is not distinct from "seenSlotMs"
      and "claimedUntilMs" is not distinct from "seenUntilMs"
    returning boards.id`.execute(transaction);
  return rows;
}

/** Returns whether the state was one of `from` and the server had fewer than `most` others. */
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
