import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { type Modal, escapeMarkdown, privateCard, textReply } from "../../src/core/reply.ts";
import { createCommandDirectory, createCommandIds } from "../../src/discord/directory.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { createReplySender } from "../../src/discord/reply-sender.ts";
import { formatReply } from "../../src/discord/reply.ts";
import { createWording } from "../../src/discord/wording.ts";
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

/** A text with its links written as the commands that they start. */
const unlink = (text: string): string => text.replaceAll(/<\/([a-z ]+):1572662673408000034>/g, "`/$1`");

describe("commands in what members read", () => {
  it("start with a tap", () => {
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
  ])("stay as they are in %s", (_, text) => {
    expect(word(text)).toBe(text);
  });

  it("stay as they are until Discord has given them an id", () => {
    const early = createWording({ directory, ids: createCommandIds(), names });
    expect(early.reply(textReply("`/about`"))).toEqual(textReply("`/about`"));
  });

  it("are looked up again in a reply that was sent before, once Discord has given them another id", () => {
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

  it("stay as they are where links would cost the message some of its words", () => {
    const text = `${"`/about` ".repeat(10)}${"x".repeat(3_850)}`;
    expect(word(text)).toBe(text);
    expect(word(text.slice(0, 3_000))).toContain("</about:");
  });

  it("are all that changes, and a message holds the same words as without", () => {
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
  it("is called by that name, and nothing in it is formatting", () => {
    expect(word("The video service is busy; the video service's page. Is it the style service?")).toBe(
      "Facebook is busy; Facebook's page. Is it our \\*paint box\\*?",
    );
    expect(word("The style service")).toBe("Our \\*paint box\\*");
    const [frame] = wording.reply(privateCard(["the video service"])).blocks;
    expect(JSON.stringify(frame)).toContain("Facebook");
  });

  it("keeps its plain words where it has no name", () => {
    expect(word("The train data service is busy.")).toBe("The train data service is busy.");
  });

  it("changes nothing that people wrote", () => {
    expect(word(escapeMarkdown("I like the video service.")).replaceAll("\u00A0", " ")).toBe(
      "I like the video service.",
    );
  });

  it("is called so in a form, as it is", () => {
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
