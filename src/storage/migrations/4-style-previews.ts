import type { Migration } from "../migrations.ts";

/** What styles look like, so that no restart pays for it again. */
export const stylePreviews: Migration = async (schema) => {
  await schema
    .createTable("stylePreviews")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("contentType", "text", (column) => column.notNull())
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("height", "integer", (column) => column.notNull())
    // Base64: the two engines have no type of bytes in common, and a preview has some 50 kB.
    .addColumn("picture", "text", (column) => column.notNull())
    .execute();
};
