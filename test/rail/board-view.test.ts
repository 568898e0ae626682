import { describe, expect, it } from "vitest";
import { boardAltText, boardMarkdown, boardView, messagesView } from "../../src/rail/board-view.ts";
import { LEEDS, board, boardRow } from "../support/boards.ts";

function blocksOf(...args: Parameters<typeof boardView>) {
  const [frame] = boardView(...args).blocks;
  return frame?.type === "container" ? frame.blocks : [];
}

describe("a board as a reply", () => {
  const shown = board([boardRow()], { asked: { via: LEEDS, operator: "L*NER", platform: "4" } });

  it("shows the picture, with the whole board as its alt text", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(boardView(shown, bytes).files).toEqual([
      { name: "board.png", bytes, description: boardAltText(shown) },
    ]);
    const [title, gallery, footer, menu, buttons] = blocksOf(shown, bytes);
    expect(title).toEqual({
      type: "text",
      text: "### Departures from York to Leeds\n-# L\\*NER · platform 4",
    });
    expect(gallery).toEqual({ type: "gallery", items: [{ file: "board.png" }] });
    expect(footer).toEqual({
      type: "text",
      text: "-# As of 17:20 UK time, Sat 21 Nov · source: [transportapi.com](http://transportapi.com/)",
    });
    expect(menu).toMatchObject({ type: "select", placeholder: "Open a train…" });
    expect(buttons?.type).toBe("buttons");
  });

  it("can be text, with the age of the data counting up", () => {
    expect(boardView(shown, undefined).files).toBeUndefined();
    const [, rows, footer] = blocksOf(shown, undefined);
    expect(rows).toEqual({ type: "text", text: boardMarkdown(shown) });
    expect(footer).toEqual({
      type: "text",
      text: "-# As of 17:20 UK time, Sat 21 Nov (<t:1795281600:R>) · source: [transportapi.com](http://transportapi.com/)",
    });
  });

  it("has the station's messages below it: a short one in full, others shortened", () => {
    const link = "[the website](https://www.nationalrail.co.uk/a\\_b)";
    const messagesOf = (...messages: readonly string[]) => blocksOf({ ...shown, messages }, undefined)[2];
    expect(messagesOf(`Lifts: see ${link}`)).toEqual({ type: "text", text: `-# ℹ️ Lifts: see ${link}` });
    expect(messagesOf()).toMatchObject({ text: expect.stringMatching(/^-# As of/) });
    expect(messagesOf(`Lifts: see ${link}`, "Two")).toMatchObject({
      type: "section",
      texts: ["-# ℹ️ Lifts: see the website (1 more)"],
      accessory: { label: "Read all", target: { command: "departures", action: "messages" } },
    });
    const long = messagesOf(`${"Buses replace trains. ".repeat(20)}${link}`);
    expect(long).toMatchObject({ type: "section", accessory: { label: "Read all" } });
    expect(JSON.stringify(long)).toContain('trains. Buses…"');
  });

  it("shows the full messages to the person who asks for them", () => {
    const [frame] = messagesView({ ...shown, messages: ["One", "Two"] }).blocks;
    expect(JSON.stringify(frame)).toContain('"### York"');
    expect(JSON.stringify(frame)).toContain("ℹ️ One\\nℹ️ Two");
    expect(JSON.stringify(messagesView(shown))).toContain("no messages right now");
    expect(messagesView(shown).visibility).toBe("private");
  });

  it("is public", () => {
    expect(boardView(shown, undefined).visibility ?? "public").toBe("public");
  });
});
