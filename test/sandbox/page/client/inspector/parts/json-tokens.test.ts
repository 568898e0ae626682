import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonTokens } from "../../../../../../sandbox/page/client/inspector/parts/json-tokens.ts";

describe("the words of a JSON text", () => {
  it("are told apart", () => {
    const text = '{"id": "a:\\"b", "count": -1.5e3, "is": true, "none": null}';
    expect(
      jsonTokens(text)
        .filter(({ kind }) => kind !== "rest")
        .map((token) => [token.kind, token.text]),
    ).toEqual([
      ["key", '"id"'],
      ["string", '"a:\\"b"'],
      ["key", '"count"'],
      ["number", "-1.5e3"],
      ["key", '"is"'],
      ["word", "true"],
      ["key", '"none"'],
      ["word", "null"],
    ]);
  });

  it("are the text again, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
        ),
        (text) => {
          expect(
            jsonTokens(text)
              .map((token) => token.text)
              .join(""),
          ).toBe(text);
        },
      ),
    );
  });

  it("of any JSON have no letter outside of a word", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const rest = jsonTokens(JSON.stringify(value, null, 2)).filter(({ kind }) => kind === "rest");
        expect(rest.map(({ text }) => text).join("")).toMatch(/^[[\]{},:\s]*$/);
      }),
    );
  });
});
