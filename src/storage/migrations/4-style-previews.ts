import type { Migration } from "../migrations.ts";

/** Previews of styles, so that a restart does not pay for them again. */
export const stylePreviews: Migration = async (schema) => {
  await schema
    .createTable("stylePreviews")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("contentType", "text", (column) => column.notNull())
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("height", "integer", (column) => column.notNull())
    // Base64, because the two engines have no common type for bytes. A preview has about 50 kB.
    .addColumn("picture", "text", (column) => column.notNull())
    .execute();
};
