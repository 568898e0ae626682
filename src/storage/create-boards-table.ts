// The queries over boards. Whoever changes several boards at once holds the lock, so that no two wait for each other.
import type { BoardClaim, BoardRecord, BoardsTable } from "./boards-table.ts";
import { isNotLeft } from "./is-not-left.ts";
import { fromRow, toRow } from "./row.ts";
import type { Engine, Queries } from "./schema.ts";

/** Makes the table's queries. */
export function createBoardsTable({ queries, now, lock }: Engine): BoardsTable {
  return {
    async add(board) {
      await queries.insertInto("boards").values(toRow(board)).execute();
    },
    async get(id) {
      const row = await queries.selectFrom("boards").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<BoardRecord>(row);
    },
    async ofGuild(guildId) {
      const rows = await queries
        .selectFrom("boards")
        .selectAll()
        .where("guildId", "=", guildId)
        .orderBy("createdAtMs")
        .orderBy("id")
        .execute();
      return rows.map((row) => fromRow<BoardRecord>(row));
    },
    async inChannel(guildId, channelId) {
      const rows = await queries
        .selectFrom("boards")
        .selectAll()
        .where("guildId", "=", guildId)
        .where("channelId", "=", channelId)
        .where("state", "=", "active")
        .execute();
      return rows.map((row) => fromRow<BoardRecord>(row));
    },
    async activeChannels() {
      const rows = await queries
        .selectFrom("boards")
        .select("channelId")
        .distinct()
        .where("state", "=", "active")
        .execute();
      return rows.map(({ channelId }) => channelId);
    },
    async active() {
      const rows = await selectRunning(queries).execute();
      return rows.map((row) => fromRow<BoardRecord>(row));
    },
    async due(nowMs, most) {
      const rows = await selectRunning(queries)
        .where((eb) =>
          eb.or([
            eb.and([eb("claimedUntilMs", "is", null), eb("nextSlotMs", "<=", nowMs)]),
            eb("claimedUntilMs", "<=", now()),
          ]),
        )
        .orderBy(({ fn }) => fn.coalesce("claimedSlotMs", "nextSlotMs"))
        .orderBy("settings")
        .orderBy("id")
        .$if(most !== undefined, (query) => query.limit(most ?? 0))
        .execute();
      return rows.map((row) => fromRow<BoardRecord>(row));
    },
    claim: (claims) =>
      queries.transaction().execute(async (transaction) => {
        const nowMs = await lock(transaction, "boards");
        const claimed = new Map<string, number>();
        for (const claim of claims) {
          const untilMs = nowMs + claim.forMs;
          if (await claimOne(transaction, claim, untilMs)) {
            claimed.set(claim.id, untilMs);
          }
        }
        return claimed;
      }),
    async finish(id, slotMs, outcome) {
      const { numUpdatedRows } = await queries
        .updateTable("boards")
        .set({ ...toRow(outcome), claimedSlotMs: null, claimedUntilMs: null })
        .where("id", "=", id)
        .where("claimedSlotMs", "=", slotMs)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async change(id, changes) {
      const { numUpdatedRows } = await queries
        .updateTable("boards")
        .set(toRow(changes))
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    changeState: (id, from, changes, most) =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
        const board = await transaction
          .selectFrom("boards")
          .select("guildId")
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirst();
        if (board === undefined) {
          return "not-in-state";
        }
        if (most !== undefined && (await countOthers(transaction, id, board.guildId)) >= most) {
          return "no-room";
        }
        const { numUpdatedRows } = await transaction
          .updateTable("boards")
          .set(toRow(changes))
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n ? "changed" : "not-in-state";
      }),
    async loseMessage({ id, messageId }, byMs) {
      await queries
        .updateTable("boards")
        .set(({ eb }) => ({
          messageId: null,
          messageSlotMs: null,
          shownHash: null,
          shownDataMs: null,
          ...(byMs !== undefined && {
            nextSlotMs: eb.case().when("nextSlotMs", "<=", byMs).then(eb.ref("nextSlotMs")).else(byMs).end(),
          }),
        }))
        .where("id", "=", id)
        .where("state", "=", "active")
        .where("messageId", "is not distinct from", messageId ?? null)
        .execute();
    },
    async remove(id) {
      await queries.deleteFrom("boards").where("id", "=", id).execute();
    },
    async sweep(beforeMs) {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
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
  return queries
    .selectFrom("boards")
    .selectAll()
    .where("state", "=", "active")
    .where(isNotLeft("boards.guildId"));
}

async function claimOne(transaction: Queries, claim: BoardClaim, untilMs: number): Promise<boolean> {
  const { id, seen, slotMs, nextSlotMs, missed, lastMissedMs } = claim;
  const { numUpdatedRows } = await transaction
    .updateTable("boards")
    .set(({ eb }) => ({
      claimedSlotMs: slotMs,
      claimedUntilMs: untilMs,
      nextSlotMs: nextSlotMs ?? null,
      missed: eb("missed", "+", missed),
      ...(lastMissedMs !== undefined && { lastMissedMs }),
    }))
    .where("id", "=", id)
    .where("state", "=", "active")
    .where("nextSlotMs", "is not distinct from", seen.nextSlotMs ?? null)
    .where("claimedSlotMs", "is not distinct from", seen.claimedSlotMs ?? null)
    .where("claimedUntilMs", "is not distinct from", seen.claimedUntilMs ?? null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** How many boards a server has that count, this one aside. */
async function countOthers(transaction: Queries, id: string, guildId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom("boards")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("guildId", "=", guildId)
    .where("state", "in", ["active", "paused"])
    .where("id", "!=", id)
    .executeTakeFirstOrThrow();
  return count;
}
