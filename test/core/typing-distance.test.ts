import * as fc from "fast-check";
import { expect, test } from "vitest";
import { typingDistance } from "../../src/core/search-text.ts";
import { cases } from "../support/cases.ts";

/** The textbook algorithm, for comparison: it fills the whole table instead of a band. Returns the last row. */
function textbookDistances(typed: string, key: string): number[] {
  const rows: number[][] = [Array.from({ length: key.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= typed.length; row += 1) {
    const values: number[] = [row];
    rows.push(values);
    for (let column = 1; column <= key.length; column += 1) {
      const same = typed[row - 1] === key[column - 1];
      const swapped =
        row > 1 && column > 1 && typed[row - 1] === key[column - 2] && typed[row - 2] === key[column - 1];
      values.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return rows.at(-1) ?? [];
}

test("typingDistance counts each of the four kinds of mistake once", () => {
  const typed = ["yorrk", "yok", "yark", "yrok", "oyrk"];
  expect(typed.map((text) => typingDistance(text, "york", 1).whole)).toEqual([1, 1, 1, 1, 1]);
});

test("typingDistance recognises the beginning of a name with a mistake in it", () => {
  expect(typingDistance("manchst", "manchesterpiccadilly", 2)).toEqual({ whole: Infinity, prefix: 1 });
});

test("typingDistance agrees with the textbook algorithm within the limit", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 4 }), (typed, key, limit) => {
      const last = textbookDistances(typed, key);
      const within = (value: number): number => (value <= limit ? value : Infinity);
      expect(typingDistance(typed, key, limit)).toEqual({
        whole: within(last.at(-1) ?? Infinity),
        prefix: within(Math.min(...last)),
      });
    }),
    { numRuns: cases(3_000) },
  );
});

test("typingDistance returns Infinity for texts that are too long", () => {
  expect(typingDistance("a".repeat(500), "a".repeat(500), 2)).toEqual({ whole: Infinity, prefix: Infinity });
});
