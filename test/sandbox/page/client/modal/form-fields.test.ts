import { describe, expect, it } from "vitest";
import {
  formFieldOf,
  startValue,
  valueProblem,
  type FieldValue,
} from "../../../../../sandbox/page/client/modal/form-fields.ts";

const LIMIT_BYTES = 1000;
const options = ["a", "b", "c"].map((value) => ({ label: value, value, default: value === "b" }));
const component = (type: number, more: object = {}) => ({ type, id: 1, custom_id: "x", ...more });
const problem = (field: ReturnType<typeof component>, value: FieldValue) =>
  valueProblem(field, value, LIMIT_BYTES);

describe("a form", () => {
  it("finds the field in a label, and none in a text component", () => {
    const text = component(4);
    expect(formFieldOf({ type: 18, id: 2, label: "Name", description: "Yours", component: text })).toEqual({
      customId: "x",
      label: "Name",
      description: "Yours",
      field: text,
    });
    expect(formFieldOf({ type: 10, id: 3, content: "Hello" })).toBeUndefined();
  });

  it("opens with the values that the bot set", () => {
    expect(startValue(component(4, { value: "hi" }), [])).toBe("hi");
    expect(startValue(component(3, { options }), ["b"])).toEqual(["b"]);
    expect(startValue(component(19), [])).toEqual([]);
  });

  it.each<[string, ReturnType<typeof component>, FieldValue]>([
    ["a missing required text", component(4), ""],
    ["a text that is too short", component(4, { min_length: 3 }), "ab"],
    ["a text that is too long", component(4, { max_length: 3 }), "abcd"],
    ["a missing required choice", component(3, { options }), []],
    ["too few choices", component(3, { options, min_values: 2 }), ["a"]],
    ["too many choices", component(3, { options, max_values: 1 }), ["a", "b"]],
    ["a missing required file", component(19), []],
    ["a file of another type", component(19, { file_types: ["image"] }), [new File(["x"], "a.txt")]],
    ["a file that is too large", component(19), [new File(["x".repeat(1001)], "a.txt")]],
  ])("rejects %s", (_name, field, value) => {
    expect(problem(field, value)).toMatch(/\.$/);
  });

  it.each<[string, ReturnType<typeof component>, FieldValue]>([
    ["an empty optional text", component(4, { required: false, min_length: 3 }), ""],
    ["an empty optional choice", component(3, { required: false, options }), []],
    ["a file of the right type", component(19, { file_types: [".txt"] }), [new File(["x"], "a.TXT")]],
  ])("accepts %s", (_name, field, value) => {
    expect(problem(field, value)).toBeUndefined();
  });
});
