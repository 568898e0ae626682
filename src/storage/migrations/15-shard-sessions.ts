import type { Migration } from "../migrations.ts";

/** A shard's lease stores its gateway session, which the next process resumes. */
export const shardSessions: Migration = async (schema) => {
  await schema.alterTable("leases").addColumn("session", "text").execute();
};
