import type { Migration } from "../migrations.ts";

/** For whom each call was made (unknown for older calls), and how many calls of a plan the boards want. */
export const shares: Migration = async (schema) => {
  await schema.alterTable("spending").addColumn("purpose", "text").execute();
  await schema.alterTable("closings").addColumn("boardsWant", "integer").execute();
};
