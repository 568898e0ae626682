import { describe, expect, it } from "vitest";
import { arrangeRows } from "../../../../../sandbox/page/client/chat/rows.ts";
import { chatMessage } from "../chat-message.ts";

const MINUTE_MS = 60_000;
const NOON_MS = Date.UTC(2026, 10, 18, 12);

const after = (minutes: number) => ({ id: String(minutes), createdAtMs: NOON_MS + minutes * MINUTE_MS });

/** The kind of each row: `day`, `whole` or `compact`. */
function kinds(messages: Parameters<typeof arrangeRows>[0]) {
  return arrangeRows(messages).map((row) =>
    row.type === "day" ? "day" : row.isCompact ? "compact" : "whole",
  );
}

describe("the transcript's rows", () => {
  it("are compact for a person's next messages within seven minutes", () => {
    expect(kinds([chatMessage(after(0)), chatMessage(after(2)), chatMessage(after(20))])).toEqual([
      "day",
      "whole",
      "compact",
      "whole",
    ]);
  });

  it("show the name again for another person, a reply, a command's answer and an ephemeral message", () => {
    const other = { id: "2", name: "Grace", bot: false };
    expect(
      kinds([
        chatMessage(after(0)),
        chatMessage({ ...after(1), author: other }),
        chatMessage({ ...after(2), author: other, repliesTo: "0" }),
        chatMessage({ ...after(3), author: other, used: { userId: "1", command: "/help" } }),
        chatMessage({ ...after(4), author: other, ephemeral: true }),
      ]),
    ).toEqual(["day", "whole", "whole", "whole", "whole", "whole"]);
  });

  it("have a line before each day", () => {
    const day = 24 * 60;
    expect(kinds([chatMessage(after(0)), chatMessage(after(day))])).toEqual(["day", "whole", "day", "whole"]);
  });
});
