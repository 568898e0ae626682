import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proposeDescription, proposeTitle } from "../../../src/videos/publishing/draft-videos.ts";

describe("a title from a file's name", () => {
  it.each([
    ["Opening_day.mp4", "Opening day"],
    ["our film", "our film"],
    ["Tür 14.11.2026", "Tür 14.11.2026"],
    ["Tür 14.11.2026.3gp", "Tür 14.11.2026"],
    ["v1.2 final.mov", "v1.2 final"],
    ["Café Mr.Smith", "Café Mr.Smith"],
    ["Zürich v2.b.MP4", "Zürich v2.b"],
    ["Vidal_at_work.mp4", "Vidal at work"],
    ["2nd_train.webm", "2nd train"],
  ])("for %s is %s", (name, title) => {
    expect(proposeTitle(name)).toBe(title);
  });

  it.each([
    "VID_20261118_173000.mp4",
    "IMG_0042.MOV",
    "video0.mov",
    "20261118_1730.mp4",
    "Screen_Recording_2026-11-18.mov",
    ".mp4",
    "",
  ])("for %s is undefined", (name) => {
    expect(proposeTitle(name)).toBeUndefined();
  });

  it("is never too long or cut inside a character, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (name) => {
        const title = proposeTitle(name);
        expect(title === undefined || (title.length <= 255 && title.isWellFormed() && title !== "")).toBe(
          true,
        );
      }),
    );
  });
});

describe("a description from a message's text", () => {
  it("leaves out mentions", () => {
    expect(proposeDescription("<@123> our <#45> first <@&6>train <@!7>")).toBe("our  first train");
    expect(proposeDescription("<@123> ")).toBeUndefined();
  });
});
