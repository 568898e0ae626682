import { describe, expect, it } from "vitest";
import { placePending } from "../../../../../sandbox/page/client/chat/place-pending.ts";
import type { Pending } from "../../../../../sandbox/page/client/state/pending.ts";
import { chatMessage } from "../chat-message.ts";

const MESSAGES = ["1", "2"].map((id) => chatMessage({ id }));

const command = (key: number, more: Partial<Pending>): Pending => ({
  key,
  channelId: "9",
  what: "/about",
  afterId: "1",
  problem: undefined,
  retry: () => undefined,
  ...more,
});

describe("acts without an answer", () => {
  it("stand at the end while they are on their way, whatever came since they were begun", () => {
    expect(placePending([command(1, {})], MESSAGES).atEnd).toHaveLength(1);
  });

  it("stay where they were begun once they have failed", () => {
    const failed = command(1, { problem: "The application did not respond." });
    const { below, atEnd } = placePending([failed, command(2, {})], MESSAGES);
    expect(below.get("1")).toEqual([failed]);
    expect(atEnd.map(({ key }) => key)).toEqual([2]);
  });

  it("stand at the end where what they followed is gone, or nothing was there", () => {
    const failed = [
      command(1, { problem: "x", afterId: "0" }),
      command(2, { problem: "x", afterId: undefined }),
    ];
    expect(placePending(failed, MESSAGES).atEnd).toHaveLength(2);
  });
});
