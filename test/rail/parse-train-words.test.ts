import { describe, expect, it } from "vitest";
import { parseTrainWords } from "../../src/rail/parse-train-words.ts";
import { createStations } from "../../src/rail/stations.ts";

const stations = createStations();

function read(content: string): string | undefined {
  const words = parseTrainWords(content, stations);
  return words && [words.station, words.to].flatMap((text) => text ?? []).join(" > ");
}

describe("words about trains", () => {
  it.each([
    ["York to Leeds", "York > Leeds"],
    ["<@900> york to leeds?", "york > leeds"],
    ["hi <@!900>, next train to Leeds from York please", "York > Leeds"],
    ["trains from York to Leeds", "York > Leeds"],
    ["When is the next train from York to King's Cross?", "York > King's Cross"],
    ["trains between YRK and LDS", "YRK > LDS"],
    ["YRK -> Stratford-upon-Avon", "YRK > Stratford-upon-Avon"],
    ["from York", "York"],
    ["York", "York"],
    ["YRK", "YRK"],
    ["ely", "ely"],
    ["departures from Manchestr Picadilly", "Manchestr Picadilly"],
    ["trains York", "York"],
  ])("reads %j", (content, expected) => {
    expect(read(content)).toBe(expected);
  });

  it.each([
    "",
    "<@900>",
    "hello",
    "thanks!",
    "how",
    "and",
    "home",
    "cool",
    "hell",
    "how to see",
    "going to Leeds",
    "what a day in York",
    "I love York",
    "Manchestr Picadilly",
    "trains",
    "train to Leeds",
    "trains back to York",
    "trains from nowhere at all",
    "<@900> please tell <@901> about York",
    `York ${"very ".repeat(60)}`,
  ])("guesses nothing from %j", (content) => {
    expect(read(content)).toBeUndefined();
  });
});
