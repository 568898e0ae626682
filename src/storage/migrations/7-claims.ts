import type { Migration } from "../migrations.ts";

/** Claims of publications, and facts about the whole database, such as the application that it belongs to. */
export const claims: Migration = async (schema) => {
  await schema.alterTable("publications").addColumn("claimToken", "text").execute();
  await schema
    .createTable("facts")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
};
