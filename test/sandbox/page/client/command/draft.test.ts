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
  it("begins with what its command needs", () => {
    expect(texts(beginDraft(style))).toEqual({ image: "", style: "" });
    expect(beginDraft(commandNamed("help")).values).toEqual([]);
  });

  it("begins with what was written, needed or not", () => {
    const written = departures.options
      .filter(({ name }) => name === "rows" || name === "station")
      .map((option) => ({ option, text: option.name }));
    expect(texts(beginDraft(departures, written))).toEqual({ station: "station", rows: "rows" });
  });

  it("offers the options that have no place yet, each once", () => {
    const draft = beginDraft(departures);
    const [to] = optionsLeft(draft);
    const added = to === undefined ? draft : addOption(addOption(draft, to), to);
    expect(added.values.map(({ option }) => option.name)).toEqual(["station", "to"]);
    expect(optionsLeft(added).map(({ name }) => name)).not.toContain("to");
    expect(optionsLeft(removeOption(added, "to")).map(({ name }) => name)).toContain("to");
  });

  it("goes on to what must still be filled in, from the start again", () => {
    const draft = beginDraft(style);
    expect(nextRequired(draft, "image")).toBe("style");
    expect(nextRequired(draft, "style")).toBe("image");
    expect(nextRequired(setValue(draft, "image", { text: "a.png" }), "style")).toBeUndefined();
  });
});

describe("typing into a place", () => {
  it("forgets what was chosen there", () => {
    const chosen = setValue(beginDraft(departures), "station", {
      text: "York",
      pick: { name: "York", value: "YRK" },
    });
    const { draft } = typeInto(chosen, "station", "Yor");
    expect(valueOf(draft, "station")).toMatchObject({ text: "Yor", pick: undefined });
  });

  it("makes a place for an option that is named on the way, and goes there", () => {
    const { draft, goTo } = typeInto(beginDraft(departures), "station", "York rows: 5");
    expect(texts(draft)).toEqual({ station: "York", rows: "5" });
    expect(goTo).toBe("rows");
  });

  it("fills an empty place that is named in the text, but never overwrites a filled one", () => {
    const { draft, goTo } = typeInto(beginDraft(style), "image", "a.png style: oil");
    expect(texts(draft)).toEqual({ image: "a.png", style: "oil" });
    expect(goTo).toBe("style");
    expect(texts(typeInto(draft, "image", "b.png style: comic").draft)).toMatchObject({ style: "oil" });
  });

  it("takes the place's own name for no part of the value", () => {
    const { draft, goTo } = typeInto(beginDraft(departures), "station", "station: York");
    expect(texts(draft)).toEqual({ station: "York" });
    expect(goTo).toBeUndefined();
  });

  it("leaves a colon that names nothing", () => {
    const { draft } = typeInto(beginDraft(departures), "station", "at 17:30 sharp: now");
    expect(texts(draft)).toEqual({ station: "at 17:30 sharp: now" });
  });
});
