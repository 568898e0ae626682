import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { createInteractionAnswer, formatRestored } from "../../../src/discord/dispatch/interaction-answer.ts";
import { plainReplies } from "../../support/plain-replies.ts";

const CDN = "https://cdn.discordapp.com/attachments/1/2";

describe("a restored message", () => {
  it("refers to its own files by name, because their links cannot be sent", () => {
    const gallery = {
      type: 12,
      items: [{ media: { url: `${CDN}/board.png?ex=1`, width: 1 }, spoiler: false }],
    };
    expect(formatRestored([gallery])).toEqual([
      { type: 12, items: [{ media: { url: "attachment://board.png" }, spoiler: false }] },
    ]);
  });

  it("keeps everything else, including a link to a file", () => {
    const row = { type: 1, components: [{ type: 2, style: 5, label: "Open", url: `${CDN}/board.png` }] };
    expect(formatRestored([row, null, "text"])).toEqual([row, null, "text"]);
  });

  it("leaves a name with a stray per cent sign unchanged", () => {
    expect(formatRestored([{ url: `${CDN}/100%.png` }])).toEqual([{ url: "attachment://100%.png" }]);
  });
});

describe("an answer that removes its message", () => {
  it.each([
    ["accepted", 1],
    ["closed", 0],
  ] as const)("does so only if Discord has accepted the first answer: %s", async (outcome, deletions) => {
    const log = createLog({ level: "silent", secrets: [] });
    let deleted = 0;
    const interactionAnswer = createInteractionAnswer({
      interaction: { id: "1", token: "t", application_id: "900", attachment_size_limit: 1_000 },
      answerMode: "update",
      api: {
        callback: async () => outcome,
        editOriginal: async () => undefined,
        deleteOriginal: async () => void (deleted += 1),
        followUp: async () => "sent",
      },
      replies: plainReplies(log),
      log,
    });
    await interactionAnswer.send({ type: "removal" });
    expect(deleted).toBe(deletions);
  });
});
