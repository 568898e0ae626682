// What was published from announcement channels: Discord allows each channel ten in an hour.
import type { Engine, Queries } from "./schema.ts";

export interface PublishingsTable {
  /** Counts one that is about to be published, if fewer than `limit` were since `sinceMs`; forgets older ones. */
  take(channelId: string, guildId: string, nowMs: number, sinceMs: number, limit: number): Promise<boolean>;
}

/** Makes the table's queries. */
export function createPublishingsTable({ queries, lock }: Engine): PublishingsTable {
  return {
    take: (channelId, guildId, nowMs, sinceMs, limit) =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
        await forget(transaction, nowMs, sinceMs);
        const { count } = await transaction
          .selectFrom("publishings")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("channelId", "=", channelId)
          .executeTakeFirstOrThrow();
        if (count >= limit) {
          return false;
        }
        await transaction.insertInto("publishings").values({ channelId, guildId, atMs: nowMs }).execute();
        return true;
      }),
  };
}

/** Those of a clock that was wrong go too: further ahead than the window is long, they would count for ever. */
async function forget(transaction: Queries, nowMs: number, sinceMs: number): Promise<void> {
  await transaction
    .deleteFrom("publishings")
    .where((eb) => eb.or([eb("atMs", "<=", sinceMs), eb("atMs", ">", nowMs + (nowMs - sinceMs))]))
    .execute();
}
