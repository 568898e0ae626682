import { sql } from "kysely";
import type { Migration } from "../migrations.ts";

/**
 * Ensures that no two publications of an account have the same video. Where people caused duplicates before, the one
 * that was created last keeps the video; the older one, which is finished anyway, loses it.
 */
export const oneVideoEach: Migration = async (schema, transaction) => {
  await sql`
    update publications set "videoId" = null
    where exists (
      select 1 from publications as other
      where other."account" = publications."account"
        and other."videoId" = publications."videoId"
        and (other."createdAtMs" > publications."createdAtMs"
          or (other."createdAtMs" = publications."createdAtMs" and other."id" > publications."id"))
    )`.execute(transaction);
  await schema
    .createIndex("publicationsByAccountAndVideo")
    .unique()
    .on("publications")
    .columns(["account", "videoId"])
    .execute();
};
