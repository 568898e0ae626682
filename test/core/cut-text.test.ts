import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutLine, cutText, cutUnits } from "../../src/core/text.ts";
import { cases } from "../support/cases.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("cutting a text", () => {
  it("leaves a text that fits unchanged", () => {
    expect(cutText("The 17:31 to Leeds", 18)).toBe("The 17:31 to Leeds");
  });

  it("ends in an ellipsis", () => {
    expect(cutText("The 17:31 to Leeds", 10)).toBe("The 17:31…");
  });

  it("never splits a character", () => {
    expect(cutText("ab🚆cd", 4)).toBe("ab…");
  });

  it("stays within any limit and is well formed", () => {
    const text = fc.array(fc.constantFrom("🚆", "\ud83d", "a", " "), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 70 }), (parts, limit) => {
        const whole = parts.join("");
        const cut = cutText(whole, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("cutting a line", () => {
  it("joins several lines into one and cuts it", () => {
    expect(cutLine("  London\nKings  Cross ", 100)).toBe("London Kings Cross");
    expect(cutLine("London Kings Cross", 8)).toBe("London …");
  });

  it("stays within any limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const line = cutLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line).not.toMatch(/\n/);
        expect(line.isWellFormed()).toBe(true);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("cutting to a number of code units", () => {
  it("keeps the beginning and never splits a character", () => {
    expect(cutUnits("ab🚆cd", 3)).toBe("ab");
    expect(cutUnits("ab🚆cd", 4)).toBe("ab🚆");
    expect(cutUnits("ab", 4)).toBe("ab");
    expect(cutUnits("🚆", 0)).toBe("");
    expect(cutUnits("ab\ud83d", 3)).toBe("ab\ufffd");
  });
});
