import type { Migration } from "../migrations.ts";

/** For whom each call was made, unknown for older ones, and how many calls boards want of a plan. */
export const shares: Migration = async (schema) => {
  await schema.alterTable("spending").addColumn("purpose", "text").execute();
  await schema.alterTable("closings").addColumn("boardsWant", "integer").execute();
};
