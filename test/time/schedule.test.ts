import { expect, test } from "vitest";
import { formatSchedule } from "../../src/time/schedule.ts";
import { type ScheduleText, parseSchedule } from "../../src/time/parse-schedule.ts";

test.each<[ScheduleText, string]>([
  [{}, "every 5 minutes, day and night"],
  [{ every: "10", hours: "7:00-9:30", days: "weekdays" }, "every 10 minutes, 07:00–09:30, Monday to Friday"],
  [{ at: "7:30, 17:15" }, "at 07:30 and 17:15, every day"],
  [{ at: "7:30, 12:00, 17:15", days: "sat-sun" }, "at 07:30, 12:00 and 17:15, on Saturdays and Sundays"],
  [{ every: "1", hours: "22:00-2:00", days: "fri" }, "every minute, 22:00–02:00, on Fridays"],
  [{ every: "1h", days: "fri-mon" }, "every hour, Friday to Monday"],
  [{ every: "90", days: "mon, wed, fri" }, "every 90 minutes, on Mondays, Wednesdays and Fridays"],
  [{ every: "2h", hours: "6-9am" }, "every 2 hours, 06:00–09:00, every day"],
  [{ every: "10", zone: "New York" }, "every 10 minutes, day and night, New York time"],
  [{ at: "7:30", zone: "UTC" }, "at 07:30, every day, UTC"],
  [
    { at: Array.from({ length: 24 }, (_, hour) => `${hour}:30`).join() },
    "24 times from 00:30 to 23:30, every day",
  ],
])("formatSchedule describes %j in words", (text, words) => {
  expect(formatSchedule(parseSchedule(text, { zone: "Europe/London" }))).toBe(words);
});
