// Counts boards, watches, publications and accounts for monitoring, across all processes that share the database.
import { type Expression, sql } from "kysely";
import type { Readings } from "../core/meter.ts";
import { isBotInGuild } from "./left-guilds-table.ts";
import type { Engine, Schema } from "./schema.ts";

const LATE_MS = 60_000;

/** Counts one table after the other, so that members' queries find a free connection. Throws as queries do. */
export async function readTally({ queries, now }: Engine): Promise<Readings> {
  async function countBy(
    table: keyof Schema,
    state: Expression<string>,
  ): Promise<readonly (readonly [{ readonly state: string }, number])[]> {
    const { rows } = await sql<{
      readonly state: string;
      readonly count: number;
    }>`select ${state} as state, count(*) as count from ${sql.table(table)} group by 1`.execute(queries);
    return rows.map(({ state: value, count }) => [{ state: value }, count]);
  }

  const state = sql.ref<string>("state");
  const due = await queries
    .selectFrom("boards")
    .select(({ fn }) => [
      fn.countAll<number>().as("due"),
      sql<number>`count(*) filter (where coalesce("claimedSlotMs", "nextSlotMs") <= ${now()} - ${LATE_MS})`.as(
        "late",
      ),
    ])
    .where("state", "=", "active")
    .where(sql<boolean>`coalesce("claimedSlotMs", "nextSlotMs") <= ${now()}`)
    .where(isBotInGuild("boards.guildId"))
    .executeTakeFirst();
  return {
    boards: await countBy("boards", state),
    boards_due: due?.due,
    boards_late: due?.late,
    watches: await countBy("watches", state),
    publications: await countBy("publications", state),
    video_accounts: await countBy(
      "videoAccounts",
      sql`case when "brokenBecause" is null then 'working' else 'broken' end`,
    ),
  };
}
