import type { Migration } from "../migrations.ts";

/** The outcomes of a board's last slots, as JSON. */
export const boardHistory: Migration = async (schema) => {
  await schema.alterTable("boards").addColumn("history", "text").execute();
};
