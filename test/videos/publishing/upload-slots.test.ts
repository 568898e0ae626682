import { describe, expect, it } from "vitest";
import { createUploadSlots } from "../../../src/videos/publishing/publish-runner.ts";
import type { PublicationRecord } from "../../../src/videos/publications-table.ts";

/** A record with only the fields that are read. */
const waiting = (id: string, guildId: string) => ({ id, guildId }) as PublicationRecord;

describe("upload slots", () => {
  it("are two", () => {
    const slots = createUploadSlots();
    expect(["a", "b", "a", "c"].map((id) => slots.take(waiting(id, "g1")))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(slots.taken).toBe(2);
    expect(slots.release("c")).toBe(false);
    expect(slots.release("a")).toBe(true);
    expect(slots.take(waiting("c", "g1"))).toBe(true);
  });

  it("go first to the servers with the fewest uploads in progress", () => {
    const slots = createUploadSlots();
    slots.take(waiting("a1", "a"));
    const queue = [
      waiting("a2", "a"),
      waiting("a3", "a"),
      waiting("b1", "b"),
      waiting("c1", "c"),
      waiting("b2", "b"),
    ];
    expect(slots.inTurn(queue).map(({ id }) => id)).toEqual(["b1", "c1", "a2", "b2", "a3"]);
  });
});
