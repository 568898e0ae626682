import { describe, expect, it } from "vitest";
import { parseTimedTrainWords, parseTrainWords } from "../../src/rail/parse-train-words.ts";
import { createStations } from "../../src/rail/stations.ts";
import { createWhenReader } from "../../src/time/parse-when.ts";
import { createStillClock } from "../support/still-clock.ts";

const stations = createStations();

function read(content: string): string | undefined {
  const words = parseTrainWords(content, stations);
  return words && [words.station, words.to].flatMap((text) => text ?? []).join(" > ");
}

describe("a message about trains", () => {
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
    ["Harrow and Wealdstone to Euston", "Harrow and Wealdstone > Euston"],
    ["Hayes and Harlington -> Reading", "Hayes and Harlington > Reading"],
    ["trains from Kirkham and Wesham", "Kirkham and Wesham"],
    ["departures from Highbury and Islington", "Highbury and Islington"],
    ["trains between Euston and Harrow and Wealdstone", "Euston > Harrow and Wealdstone"],
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

  it("is not read if it is much longer than any question", () => {
    expect(read(`York to Leeds${"!".repeat(400)}`)).toBe("York > Leeds");
    expect(read(`York to Leeds${"!".repeat(600)}`)).toBeUndefined();
  });
});

const when = createWhenReader(createStillClock(Date.parse("2026-11-18T17:20:00Z")));

function readTimed(content: string): string | undefined {
  const words = parseTimedTrainWords(content, stations, when);
  return words && [words.station, words.to ?? "-", words.date ?? "-", words.time ?? "-"].join(" > ");
}

describe("a message about trains at another time", () => {
  it.each([
    ["York to Leeds tomorrow at 9:00", "York > Leeds > tomorrow > 9:00"],
    ["<@900> York to Leeds tomorrow at 9?", "York > Leeds > tomorrow > 9"],
    ["trains from York to Leeds at 5 pm on Friday please", "York > Leeds > friday > 5 pm"],
    ["next train to Leeds from York at 1731", "York > Leeds > - > 1731"],
    ["York to King's Cross on 24 Dec", "York > King's Cross > 24 dec > -"],
    ["York, Christmas Day", "York > - > christmas day > -"],
    ["Ely to March Fri 25 Dec, 7am", "Ely > March > fri 25 dec > 7am"],
  ])("reads %j", (content, expected) => {
    expect(readTimed(content)).toBe(expected);
  });

  it.each([
    "",
    "York",
    "York to Leeds",
    "tomorrow at 9",
    "York to Leeds 9",
    "York to Leeds at some time",
    "York to Leeds tomorrow with Mary",
    "see you in York tomorrow at 9:00",
    "home tomorrow at 9:00",
    `York to Leeds ${"on ".repeat(60)}Friday`,
  ])("guesses nothing from %j", (content) => {
    expect(readTimed(content)).toBeUndefined();
  });
});
