// Messages published from announcement channels. Discord allows each channel ten an hour.
import type { Engine } from "../storage/schema.ts";
import { countRows } from "../storage/row.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly publishings: PublishingRow;
  }
}

/** One message of an announcement channel, recorded just before it was published. */
interface PublishingRow {
  readonly channelId: string;
  readonly guildId: string;
  readonly atMs: number;
}

export type PublishingsTable = ReturnType<typeof createPublishingsTable>;

export function createPublishingsTable({ queries, lock }: Engine) {
  return {
    /** Counts a message if there were fewer than `limit`; returns whether it may be published. */
    take: (channelId: string, guildId: string, windowMs: number, limit: number): Promise<boolean> =>
      queries.transaction().execute(async (transaction) => {
        const nowMs = await lock(transaction, "write");
        // Rows too far in the future were written by a wrong clock.
        await transaction
          .deleteFrom("publishings")
          .where((eb) => eb.or([eb("atMs", "<=", nowMs - windowMs), eb("atMs", ">", nowMs + windowMs)]))
          .execute();
        const published = transaction.selectFrom("publishings").where("channelId", "=", channelId);
        if ((await countRows(published)) >= limit) {
          return false;
        }
        await transaction.insertInto("publishings").values({ channelId, guildId, atMs: nowMs }).execute();
        return true;
      }),
  };
}
