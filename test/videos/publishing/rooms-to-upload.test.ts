import { describe, expect, it } from "vitest";
import { createUploadRooms } from "../../../src/videos/publishing/publish-runner.ts";
import type { PublicationRecord } from "../../../src/videos/publications-table.ts";

/** No more of a record is looked at. */
const waiting = (id: string, guildId: string) => ({ id, guildId }) as PublicationRecord;

describe("rooms to upload", () => {
  it("are two", () => {
    const rooms = createUploadRooms();
    expect(["a", "b", "a", "c"].map((id) => rooms.take(waiting(id, "g1")))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(rooms.taken).toBe(2);
    expect(rooms.giveBack("c")).toBe(false);
    expect(rooms.giveBack("a")).toBe(true);
    expect(rooms.take(waiting("c", "g1"))).toBe(true);
  });

  it("go first to the servers that have least on their way", () => {
    const rooms = createUploadRooms();
    rooms.take(waiting("a1", "a"));
    const queue = [
      waiting("a2", "a"),
      waiting("a3", "a"),
      waiting("b1", "b"),
      waiting("c1", "c"),
      waiting("b2", "b"),
    ];
    expect(rooms.inTurn(queue).map(({ id }) => id)).toEqual(["b1", "c1", "a2", "b2", "a3"]);
  });
});
