import { DiscordAPIError, InteractionResponseType, MessageFlags } from "discord.js";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { type Reply, plainReply } from "../../../src/core/reply.ts";
import type { AnswerMode } from "../../../src/discord/define.ts";
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

/** An answer whose requests are noted, e.g. `callback 5 private`. */
function open(
  answerMode: AnswerMode,
  outcome: "accepted" | "closed" | "gone" = "accepted",
  failures: readonly Error[] = [],
) {
  const waiting = [...failures];
  const log = createLog({ level: "silent", secrets: [] });
  const asked: string[] = [];
  const interactionAnswer = createInteractionAnswer({
    interaction: { id: "1", token: "t", application_id: "900", attachment_size_limit: 1_000_000 },
    answerMode,
    api: {
      async callback(_, type, data) {
        const isPrivate = Object(data).flags & MessageFlags.Ephemeral;
        asked.push(`callback ${type} ${isPrivate ? "private" : "public"}`);
        // A message can only be gone for an answer that would change it.
        const { DeferredMessageUpdate, UpdateMessage } = InteractionResponseType;
        const isChange = type === DeferredMessageUpdate || type === UpdateMessage;
        if (outcome !== "gone" || isChange) {
          return outcome;
        }
        const failure = waiting.shift();
        if (failure !== undefined) {
          throw failure;
        }
        return "accepted";
      },
      editOriginal: async () => void asked.push("edit"),
      deleteOriginal: async () => void asked.push("delete"),
      async followUp() {
        asked.push("follow-up");
        return "sent";
      },
    },
    replies: plainReplies(log),
    log,
  });
  return { asked, interactionAnswer };
}

describe("a private answer with a large file", () => {
  const answer: Reply = {
    ...plainReply(["Look", { type: "file", file: "data.json" }], "private"),
    files: [{ name: "data.json", bytes: new Uint8Array(300_000), description: "Data" }],
  };

  it.each(["public", "private", "update"] as const)(
    "is uploaded after a private deferral if nothing has been sent: %s",
    async (answerMode) => {
      const { asked, interactionAnswer } = open(answerMode);
      await interactionAnswer.send(answer);
      expect(asked).toEqual(["callback 5 private", "edit"]);
    },
  );

  it("replaces a deferral that others have seen", async () => {
    const { asked, interactionAnswer } = open("public");
    await interactionAnswer.defer();
    await interactionAnswer.send(answer);
    expect(asked).toEqual(["callback 5 public", "edit", "follow-up", "delete"]);
  });
});

describe("an answer that updates a message which was deleted meanwhile", () => {
  it("becomes a private message", async () => {
    const { asked, interactionAnswer } = open("update", "gone");
    await interactionAnswer.send(plainReply(["Done"]));
    expect(asked).toEqual(["callback 7 public", "callback 4 private"]);
  });

  it("becomes a private message if it takes long", async () => {
    const { asked, interactionAnswer } = open("update", "gone");
    await interactionAnswer.defer();
    await interactionAnswer.send(plainReply(["Done"]));
    expect(asked).toEqual(["callback 6 public", "callback 5 private", "edit"]);
  });

  it("stays private if its files are refused", async () => {
    const refused = new DiscordAPIError({ code: 40_005, message: "Too large" }, 40_005, 413, "POST", "/", {
      files: undefined,
      body: undefined,
    });
    const { asked, interactionAnswer } = open("update", "gone", [refused]);
    await interactionAnswer.send({
      ...plainReply(["Look", { type: "file", file: "data.json" }]),
      files: [{ name: "data.json", bytes: new Uint8Array(10), description: "Data" }],
    });
    expect(asked).toEqual(["callback 7 public", "callback 4 private", "callback 4 private"]);
  });

  it("stays private if its private deferral fails", async () => {
    const { asked, interactionAnswer } = open("update", "gone", [new Error("Service Unavailable")]);
    await expect(interactionAnswer.defer()).rejects.toThrow("Unavailable");
    await interactionAnswer.send(plainReply(["Done"]));
    expect(asked).toEqual(["callback 6 public", "callback 5 private", "callback 4 private"]);
  });
});

describe("an answer that removes its message", () => {
  it("leaves nothing behind if the message was deleted meanwhile", async () => {
    const { asked, interactionAnswer } = open("update", "gone");
    await interactionAnswer.send({ type: "removal" });
    expect(asked).toEqual(["callback 6 public", "callback 5 private", "delete"]);
  });

  it.each([
    ["accepted", 1],
    ["closed", 0],
  ] as const)("does so only if Discord has accepted the first answer: %s", async (outcome, deletions) => {
    const { asked, interactionAnswer } = open("update", outcome);
    await interactionAnswer.send({ type: "removal" });
    expect(asked.filter((request) => request === "delete")).toHaveLength(deletions);
  });
});
