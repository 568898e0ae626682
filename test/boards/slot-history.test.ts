import { expect, it } from "vitest";
import { addOfflineSlots, addOutcome, readHistory, countWeek } from "../../src/boards/slot-history.ts";
import { boardSettings } from "../support/subscriptions.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 18, 17, 30);
const { schedule } = boardSettings();

it("stores the last ten runs of equal outcomes", () => {
  let json: string | undefined;
  for (let slot = 0; slot < 3; slot += 1) {
    json = addOutcome(json, "shown", START_MS + slot * MINUTE_MS);
  }
  json = addOutcome(json, "spent", START_MS + 3 * MINUTE_MS);
  expect(readHistory(json).runs).toEqual([
    ["shown", START_MS, START_MS + 2 * MINUTE_MS, 3],
    ["spent", START_MS + 3 * MINUTE_MS, START_MS + 3 * MINUTE_MS, 1],
  ]);
  for (let slot = 4; slot < 10_000; slot += 1) {
    json = addOutcome(json, slot % 2 === 0 ? "shown" : "spent", START_MS + slot * MINUTE_MS);
  }
  const { runs } = readHistory(json);
  expect(runs).toHaveLength(10);
  expect(runs.at(-1)).toEqual(["spent", START_MS + 9_999 * MINUTE_MS, START_MS + 9_999 * MINUTE_MS, 1]);
  expect(json?.length).toBeLessThan(1_000);
});

it("counts the last seven days, and forgets older ones and those from a clock that was ahead", () => {
  let json = addOutcome(undefined, "shown", START_MS + 365 * DAY_MS);
  json = addOutcome(json, "shown", START_MS);
  json = addOutcome(json, "discord", START_MS + DAY_MS);
  json = addOutcome(json, "shown", START_MS + 6 * DAY_MS);
  const week = (atMs: number) => Object.fromEntries(countWeek(json, atMs));
  expect(week(START_MS + 6 * DAY_MS)).toEqual({ shown: 2, discord: 1 });
  expect(week(START_MS + 7 * DAY_MS)).toEqual({ shown: 1, discord: 1 });
  expect(week(START_MS + 8 * DAY_MS)).toEqual({ shown: 1 });
});

it("counts slots missed while offline on their own days", () => {
  const toMs = START_MS + 30 * DAY_MS;
  const away = { fromMs: START_MS, toMs, lastMs: toMs - 10 * MINUTE_MS, count: 30 * 144 };
  const json = addOfflineSlots(undefined, schedule, away);
  expect(readHistory(json).runs).toEqual([["away", START_MS, toMs - 10 * MINUTE_MS, 30 * 144]]);
  // Six whole days and 17½ hours.
  expect(countWeek(json, toMs).get("away")).toBe(6 * 144 + 105);
});

it("is empty if the stored history cannot be parsed", () => {
  const never = '{"runs":[["shown",8900000000000000,8900000000000000,1]],"days":[]}';
  for (const json of [undefined, "", "{", '{"runs":[["eaten",1,1,1]],"days":[]}', "[]", never]) {
    expect(readHistory(json)).toEqual({ runs: [], days: [] });
  }
});
