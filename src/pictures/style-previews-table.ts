// What styles look like: small pictures that the service has made once.
import type { Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly stylePreviews: StylePreviewRow;
  }
}

/** What a style looks like. */
interface StylePreviewRow {
  readonly key: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly picture: string;
}

/** A kept preview. */
export interface StylePreviewRecord {
  /** Says of which style of which service, made from what. */
  readonly key: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

export interface StylePreviewsTable {
  /** Those that there are, in no order. */
  read(keys: readonly string[]): Promise<readonly StylePreviewRecord[]>;
  /** Keeps one; of several for a key the first counts. */
  add(preview: StylePreviewRecord): Promise<void>;
}

export function createStylePreviewsTable(queries: Queries): StylePreviewsTable {
  return {
    async read(keys) {
      const rows =
        keys.length === 0
          ? []
          : await queries.selectFrom("stylePreviews").selectAll().where("key", "in", keys).execute();
      return rows.map(({ picture, ...rest }) => ({ ...rest, bytes: Buffer.from(picture, "base64") }));
    },
    async add({ bytes, ...rest }) {
      await queries
        .insertInto("stylePreviews")
        .values({ ...rest, picture: Buffer.from(bytes).toString("base64") })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
    },
  };
}
