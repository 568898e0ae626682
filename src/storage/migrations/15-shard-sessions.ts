import type { Migration } from "../migrations.ts";

/** A shard's lease says which gateway session goes on with it. */
export const shardSessions: Migration = async (schema) => {
  await schema.alterTable("leases").addColumn("session", "text").execute();
};
