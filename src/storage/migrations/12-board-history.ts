import type { Migration } from "../migrations.ts";

/** What became of a board's last slots, as JSON. */
export const boardHistory: Migration = async (schema) => {
  await schema.alterTable("boards").addColumn("history", "text").execute();
};
