import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createRecentChoices } from "../../src/discord/recent-choices.ts";
import type { RecentChoice } from "../../src/storage/recent-choices-table.ts";
import { createStillClock } from "../support/still-clock.ts";

function open() {
  const clock = createStillClock();
  const state = { kept: [{ kind: "station", value: "YRK" }] as readonly RecentChoice[], reads: 0, notes: 0 };
  let answer = async () => state.kept;
  const recent = createRecentChoices({
    table: {
      of: () => {
        state.reads += 1;
        return answer();
      },
      async note(_, choices) {
        state.notes += 1;
        state.kept = [...choices, ...state.kept];
      },
      remember: async () => void (state.kept = []),
    },
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  return { clock, state, recent, answerWith: (next: typeof answer) => void (answer = next) };
}

it("recent choices are read once per person, and again after ten seconds, a new choice or an erasure", async () => {
  const { clock, state, recent } = open();
  expect(await Promise.all([recent.of("7", "station"), recent.of("7", "station")])).toEqual([
    ["YRK"],
    ["YRK"],
  ]);
  expect(await recent.of("7", "style")).toEqual([]);
  expect(state.reads).toBe(1);
  await recent.note("7", [{ kind: "station", value: "LDS" }]);
  expect(await recent.of("7", "station")).toEqual(["LDS", "YRK"]);
  recent.forget("7");
  await recent.of("7", "station");
  // Ten seconds pass even though the machine's clock was set back.
  clock.jump(-60 * 60_000);
  clock.advance(9_000);
  await recent.of("7", "station");
  expect(state.reads).toBe(3);
  clock.advance(2_000);
  await recent.of("7", "station");
  expect(state.reads).toBe(4);
  await recent.remember("7", false);
  expect(await recent.of("7", "station")).toEqual([]);
  expect(clock.waits()).toEqual([]);
});

it("the same choice is written once an hour, and at once after another choice or an erasure", async () => {
  const { clock, state, recent } = open();
  const choose = (value: string) => recent.note("7", [{ kind: "station", value }]);
  await choose("LDS");
  await choose("LDS");
  expect(state.notes).toBe(1);
  await choose("YRK");
  await choose("LDS");
  expect(state.notes).toBe(3);
  recent.forget("7");
  await choose("LDS");
  clock.advance(60 * 60_000);
  await choose("LDS");
  expect(state.notes).toBe(5);
});

it("recent choices are empty while the database is slow or fails, and a late result is used the next time", async () => {
  const { clock, recent, answerWith } = open();
  answerWith(() => Promise.reject(new Error("away")));
  expect(await recent.of("7", "station")).toEqual([]);
  const coming = Promise.withResolvers<readonly RecentChoice[]>();
  answerWith(() => coming.promise);
  const asked = recent.of("7", "station");
  clock.advance(300);
  expect(await asked).toEqual([]);
  coming.resolve([{ kind: "station", value: "YRK" }]);
  expect(await recent.of("7", "station")).toEqual(["YRK"]);
});
