import { describe, expect, it } from "vitest";
import {
  addOption,
  beginDraft,
  nextRequired,
  optionsLeft,
  removeOption,
  setValue,
  typeInto,
  valueOf,
  type Draft,
} from "../../../../../sandbox/page/client/command/draft.ts";
import { commandNamed } from "./commands.ts";

const departures = commandNamed("departures");
const style = commandNamed("style");

const texts = ({ values }: Draft) =>
  Object.fromEntries(values.map(({ option, text }) => [option.name, text]));

describe("a draft", () => {
  it("starts with the required options", () => {
    expect(texts(beginDraft(style))).toEqual({ image: "", style: "" });
    expect(beginDraft(commandNamed("help")).values).toEqual([]);
  });

  it("starts with every value that was written, required or optional", () => {
    const written = departures.options
      .filter(({ name }) => name === "rows" || name === "station")
      .map((option) => ({ option, text: option.name }));
    expect(texts(beginDraft(departures, written))).toEqual({ station: "station", rows: "rows" });
  });

  it("offers only options that it does not contain, and adds each once", () => {
    const draft = beginDraft(departures);
    const [to] = optionsLeft(draft);
    const added = to === undefined ? draft : addOption(addOption(draft, to), to);
    expect(added.values.map(({ option }) => option.name)).toEqual(["station", "to"]);
    expect(optionsLeft(added).map(({ name }) => name)).not.toContain("to");
    expect(optionsLeft(removeOption(added, "to")).map(({ name }) => name)).toContain("to");
  });

  it("finds the next empty required option, continuing from the first", () => {
    const draft = beginDraft(style);
    expect(nextRequired(draft, "image")).toBe("style");
    expect(nextRequired(draft, "style")).toBe("image");
    expect(nextRequired(setValue(draft, "image", { text: "a.png" }), "style")).toBeUndefined();
  });
});

describe("typing into an option's field", () => {
  it("discards the choice from the list", () => {
    const chosen = setValue(beginDraft(departures), "station", {
      text: "York",
      pick: { name: "York", value: "YRK" },
    });
    const { draft } = typeInto(chosen, "station", "Yor");
    expect(valueOf(draft, "station")).toMatchObject({ text: "Yor", pick: undefined });
  });

  it("adds an option that is named in the text, and moves to it", () => {
    const { draft, goTo } = typeInto(beginDraft(departures), "station", "York rows: 5");
    expect(texts(draft)).toEqual({ station: "York", rows: "5" });
    expect(goTo).toBe("rows");
  });

  it("fills in an empty option that is named in the text, but never overwrites a filled one", () => {
    const { draft, goTo } = typeInto(beginDraft(style), "image", "a.png style: oil");
    expect(texts(draft)).toEqual({ image: "a.png", style: "oil" });
    expect(goTo).toBe("style");
    expect(texts(typeInto(draft, "image", "b.png style: comic").draft)).toMatchObject({ style: "oil" });
  });

  it("removes the option's own name from the value", () => {
    const { draft, goTo } = typeInto(beginDraft(departures), "station", "station: York");
    expect(texts(draft)).toEqual({ station: "York" });
    expect(goTo).toBeUndefined();
  });

  it("keeps a colon that follows no option's name", () => {
    const { draft } = typeInto(beginDraft(departures), "station", "at 17:30 sharp: now");
    expect(texts(draft)).toEqual({ station: "at 17:30 sharp: now" });
  });
});
