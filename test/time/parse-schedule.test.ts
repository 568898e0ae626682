import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Schedule,
  formatDays,
  formatHours,
  formatTiming,
  formatZone,
  scheduleSchema,
} from "../../src/time/schedule.ts";
import { type ScheduleText, parseSchedule, parseEnds } from "../../src/time/parse-schedule.ts";
import { UserError } from "../../src/core/errors.ts";
import { dayWithin } from "../../src/time/wall-clock.ts";
import { nextSlot } from "../../src/time/slots.ts";
import { allZones } from "../../src/time/zones.ts";
import { anySchedule } from "./slow-slots.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";
import { anyCharacter } from "../support/any-character.ts";

function parse(text: ScheduleText) {
  return parseSchedule(text, { zone: "Europe/London" });
}

/** A part of the parsed schedule, or the error's message if the text is refused. */
function read<T>(text: ScheduleText, pick: (schedule: Schedule) => T): T | string {
  return resultOrMessage(() => pick(parse(text)));
}

test("a schedule is every five minutes, all day on every day, by default", () => {
  const usual = { timing: { every: 5 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" };
  expect(parse({})).toEqual(usual);
  expect(parse({ every: " ", at: "", days: undefined, hours: "all day", zone: "" })).toEqual(usual);
  expect(parseSchedule({}, { zone: "Asia/Tokyo" }).zone).toBe("Asia/Tokyo");
});

describe("an interval", () => {
  const every = (text: string) => read({ every: text }, ({ timing }) => timing);

  test.each([
    ["5", 5],
    ["5 min", 5],
    ["5mins", 5],
    ["every 10 minutes", 10],
    ["Every Ten Minutes", 10],
    ["１０", 10],
    ["1h", 60],
    ["2 hrs", 120],
    ["1h30", 90],
    ["1 hour and 15 minutes", 75],
    ["1.5 hours", 90],
    ["0,5 h", 30],
    ["120 seconds", 2],
    ["hourly", 60],
    ["every hour", 60],
    ["an hour", 60],
    ["a minute", 1],
    ["every half an hour", 30],
    ["quarter of an hour", 15],
    ["24 hours", 1_440],
    ["1440", 1_440],
  ])("is read from %j", (text, minutes) => {
    expect(every(text)).toEqual({ every: minutes });
  });

  test.each([
    ["0", /once a minute.*10 minutes/],
    ["1.5", /whole minutes/],
    ["30 seconds", /once a minute/],
    ["90 seconds", /whole minutes/],
    ["1441", /at least every 24 hours/],
    ["25h", /at least every 24 hours/],
    ["99999999999999999999", /at least every 24 hours/],
    ["-5", /couldn't read “.*-5”.*10 minutes/],
    ["often", /read “often”/],
    ["every", /read “every”/],
    ["5 trains", /couldn't read/],
    ["@everyone", /couldn't read/],
    ["x".repeat(5_000), /more text than I can read/],
  ])("is refused if it is %j, with a suggestion", (text, sentence) => {
    expect(every(text)).toMatch(sentence);
  });
});

describe("fixed times", () => {
  const at = (text: string) =>
    read({ at: text }, ({ timing }) => ("at" in timing ? timing.at.join(" ") : ""));

  test.each([
    ["7:30, 17:15", "07:30 17:15"],
    ["17:15 7:30", "07:30 17:15"],
    ["07.30 and 5pm", "07:30 17:00"],
    ["at 7:30 am & 5:15 p.m.", "07:30 17:15"],
    ["0730;1715", "07:30 17:15"],
    ["noon, midnight", "00:00 12:00"],
    ["7:30, 07:30, 7.30am", "07:30"],
  ])("are read from %j", (text, times) => {
    expect(at(text)).toBe(times);
  });

  test.each([
    ["7", /07:00 or 7pm/],
    ["25:00", /25:00 isn't a time/],
    ["24:00", /00:00/],
    ["now", /“now” isn't/],
    ["01:30 GMT", /“gmt” as a time/],
    ["soon", /“soon” as a time/],
    [",", /At which times/],
    [Array.from({ length: 25 }, (_, hour) => `12:${10 + hour}`).join(), /up to 24 times/],
  ])("are refused if they are %j, with a suggestion", (text, sentence) => {
    expect(at(text)).toMatch(sentence);
  });
});

describe("days", () => {
  const days = (text: string) => read({ days: text }, (schedule) => schedule.days.join(""));

  test.each([
    ["weekdays", "12345"],
    ["Every weekday", "12345"],
    ["working days", "12345"],
    ["weekend", "67"],
    ["at weekends", "67"],
    ["daily", "1234567"],
    ["every day", "1234567"],
    ["mon-fri", "12345"],
    ["Monday to Friday", "12345"],
    ["Mon – Fri", "12345"],
    ["Mon, Wed & Fri", "135"],
    ["fri mon", "15"],
    ["tues, weds and thurs", "234"],
    ["Mondays/Sundays", "17"],
    ["sat-sun", "67"],
    ["fri-mon", "1567"],
    ["weekdays and Saturday", "123456"],
    ["on Sundays", "7"],
  ])("are read from %j", (text, expected) => {
    expect(days(text)).toBe(expected);
  });

  test.each([
    ["funday", /“funday” as a day.*Mon-Fri/],
    ["m", /as a day/],
    ["mon-fri-sun", /as a day/],
    ["mon-", /as a day/],
    ["and", /On which days/],
    ["tomorrow", /as a day/],
  ])("are refused if they are %j, with a suggestion", (text, sentence) => {
    expect(days(text)).toMatch(sentence);
  });
});

describe("hours", () => {
  const hours = (text: string) =>
    read({ hours: text }, (schedule) => (schedule.hours ? formatHours(schedule.hours) : "whole day"));

  test.each([
    ["07:00-09:30", "07:00–09:30"],
    ["7 to 9:30", "07:00–09:30"],
    ["6am–10pm", "06:00–22:00"],
    ["22:00-02:00", "22:00–02:00"],
    ["between 0700 and 0930", "07:00–09:30"],
    ["7-9pm", "19:00–21:00"],
    ["7:30 - 9 pm", "19:30–21:00"],
    ["10-2pm", "10:00–14:00"],
    ["11-1am", "23:00–01:00"],
    ["7-7pm", "07:00–19:00"],
    ["9am-5", "09:00–17:00"],
    ["10pm to 2", "22:00–02:00"],
    ["22-2", "22:00–02:00"],
    ["11:30-1am", "23:30–01:00"],
    ["10:30-10:15", "10:30–10:15"],
    ["07-09", "07:00–09:00"],
    ["6am to midnight", "06:00–00:00"],
    ["18:00-24:00", "18:00–00:00"],
    ["00:00-24:00", "whole day"],
    ["all day", "whole day"],
  ])("are read from %j", (text, expected) => {
    expect(hours(text)).toBe(expected);
  });

  test.each([
    ["9-5", /morning or evening.*9am-5pm.*09:00-05:00/],
    ["12-2", /noon or midnight.*12pm-2pm, or 12am-2am\./],
    ["12-12", /morning or evening.*12am-12pm, or 12pm-12am/],
    ["9-9", /9am-9pm, or 9pm-9am if it runs past midnight/],
    ["9:30-5:15", /morning or evening/],
    ["07:00", /“07.*00” as hours.*07:00-09:30/],
    ["07:00-", /couldn't read.*as hours/],
    ["7-8-9", /couldn't read.*as hours/],
    ["07:00-07:00", /start and end at 07:00/],
    ["7-25", /25 isn't a time/],
    ["morning", /couldn't read.*as hours/],
  ])("are refused if they are %j, with a suggestion", (text, sentence) => {
    expect(hours(text)).toMatch(sentence);
  });
});

describe("hours whose ends were typed apart", () => {
  test.each([
    ["07:00", "9am", { from: "07:00", to: "09:00" }],
    ["10pm", "2:00", { from: "22:00", to: "02:00" }],
    ["18:00", "24:00", { from: "18:00", to: "00:00" }],
    ["midnight", "24", undefined],
    ["09:00", "09:00", undefined],
    ["7", "9", { from: "07:00", to: "09:00" }],
    ["9am", "5", { from: "09:00", to: "17:00" }],
    ["22", "2", { from: "22:00", to: "02:00" }],
    ["7", "04:00", { from: "07:00", to: "04:00" }],
  ])("are read from %j and %j", (first, last, expected) => {
    expect(parseEnds(first, last)).toEqual(expected);
  });

  test.each([
    ["9", "5", "Is that morning or evening? Type 9am-5pm, or 09:00-05:00 if it runs past midnight."],
    ["early", "09:00", "I couldn't read “early” as a time. Try 17:31, 1731 or 5pm."],
  ])("are refused if they are %j and %j, with a suggestion", (first, last, sentence) => {
    expect(() => parseEnds(first, last)).toThrow(new UserError(sentence));
  });
});

describe("a zone", () => {
  const zone = (text: string) => read({ zone: text }, (schedule) => schedule.zone);

  test.each([
    ["Europe/London", "Europe/London"],
    ["europe/london", "Europe/London"],
    ["London", "Europe/London"],
    ["UK time", "Europe/London"],
    ["uk", "Europe/London"],
    ["New York", "America/New_York"],
    ["new york time", "America/New_York"],
    ["America/New York", "America/New_York"],
    ["New York time (America/New_York)", "America/New_York"],
    ["asia/kathmandu", "Asia/Kathmandu"],
    ["Kathmandu", "Asia/Kathmandu"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["São Paulo", "America/Sao_Paulo"],
    ["Lord Howe", "Australia/Lord_Howe"],
    ["Japan", "Japan"],
    ["NZ", "NZ"],
    ["CET", "CET"],
    ["Singapore", "Asia/Singapore"],
    ["utc", "UTC"],
  ])("is read from %j", (text, name) => {
    expect(zone(text)).toBe(name);
  });

  test.each([
    "Europe/Lundon",
    "Mars",
    "North Dakota",
    "Europe",
    "BST",
    "GMT",
    "GMT+0",
    "EST",
    "MST",
    "+01:00",
    "../../etc/passwd",
    "🚂",
  ])("is refused if it is %j", (text) => {
    expect(zone(text)).toMatch(
      /^I can't find a time zone for “.*”\. Try the capital or another large city, e\.g\. London/,
    );
  });

  test("is found by each name that is offered", () => {
    for (const name of allZones()) {
      expect(zone(name)).toBe(name);
    }
  });
});

describe("a schedule", () => {
  test("is refused if it has both an interval and fixed times", () => {
    expect(read({ every: "5", at: "7:30" }, String)).toMatch(/not both/);
  });

  test("is refused if times are outside its hours, and the error names them", () => {
    expect(read({ at: "12:00", hours: "7:00-9:30" }, String)).toMatch(/12:00 is not within 07:00–09:30/);
    expect(read({ at: "8:00, 12:00, 17:15", hours: "7:00-9:30" }, String)).toMatch(/12:00 and 17:15 are not/);
    expect(read({ at: "23:00, 1:00", hours: "22:00-02:00" }, ({ timing }) => timing)).toEqual({
      at: ["01:00", "23:00"],
    });
  });

  test("is the same after it is formatted and parsed again", () => {
    const schedule = fc
      .constantFrom("Europe/London", "America/New_York", "Asia/Kathmandu", "UTC")
      .chain(anySchedule)
      .filter(({ hours }) => !hours || hours.from !== hours.to)
      .filter(
        ({ timing, hours }) =>
          "every" in timing || timing.at.every((time) => dayWithin(hours, time) !== undefined),
      );
    fc.assert(
      fc.property(schedule, ({ timing, days, hours, zone }) => {
        const text = {
          every: "every" in timing ? formatTiming(timing) : undefined,
          at: "at" in timing ? formatTiming(timing) : undefined,
          days: formatDays(days),
          hours: hours && formatHours(hours),
          zone: formatZone(zone),
        };
        expect(parse(text)).toEqual({ timing, days, ...(hours && { hours }), zone });
      }),
    );
  });

  test("has a next slot and can be stored, or is refused with a short message, whatever was typed", () => {
    const piece = fc.constantFrom(
      ..."0 1 5 7 9 12 24 30 60 : . , - – am pm min h mon fri sun day weekdays to and every noon 07:30 london / ( )".split(
        " ",
      ),
    );
    const typed = fc.option(
      fc.oneof(
        fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(" ")),
        fc.string({ unit: anyCharacter }),
      ),
      { nil: undefined },
    );
    const text = fc.record({ every: typed, at: typed, days: typed, hours: typed, zone: typed });
    fc.assert(
      fc.property(text, (parts) => {
        const found = read(parts, (schedule) => schedule);
        expect(typeof found === "string" ? found.length < 300 : canRun(found)).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });
});

function canRun(schedule: Schedule): boolean {
  expect(scheduleSchema.parse(JSON.parse(JSON.stringify(schedule)))).toEqual(schedule);
  return nextSlot(schedule, Date.UTC(2026, 10, 18)) !== undefined;
}
