import type { Picture } from "../render/pictures.ts";
import type { Queries } from "../storage/schema.ts";
import { putIfAbsent } from "../storage/row.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    /** The picture in base64. */
    readonly stylePreviews: Omit<StylePreviewRecord, "bytes"> & { readonly picture: string };
  }
}

export interface StylePreviewRecord extends Picture {
  /** A hash of the service, the style and the version of the sample. */
  readonly key: string;
}

export function createStylePreviewsTable(queries: Queries) {
  return {
    async read(keys: readonly string[]): Promise<readonly StylePreviewRecord[]> {
      const rows =
        keys.length === 0
          ? []
          : await queries.selectFrom("stylePreviews").selectAll().where("key", "in", keys).execute();
      return rows.map(({ picture, ...rest }) => ({ ...rest, bytes: Buffer.from(picture, "base64") }));
    },
    async add({ key, contentType, width, height, bytes }: StylePreviewRecord): Promise<void> {
      const picture = Buffer.from(bytes).toString("base64");
      await putIfAbsent(queries, "stylePreviews", { key, contentType, width, height, picture }, "key");
    },
  };
}

export type StylePreviewsTable = ReturnType<typeof createStylePreviewsTable>;
