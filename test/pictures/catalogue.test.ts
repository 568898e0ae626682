import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/core/errors.ts";
import { readCatalogue } from "../../src/pictures/catalogue.ts";

const problemsOf = (catalogue: unknown): readonly string[] => {
  try {
    readCatalogue(JSON.stringify(catalogue));
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
};

describe("a catalogue", () => {
  test("is empty if none is set, with limits that suit most services", () => {
    expect(readCatalogue(undefined)).toEqual({
      styles: [],
      intensity: undefined,
      mix: undefined,
      limits: { maxBytes: 8_000_000, maxSide: 2_048 },
      answer: {},
    });
  });

  test("needs only ids", () => {
    const { styles } = readCatalogue('{"styles":[{"id":"color_pencil"}]}');
    expect(styles).toEqual([
      { id: "color_pencil", label: "Color pencil", group: undefined, description: "", aliases: [] },
    ]);
  });

  test("can be written as docs/styles.md shows", () => {
    const page = readFileSync(new URL("../../docs/styles.md", import.meta.url), "utf8");
    const [, json = ""] = /```json\n([^]+?)```/.exec(page) ?? [];
    const catalogue = readCatalogue(json);
    expect(catalogue.styles.map(({ label }) => label)).toEqual(["Oil paint", "Mosaic"]);
    expect(catalogue.intensity).toEqual({ name: "strength", none: 0, full: 1 });
    expect(catalogue.mix).toEqual({ style: "style2", share: { name: "mix", none: 0, full: 1 } });
    expect(catalogue.limits).toEqual({ maxBytes: 8_000_000, maxSide: 2_048 });
    expect(catalogue.answer).toEqual({
      picture: "images[0].url",
      job: "id",
      poll: "/jobs/{id}",
      progress: "progress",
    });
  });

  test("reports all mistakes at once, each with its path", () => {
    const problems = problemsOf({
      styles: [
        { id: "Oil" },
        { id: "ink", alias: ["pen"] },
        { id: "wave", label: "Great wave" },
        { id: "greatwave" },
        { id: "wave" },
      ],
      intensity: { name: "style" },
      mix: { style: "style2", share: { name: "mix", none: 1, full: 1 } },
      limits: { maxSide: 10 },
      answer: {
        picture: "images[first]",
        job: "",
        poll: "http://queue.example.org/{id}",
        result: "/jobs/result",
        keyHosts: ["https://queue.example.org"],
        text: "prompt",
      },
    });
    for (const start of [
      "styles.0.id must be",
      "styles.1 is wrong",
      "intensity.name must be",
      "mix.share must have",
      "limits.maxSide is wrong",
      "answer.picture must be the path",
      "answer.job must be the path",
      "answer.poll must be the path of a field that holds an address",
      "answer.result must be",
      "answer.keyHosts.0 must be a host",
      "answer is wrong",
    ]) {
      expect(problems).toContainEqual(expect.stringContaining(`STYLE_CATALOGUE ${start}`));
    }
    expect(problems.every((problem) => problem.endsWith("."))).toBe(true);
  });

  test("must not give two styles the same name", () => {
    expect(
      problemsOf({ styles: [{ id: "wave", label: "Great wave" }, { id: "greatwave" }, { id: "wave" }] }),
    ).toEqual([
      expect.stringContaining("styles.1 must not share"),
      expect.stringContaining("styles.2 must not share"),
    ]);
    expect(problemsOf({ styles: [{ id: "wave", label: "Wave", aliases: ["WAVE"] }] })).toEqual([]);
  });

  test("causes a ConfigError and nothing else if it is not valid", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => readCatalogue(text)).toThrow(ConfigError);
      }),
    );
  });
});
