import { sql } from "kysely";
import type { Migration } from "../migrations.ts";

/**
 * No two publications of an account are the same video. Where two are, which people could bring about before, the one
 * that was made last keeps it; the other is over all the same.
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
