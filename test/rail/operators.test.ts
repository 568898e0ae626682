import { expect, test } from "vitest";
import {
  OPERATORS,
  findOperator,
  nearestOperators,
  operatorNames,
  plainName,
  suggestOperators,
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
  ["sou", undefined],
  ["", undefined],
  ["zz", undefined],
])("%s means %s", (typed, code) => {
  expect(findOperator(typed)?.code).toBe(code);
});

test("suggests all operators before anything is typed, then fitting and nearly fitting ones", () => {
  expect(suggestOperators("", 25)).toHaveLength(25);
  expect(suggestOperators("sou", 5).map(({ code }) => code)).toEqual(["SE", "SN", "SW"]);
  expect(suggestOperators("scotrial", 5)[0]?.code).toBe("SR");
  expect(suggestOperators("southern", 5)[0]?.code).toBe("SN");
  expect(suggestOperators("🚂🚂", 2)).toHaveLength(2);
  expect(suggestOperators("qqqqqqqqq", 5)).toEqual([]);
});

test("always names as many near ones as asked for", () => {
  expect(nearestOperators("qqqqqqqqq", 3)).toHaveLength(3);
  expect(nearestOperators("x".repeat(300), 3)).toHaveLength(3);
  expect(nearestOperators("tranzpennine", 3)[0]?.code).toBe("TP");
});
