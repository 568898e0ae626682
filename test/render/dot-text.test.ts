import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cutToWidth,
  dotWidth,
  drawableText,
  fitText,
  loadDotFont,
  wrapText,
} from "../../src/render/dot-text.ts";

describe("dot-matrix text", () => {
  it("keeps the letters of British names and replaces characters that the font lacks", () => {
    expect(drawableText("Ynys-y-bŵl · Llŷn, Café")).toBe("Ynys-y-bŵl · Llŷn, Café");
    expect(drawableText("ﬁne\u00A0day\tĈ")).toBe("fine day C");
    expect(drawableText("東京 Москва")).toBe("·· ······");
    expect(drawableText("e\u0301\u200B")).toBe("é");
  });

  it("draws every character that it keeps: none is a box or empty", async () => {
    const font = await loadDotFont();
    const missing = font("\u{10FFFF}");
    const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map(drawableText);
    const latin = Array.from({ length: 0x2_200 }, (_, code) => String.fromCodePoint(code)).join("");
    fc.assert(
      fc.property(fc.oneof(texts, fc.constant(drawableText(latin))), (text) => {
        for (const letter of new Set(text)) {
          const dots = font(letter);
          expect(dots.length > 0 || letter.trim() === "").toBe(true);
          expect(missing.length === 0 || JSON.stringify(dots) !== JSON.stringify(missing)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("uses the largest dots at which a name fits, and truncates only at the smallest", () => {
    expect(fitText("York", [4, 3], 200)).toEqual({ text: "York", pitch: 4 });
    expect(fitText("Scarborough", [4, 3], 200)).toEqual({ text: "Scarborough", pitch: 3 });
    expect(fitText("Birmingham New Street", [4, 3], 200)).toEqual({ text: "Birmingham…", pitch: 3 });
  });

  it("wraps between words if it can", () => {
    expect(wrapText("London St Pancras International", 3, 480)).toEqual([
      "London St Pancras",
      "International",
    ]);
    expect(wrapText("York", 3, 480)).toEqual(["York", ""]);
  });

  it("never exceeds the width", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 60, max: 900 }),
        (text, pitch, width) => {
          expect(dotWidth(cutToWidth(text, pitch, width), pitch)).toBeLessThanOrEqual(width);
          for (const line of wrapText(text, pitch, width)) {
            expect(dotWidth(line, pitch)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });
});
