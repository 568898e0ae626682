import { expect, test } from "vitest";
import {
  OPERATORS,
  findOperator,
  operatorNames,
  plainName,
  suggestOperators,
  unknownOperator,
} from "../../src/rail/operators.ts";

test("no two operators share a code or a name", () => {
  const all = OPERATORS.flatMap((operator) => [plainName(operator.code), ...operatorNames(operator)]);
  expect(new Set(all).size).toBe(all.length);
  expect(OPERATORS.every(({ code }) => /^[A-Z]{2}$/.test(code))).toBe(true);
});

test.each([
  ["gr", "GR"],
  ["LNER", "GR"],
  ["g.w.r.", "GW"],
  ["avanti west", "VT"],
  ["southern", "SN"],
  ["Northern (NT)", "NT"],
  ["sou", undefined],
  ["", undefined],
  ["zz", undefined],
])("%s means %s", (typed, code) => {
  expect(findOperator(typed)?.code).toBe(code);
});

test("suggests all operators before anything is typed, and then matching and similar ones", () => {
  const names = suggestOperators("")
    .slice(0, 25)
    .map(({ name }) => name);
  expect(names).toHaveLength(25);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en-GB")));
  expect(
    suggestOperators("sou")
      .slice(0, 5)
      .map(({ code }) => code),
  ).toEqual(["SW", "SE", "SN"]);
  expect(suggestOperators("scotrial")[0]?.code).toBe("SR");
  expect(suggestOperators("southern")[0]?.code).toBe("SN");
  expect(suggestOperators("🚂🚂").slice(0, 2)).toHaveLength(2);
  expect(suggestOperators("qqqqqqqqq")).toEqual([]);
});

test.each([
  ["tranzpennine", /Did you mean TransPennine Express \(TP\)\? Pick/],
  ["Nort hern foo", /Did you mean Northern \(NT\)/],
  ["victorai", /Did you mean Victoria line\? Pick/],
  ["blah", /called “blah”\. Pick one from the list/],
  ["x".repeat(300), /…”\. Pick one/],
  ["🚂🚂", /”\. Pick one/],
])("suggests only similar names for an unknown operator: %s", (typed, sentence) => {
  expect(unknownOperator(typed, "an operator or line", ["Victoria line"]).message).toMatch(sentence);
});
