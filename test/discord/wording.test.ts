import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { type Modal, escapeMarkdown, privateCard, textReply } from "../../src/core/reply.ts";
import { createCommandDirectory, createCommandIds } from "../../src/discord/directory.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { createReplySender, createWording } from "../../src/discord/reply-sender.ts";
import { formatReply } from "../../src/discord/reply.ts";
import { cases } from "../support/cases.ts";
import { randomReply } from "./random-reply.ts";

const commands = await readCommands(new URL("../../commands", import.meta.url));
const directory = createCommandDirectory(() => commands);
const ids = createCommandIds();
commands.forEach(({ name }) => ids.note(name, "1572662673408000034"));
const names = { style: "our *paint box*", video: "Facebook", "train data": undefined };
const wording = createWording({ directory, ids, names });

function word(text: string): string {
  const [block] = wording.reply(textReply(text)).blocks;
  return block?.type === "text" ? block.text : "";
}

/** The text with its command links turned back into commands. */
const unlink = (text: string): string => text.replaceAll(/<\/([a-z ]+):1572662673408000034>/g, "`/$1`");

describe("commands in texts for members", () => {
  it("become links", () => {
    expect(word("Use `/board list` or `/about`.")).toBe(
      "Use </board list:1572662673408000034> or </about:1572662673408000034>.",
    );
    expect(word("`/video account link`")).toBe("</video account link:1572662673408000034>");
  });

  it.each([
    ["a group", "Who may use `/board`?"],
    ["no command of ours", "`/board subscribers` and `/weather`"],
    ["a command with its options", "`/board subscribe station: York`"],
    ["a block of code", "```\n`/about`\n```"],
    ["code in two backticks", "``x `/about` ``"],
    ["what is not code", "\\`/about`"],
    ["code that does not end", "``/about`"],
    ["what people wrote", escapeMarkdown("`/about`")],
    ["a path", "see https://example.org/about and /about"],
  ])("are unchanged in %s", (_, text) => {
    expect(word(text)).toBe(text);
  });

  it("are unchanged until Discord has given them an id", () => {
    const early = createWording({ directory, ids: createCommandIds(), names });
    expect(early.reply(textReply("`/about`"))).toEqual(textReply("`/about`"));
  });

  it("are linked again in a reply that was already formatted after Discord has given them another id", () => {
    const changingIds = createCommandIds();
    const log = createLog({ level: "silent", secrets: [] });
    const replies = createReplySender({ directory, ids: changingIds, names, log });
    const reply = textReply("`/about`");
    expect(replies.format(reply, 0)).toEqual(formatReply(reply, 0));
    for (const id of ["1572662673408000034", "1572662673408000035"]) {
      changingIds.note("about", id);
      const linked = replies.format(reply, 0);
      expect(linked).toEqual(formatReply(textReply(`</about:${id}>`), 0));
      expect(replies.format(reply, 0)).toBe(linked);
    }
  });

  it("are unchanged if links would make the message too long", () => {
    const text = `${"`/about` ".repeat(10)}${"x".repeat(3_850)}`;
    expect(word(text)).toBe(text);
    expect(word(text.slice(0, 3_000))).toContain("</about:");
  });

  it("are the only change, and a message has the same text as without links", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom("`", "``", "```", "\\", "`/about`", "`/board list`", "`/board`", " ", "\n"),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          expect(unlink(word(text))).toBe(text);
        },
      ),
      { numRuns: cases(500) },
    );
    fc.assert(
      fc.property(randomReply, (reply) => {
        const said = (of: typeof reply) => formatReply(of, 1_000).body.components;
        expect(JSON.parse(unlink(JSON.stringify(said(wording.reply(reply)))))).toEqual(said(reply));
      }),
      { numRuns: cases(200) },
    );
  });
});

describe("a service that the operator has named", () => {
  it("has that name, with its formatting escaped", () => {
    expect(word("The video service is busy; the video service's page. Is it the style service?")).toBe(
      "Facebook is busy; Facebook's page. Is it our \\*paint box\\*?",
    );
    expect(word("The style service")).toBe("Our \\*paint box\\*");
    const [frame] = wording.reply(privateCard(["the video service"])).blocks;
    expect(JSON.stringify(frame)).toContain("Facebook");
  });

  it("keeps its generic name if it has no other", () => {
    expect(word("The train data service is busy.")).toBe("The train data service is busy.");
  });

  it("is unchanged in texts that people wrote", () => {
    expect(word(escapeMarkdown("I like the video service.")).replaceAll("\u00A0", " ")).toBe(
      "I like the video service.",
    );
  });

  it("has its name unescaped in a form", () => {
    const field = { type: "text", name: "a", lines: "one" } as const;
    const form: Modal = {
      type: "modal",
      target: { command: "style", action: "x" },
      title: "Style",
      fields: [
        { ...field, label: "Style", description: "Any word that the style service knows" },
        { ...field, label: "The video service" },
      ],
    };
    expect(wording.modal(form).fields).toEqual([
      { ...field, label: "Style", description: "Any word that our *paint box* knows" },
      { ...field, label: "Facebook" },
    ]);
  });
});
