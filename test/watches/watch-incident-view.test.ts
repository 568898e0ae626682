import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatReply } from "../../src/discord/reply.ts";
import { createStations } from "../../src/rail/stations.ts";
import { findIncidentMark } from "../../src/watches/watch-args.ts";
import type { TroubledTrain } from "../../src/watches/judge-incident.ts";
import type { Trouble } from "../../src/watches/judge-train.ts";
import { type Incident, presentIncident } from "../../src/watches/watch-incident-view.ts";
import { watchNoticeView } from "../../src/watches/watch-list-view.ts";
import { realisticRow } from "../support/boards.ts";
import { componentIdsOf } from "../support/fake-messenger.ts";
import { todayMs, trainRow, watch, watchedCommute } from "../support/watches.ts";
import { wordsOf } from "../support/watch-world.ts";
import { CREDITS } from "../../src/sources/source-words.ts";

const stations = createStations();
const present = (shown: Incident) => presentIncident(shown, stations);

function troubled(changed: Partial<TroubledTrain> = {}): TroubledTrain {
  const row = changed.row ?? trainRow();
  return {
    plannedAt: row.aimedAt,
    row,
    troubles: [],
    bus: undefined,
    next: undefined,
    isGone: false,
    ...changed,
  };
}

function incident(train: Partial<TroubledTrain> = {}, changed: Partial<Incident> = {}): Incident {
  return {
    watch: watch(),
    day: "2026-11-21",
    message: 0,
    trains: [troubled(train)],
    dataMs: todayMs("07:00"),
    credit: CREDITS.transport,
    isBlind: false,
    isOld: false,
    isOver: false,
    ...changed,
  };
}

/** The text about a train, below the heading. */
const textFor = (train: Partial<TroubledTrain>): string =>
  wordsOf(present(incident(train)).reply)
    .split("\n")
    .slice(1, -1)
    .join("\n");

describe("the text about a train", () => {
  const cancelled: readonly Trouble[] = [{ kind: "cancelled" }];
  const bus = trainRow({ mode: "bus", time: "07:40" });
  const next = trainRow({ time: "07:45", place: "Hull", late: 3 });
  it.each<[string, Partial<TroubledTrain>, string]>([
    ["delayed", { troubles: [{ kind: "delayed" }] }, "**Delayed**, with no expected time yet."],
    [
      "vanished",
      { troubles: [{ kind: "vanished" }] },
      "**Gone from the board before it was due**: please check the screens at the station.\nI don't see one that runs in the next hour or two; `/journey` may find another way.",
    ],
    [
      "cancelled, with another train",
      { troubles: cancelled, next },
      "**Cancelled**.\nThe next one that runs: **07:45** to Hull, 3 min late from platform 4.",
    ],
    [
      "cancelled, with a bus",
      { troubles: [...cancelled, { kind: "bus" }], bus },
      "**Cancelled**.\n🚌 **A bus runs instead** at 07:40.\nI don't see another in the next hour or two.",
    ],
    [
      "retimed",
      { troubles: [{ kind: "retimed" }], row: trainRow({ time: "07:20" }), plannedAt: trainRow().aimedAt },
      "**Now scheduled for 07:20** instead of 07:30, on time.",
    ],
    [
      "from another platform",
      { troubles: [{ kind: "platform", from: "6", to: "9" }], row: trainRow({ late: 3 }) },
      "**Platform 9** instead of 6, 3 min late.",
    ],
    [
      "from another platform, without live data",
      { troubles: [{ kind: "platform", from: "6", to: "9" }], row: trainRow({ state: "scheduled" }) },
      "**Platform 9** instead of 6.",
    ],
    [
      "late for a known reason",
      {
        troubles: [{ kind: "late", minutes: 12 }],
        row: trainRow({ late: 12, reason: "This service has been delayed by a points failure" }),
      },
      "**12 min late**, expected at **07:42** from platform 4.\n-# Because of a points failure.",
    ],
    [
      "not calling where the person gets off",
      { troubles: cancelled, row: trainRow({ viaCancelled: true, reason: "No driver." }), next },
      "**Runs, but won't stop where you get off**.\n-# No driver.\nThe next one that runs: **07:45** to Hull, 3 min late from platform 4.",
    ],
    [
      "gone without that call",
      { isGone: true, troubles: cancelled, row: trainRow({ viaCancelled: true }) },
      "It ran without stopping where you get off.",
    ],
    [
      "cut short",
      {
        troubles: [{ kind: "cut" }],
        row: trainRow({ place: "Wakefield", cancelledPlace: "Leeds_", reason: "No driver." }),
      },
      "**Runs, but not to Leeds\\_**, on time.\n-# No driver.",
    ],
    [
      "late and without some of its stops",
      {
        troubles: [{ kind: "cut" }, { kind: "late", minutes: 12 }],
        row: trainRow({ late: 12, laterCancelled: true }),
      },
      "**Some of its later stops are cancelled**.\n**12 min late**, expected at **07:42** from platform 4.",
    ],
    [
      "gone after it was cut short",
      { isGone: true, troubles: [{ kind: "cut" }], row: trainRow({ laterCancelled: true }) },
      "It has left, on time from platform 4.",
    ],
    ["back to normal", {}, "✅ **Back to normal**: on time from platform 4."],
    [
      "a little late after trouble",
      { row: trainRow({ late: 2 }) },
      "✅ **Back to normal**: 2 min late from platform 4.",
    ],
    ["gone", { isGone: true }, "It has left, on time from platform 4."],
    [
      "gone after a delay of unknown length",
      { isGone: true, troubles: [{ kind: "delayed" }] },
      "It has left or was cancelled: please check the screens.",
    ],
    [
      "gone, without live data",
      { isGone: true, row: trainRow({ state: "scheduled", platform: undefined }) },
      "It has left.",
    ],
    [
      "gone after it vanished",
      { isGone: true, troubles: [{ kind: "vanished" }] },
      "It never came back on the board.",
    ],
    ["gone after it was cancelled", { isGone: true, troubles: cancelled }, "It was cancelled."],
    ...[cancelled, [{ kind: "vanished" as const }]].map(
      (troubles): [string, Partial<TroubledTrain>, string] => [
        `gone, ${troubles[0]?.kind ?? ""} with a bus`,
        { isGone: true, troubles: [...troubles, { kind: "bus" }], bus },
        "The replacement bus has left.",
      ],
    ),
    ["gone, as a bus", { isGone: true, troubles: [{ kind: "bus" }] }, "The replacement bus has left."],
  ])("describes a train that is %s", (_, train, words) => {
    expect(textFor(train)).toBe(words);
  });

  it("names the day of an expected time after midnight", () => {
    const plannedAt = trainRow({ time: "23:50" }).aimedAt;
    const row = trainRow({ time: "23:50", late: 20 });
    expect(textFor({ row, plannedAt, troubles: [{ kind: "late", minutes: 20 }] })).toContain(
      "at **Sun 00:10**",
    );
  });

  it("escapes text from the service", () => {
    const row = trainRow({ place: "**@here**", platform: "<#1>" });
    expect(textFor({ troubles: [{ kind: "cancelled" }], next: row })).toContain(
      "\\*\\*\\@here\\*\\*, on time from platform \\<\\#1\\>",
    );
  });
});

describe("the message of an incident", () => {
  it("contains the incident's mark as long as it has buttons", () => {
    const { reply } = present(incident());
    const mark = { watchId: "watch001", day: "2026-11-21", message: 0 };
    expect(findIncidentMark(componentIdsOf(reply))).toEqual(mark);
    const second = present(incident({}, { message: 1 }));
    expect(findIncidentMark(componentIdsOf(second.reply))).toEqual({ ...mark, message: 1 });
    expect(second.hash).toBe(present(incident()).hash);
    expect(componentIdsOf(present(incident({}, { isOver: true })).reply)).toEqual([]);
    const commute = watch({ settings: { what: watchedCommute() } });
    expect(componentIdsOf(present(incident({}, { watch: commute, isOver: true })).reply)).toHaveLength(2);
  });

  it("has the same hash for the same text, and another every ten minutes or if the data is old", () => {
    const { hash } = present(incident());
    expect(present(incident({}, { dataMs: todayMs("07:09") })).hash).toBe(hash);
    const others = [
      incident({}, { dataMs: todayMs("07:10") }),
      incident({}, { isOld: true }),
      incident({}, { isOver: true }),
      incident({ row: trainRow({ late: 2 }) }),
    ];
    expect(new Set([hash, ...others.map((other) => present(other).hash)]).size).toBe(5);
  });

  it("leaves out trains that have left if there are too many", () => {
    const trains = Array.from({ length: 14 }, (_, index) =>
      troubled({ row: trainRow({ time: `07:${index + 10}` }), isGone: index < 8 }),
    );
    const commute = watch({ settings: { what: watchedCommute() } });
    const words = wordsOf(present(incident({}, { watch: commute, trains })).reply).split("\n");
    expect(
      words.filter((line) => line.includes("to Leeds")).map((line) => /07:\d\d/.exec(line)?.[0]),
    ).toEqual([14, 15, 16, 17, 18, 19, 20, 21, 22, 23].map((minute) => `07:${minute}`));
    expect(words).toContain("-# and 4 more");
  });

  it("fits into one message, whatever happens to the trains", () => {
    const trouble = fc.constantFrom<Trouble[]>(
      { kind: "late", minutes: 120 },
      { kind: "delayed" },
      { kind: "cancelled" },
      { kind: "retimed" },
      { kind: "platform", from: "1".repeat(50), to: "2".repeat(50) },
      { kind: "bus" },
      { kind: "vanished" },
    );
    const train = fc.record({
      row: realisticRow,
      troubles: fc.uniqueArray(trouble),
      bus: fc.option(realisticRow, { nil: undefined }),
      next: fc.option(realisticRow, { nil: undefined }),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(train, { minLength: 1, maxLength: 40 }), fc.boolean(), (all, isOver) => {
        const trains = all.map((each) => troubled(each));
        for (const what of [watchedCommute(), watch().settings.what]) {
          const { reply } = present(incident({}, { trains, isOver, watch: watch({ settings: { what } }) }));
          expect(formatReply(reply, 1_000).refused).toEqual([]);
          expect(wordsOf(reply).length).toBeLessThanOrEqual(3_800);
        }
      }),
    );
  });
});

describe("a notice", () => {
  it("in a server's channel names the owner, but not what is watched", () => {
    const words = wordsOf(watchNoticeView(watch({ pausedBecause: "dm-closed" }), stations));
    expect(words).toMatch(/^<@7>, I can't send you direct messages/);
    expect(words).not.toMatch(/York|Leeds|07:30/);
  });

  it.each(["channel-gone", "not-allowed", "station-closed"] as const)(
    "says what to do (%s)",
    (pausedBecause) => {
      const target = { guildId: "1", channelId: "5" };
      const words = wordsOf(watchNoticeView(watch({ pausedBecause, ...target }), stations));
      expect(words).toMatch(
        /^Your watch for \*\*07:30 York → Leeds, Sat 21 Nov\*\* is paused: .*\n\[Resume\] \[Stop\]$/,
      );
    },
  );
});
