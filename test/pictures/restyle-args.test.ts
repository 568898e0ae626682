import { readArgs } from "../support/read-args.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import { STYLE_WORD } from "../../src/pictures/catalogue.ts";
import {
  type RestyleAction,
  type RestyleArgs,
  restyleArgs,
  restyleTarget,
} from "../../src/pictures/restyle-args.ts";

const word = fc.stringMatching(STYLE_WORD);
const args = fc.record({
  style: fc.option(word, { nil: undefined }),
  blend: fc.option(word, { nil: undefined }),
  intensity: fc.integer({ min: 1, max: 100 }),
  isSpoiler: fc.boolean(),
  wasAnimated: fc.boolean(),
  isPrivate: fc.boolean(),
  ownerId: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String),
});

function roundTrip(action: RestyleAction, given: RestyleArgs): RestyleArgs {
  const id = formatComponentId(restyleTarget(action, given));
  return readArgs(restyleArgs, parseComponentId(id)?.args);
}

describe("the arguments of a picture's buttons", () => {
  it("survive a custom id of 100 characters, whatever the styles are called", () => {
    fc.assert(
      fc.property(args, fc.constantFrom("again", "word", "full", "delete"), (given, action) => {
        expect(roundTrip(action, given)).toEqual(given);
      }),
    );
  });

  it("survive a custom id while a style or the picture is still to be chosen", () => {
    fc.assert(
      fc.property(args, fc.constantFrom("pick", "picture"), (given, action) => {
        const choosing = { ...given, style: undefined };
        expect(roundTrip(action, choosing)).toEqual(choosing);
      }),
    );
  });

  it("fit even with the longest styles and the largest id that Discord can give", () => {
    const longest = { style: "s".repeat(32), blend: "b".repeat(32), ownerId: String(2n ** 64n - 1n) };
    const given = { ...longest, intensity: 100, isSpoiler: true, wasAnimated: true, isPrivate: true };
    expect(roundTrip("delete", given)).toEqual(given);
  });

  it.each([
    "",
    "oil",
    "oil..2s0.",
    "oil..zz0.1",
    "oil..000.1",
    "oil..2s8.1",
    "OI L..2s0.1",
    "oil..2s0.1\n",
    "a.b.2s0.1.2",
  ])("are refused if the bot cannot have written them: %j", (a) =>
    expect(restyleArgs.decode({ a })).toBeUndefined(),
  );
});
