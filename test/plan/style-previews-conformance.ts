// Tests of style previews that every database engine must pass. Each test gets an empty database.
import { describe, expect, it } from "vitest";
import type { DatabaseKind } from "../support/databases.ts";
import { createTestDatabase, openTestDatabase } from "../open.ts";

/** Defines the tests for previews on one kind of database. */
export function describeStylePreviews(kind: DatabaseKind): void {
  describe("previews of styles", () => {
    it("are returned as they were stored, and the first one of a key stays", async () => {
      const { stylePreviews } = await openTestDatabase(await createTestDatabase(kind));
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const oil = { key: "oil", contentType: "image/jpeg", width: 640, height: 480, bytes };
      await stylePreviews.add(oil);
      await stylePreviews.add({ ...oil, width: 1 });
      await stylePreviews.add({ ...oil, key: "comic" });
      const [kept, ...others] = await stylePreviews.read(["oil", "none"]);
      expect(others).toEqual([]);
      expect(kept).toMatchObject({ key: "oil", contentType: "image/jpeg", width: 640, height: 480 });
      expect(new Uint8Array(kept?.bytes ?? [])).toEqual(bytes);
      expect(await stylePreviews.read([])).toEqual([]);
    });
  });
}
