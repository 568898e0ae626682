import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCatalogue, resolveStyle, suggestStyles } from "../../src/pictures/catalogue.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";
import { anyCharacter } from "../support/any-character.ts";

const CATALOGUE = readCatalogue(
  JSON.stringify({
    styles: [
      { id: "oil", label: "Oil paint", group: "Painted", aliases: ["impasto"] },
      { id: "pencil", label: "Pencil", group: "Drawn" },
      { id: "color_pencil", label: "Coloured pencil", group: "Drawn", aliases: ["crayon"] },
      { id: "mosaic", label: "Mosaic", group: "Printed" },
      { id: "halftone", label: "Halftone", group: "Printed", aliases: ["newspaper"] },
    ],
  }),
);
const FREE = readCatalogue(undefined);

const suggest = (text: string, limit = 25) => suggestStyles(CATALOGUE, text, limit).map(({ id }) => id);
const refusal = (catalogue: typeof CATALOGUE, text: string): string => {
  return resultOrMessage(() => resolveStyle(catalogue, text).id);
};

describe("suggesting styles", () => {
  test("puts the person's own styles first among equal matches", () => {
    const own = (text: string) =>
      suggestStyles(CATALOGUE, text, 3, ["halftone", "color_pencil"]).map(({ id }) => id);
    expect(own("")).toEqual(["halftone", "color_pencil", "oil"]);
    expect(own("pencil")).toEqual(["pencil", "color_pencil"]);
  });

  test.each([
    ["", ["oil", "pencil", "color_pencil", "mosaic", "halftone"]],
    ["penc", ["pencil", "color_pencil"]],
    ["Coloured P", ["color_pencil"]],
    ["cray", ["color_pencil"]],
    ["drawn", ["pencil", "color_pencil"]],
    ["mosiac", ["mosaic"]],
    ["newspapr", ["halftone"]],
    ["xyzzy", []],
  ])("finds the matching styles for %j", (text, ids) => {
    expect(suggest(text)).toEqual(ids);
  });

  test("gives at most as many as requested, and none without a catalogue", () => {
    expect(suggest("", 2)).toEqual(["oil", "pencil"]);
    expect(suggestStyles(FREE, "oil", 25)).toEqual([]);
  });

  test("accepts any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(suggest(text, 3).length).toBeLessThanOrEqual(3);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("resolving a style", () => {
  test.each([
    ["oil", "oil"],
    [" OIL paint ", "oil"],
    ["Impasto", "oil"],
    ["color-pencil", "color_pencil"],
    ["crayin", "color_pencil"],
    ["halftoen", "halftone"],
  ])("turns %j into %s", (text, id) => {
    expect(resolveStyle(CATALOGUE, text).id).toBe(id);
  });

  test("suggests similar styles, and escapes formatting in the typed text", () => {
    const sentence = refusal(CATALOGUE, "penc **x**");
    expect(sentence).toContain("“penc \\*\\*x\\*\\*”");
    expect(refusal(CATALOGUE, "penc")).toContain("Did you mean Pencil or Coloured pencil?");
    expect(refusal(CATALOGUE, "xyzzy")).toContain("Oil paint");
    expect(refusal(CATALOGUE, " ")).toMatch(/^Which style\?/);
  });

  test("accepts any word without a catalogue, in lower case", () => {
    expect(resolveStyle(FREE, " Van_Gogh-2 ")).toEqual({
      id: "van_gogh-2",
      label: "van_gogh-2",
      group: undefined,
      description: "",
      aliases: [],
    });
    for (const text of ["", "two words", "a".repeat(41), "é", "a\r\nb", "-x", 'a"b']) {
      expect(refusal(FREE, text)).toMatch(/^A style is one word/);
    }
  });

  test("accepts any text or says why not", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(CATALOGUE, FREE),
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        (catalogue, text) => {
          expect(refusal(catalogue, text)).toBeTruthy();
        },
      ),
    );
  });
});
