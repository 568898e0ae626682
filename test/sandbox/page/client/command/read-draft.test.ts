import { extensionsOf } from "../../../../../sandbox/discord/file-extensions.ts";
import { describe, expect, it } from "vitest";
import {
  addOption,
  beginDraft,
  setValue,
  type Draft,
} from "../../../../../sandbox/page/client/command/draft.ts";
import { fileProblem, readDraft, readTyped } from "../../../../../sandbox/page/client/command/read-draft.ts";
import { DIRECTORY, commandNamed } from "./commands.ts";

const LIMIT_BYTES = 1000;

/** A draft of the command with these texts. */
function filled(name: string, texts: Record<string, string>): Draft {
  const runnable = commandNamed(name);
  return Object.entries(texts).reduce((draft, [optionName, text]) => {
    const option = runnable.options.find((one) => one.name === optionName);
    return option === undefined ? draft : setValue(addOption(draft, option), optionName, { text });
  }, beginDraft(runnable));
}

const read = (draft: Draft) => readDraft(draft, DIRECTORY, LIMIT_BYTES);

describe("a filled-in command", () => {
  it("sends each value in its option's type", () => {
    const draft = filled("departures", {
      station: " York ",
      rows: "5",
      private: "false",
      view: "text",
      who: "ada lovelace",
      channel: "#trains",
    });
    expect(read(draft)).toEqual({
      values: { station: "York", rows: 5, private: false, view: "text", who: "2", channel: "4" },
    });
  });

  it("sends the value of a choice until its name is edited", () => {
    const chosen = setValue(filled("departures", {}), "station", {
      text: "York (YRK)",
      pick: { name: "York (YRK)", value: "YRK" },
    });
    expect(read(chosen)).toEqual({ values: { station: "YRK" } });
    expect(read(setValue(chosen, "station", { text: "York (Y" }))).toEqual({
      values: { station: "York (Y" },
    });
  });

  it("omits empty options", () => {
    expect(read(filled("departures", { station: "York", to: " ", rows: "" }))).toEqual({
      values: { station: "York" },
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ["a missing required option", {}, "station"],
    ["a number that is too large", { station: "York", rows: "11" }, "rows"],
    ["a fraction", { station: "York", rows: "2.5" }, "rows"],
    ["a word instead of a number", { station: "York", rows: "many" }, "rows"],
    ["a text that is too long", { station: "York", to: "Wolverhampton" }, "to"],
    ["a choice that is not offered", { station: "York", view: "film" }, "view"],
    ["a person who is not here", { station: "York", who: "Nobody" }, "who"],
    ["a channel of another type", { station: "York", channel: "news" }, "channel"],
    ["neither true nor false", { station: "York", private: "perhaps" }, "private"],
  ])("is not sent with %s, and names the option", (_name, texts, option) => {
    expect(read(filled("departures", texts))).toMatchObject({
      option,
      problem: expect.stringMatching(/\.$/),
    });
  });

  it.each([
    ["rows", "11", "Type a number from 1 to 10."],
    ["rows", "2.5", "Type a whole number."],
    ["to", "Wolverhampton", "Write at most 8 characters."],
    ["view", "film", "Choose view from the list."],
  ])("says for the option %s with the value %s: %s", (name, text, problem) => {
    expect(read(filled("departures", { station: "York", [name]: text }))).toEqual({ problem, option: name });
  });

  it("sends only files of an allowed type and size", () => {
    const withFile = (file: File) =>
      setValue(filled("style", { style: "oil" }), "image", { file, text: file.name });
    const picture = new File(["x"], "a.PNG");
    expect(read(withFile(picture))).toEqual({ values: { image: picture, style: "oil" } });
    expect(read(withFile(new File(["x"], "a.txt")))).toMatchObject({ option: "image" });
    expect(read(withFile(new File(["x".repeat(1001)], "a.png")))).toMatchObject({ option: "image" });
  });

  it("gives autocomplete the typed values, unchecked and without files", () => {
    const file = new File(["x"], "a.png");
    const draft = setValue(filled("style", { style: "oi" }), "image", { file, text: file.name });
    expect(readTyped(draft, DIRECTORY)).toEqual({ style: "oi" });
    expect(readTyped(filled("departures", { station: "y", rows: "many" }), DIRECTORY)).toEqual({
      station: "y",
      rows: "many",
    });
  });
});

describe("an option's file types", () => {
  it("are expanded to file extensions", () => {
    expect(extensionsOf(["video", ".CSV"])).toEqual([".mp4", ".mov", ".qt", ".webm", ".csv"]);
    expect(extensionsOf(undefined)).toEqual([]);
  });

  it("allow every file if there are none", () => {
    expect(fileProblem({ name: "a.exe", size: 1 }, undefined, LIMIT_BYTES)).toBeUndefined();
    expect(fileProblem({ name: "a.exe", size: 1 }, ["image"], LIMIT_BYTES)).toContain("a.exe");
  });
});
