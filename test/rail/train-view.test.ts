import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatReply } from "../../src/discord/reply.ts";
import type { CallingPoint, Train } from "../../src/rail/trains.ts";
import {
  type OpenedTrain,
  parseTrainChoice,
  trainMenu,
  trainView as viewTrain,
} from "../../src/rail/train-view.ts";
import { sightingArgs, watchTrainButton } from "../../src/watches/watch-args.ts";
import type { Reply } from "../../src/core/reply.ts";
import { readArgs } from "../support/read-args.ts";
import { buttonsOf } from "../support/reply-parts.ts";
import { boardRow, realisticRow, ukTime } from "../support/boards.ts";
import { cases } from "../support/cases.ts";
import { CREDITS } from "../../src/sources/source-words.ts";

function point(name: string, time: string, more: Partial<CallingPoint> = {}): CallingPoint {
  const aimedAt = ukTime(time.length === 5 ? `2026-11-21 ${time}` : time);
  return {
    crs: name.slice(0, 3).toUpperCase(),
    name,
    platform: undefined,
    aimedAt,
    expectedAt: undefined,
    arrivesAt: undefined,
    state: "ahead",
    ...more,
  };
}

function train(points: readonly CallingPoint[], more: Partial<Train> = {}): Train {
  return {
    mode: "train",
    credit: CREDITS.transport,
    origin: "Edinburgh",
    destination: "London Kings Cross",
    operator: "LNER",
    points,
    position: { kind: "between", after: "Edinburgh", before: "York" },
    delayMinutes: 5,
    dataAt: ukTime("2026-11-21 17:20"),
    stale: undefined,
    ...more,
  };
}

const trainView = (shown: Train, from: OpenedTrain) => viewTrain(shown, from, watchTrainButton);
const opened = (crs: string, time = "17:31") => ({
  crs,
  aimedAt: ukTime(`2026-11-21 ${time}`),
  trainUid: "C00001",
  startDate: "2026-11-21",
});

function textOf(shown: Train, from: string | OpenedTrain = "YOR"): string {
  const [frame] = trainView(shown, typeof from === "string" ? opened(from) : from).blocks;
  const blocks = frame?.type === "container" ? frame.blocks : [];
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

describe("a train's card", () => {
  it("says where the train is and when it calls, with the reader's station underlined", () => {
    const points = [
      point("Edinburgh", "15:00", { state: "passed" }),
      point("York", "17:31", { state: "next", expectedAt: ukTime("2026-11-21 17:36"), platform: "5" }),
      point("Doncaster", "17:52", { state: "cancelled" }),
      point("London", "2026-11-22 00:20", { expectedAt: ukTime("2026-11-22 00:20") }),
    ];
    expect(textOf(train(points))).toBe(
      [
        "### 15:00 Edinburgh → London Kings Cross",
        "-# LNER",
        "📍 Between Edinburgh and York, **5 min late**.",
        "-# ✓ 15:00 Edinburgh",
        "➤ ~~17:31~~ now **17:36** **__York__** · platform 5",
        "~~17:52 Doncaster~~ · **cancelled**",
        "**Sun 00:20** London",
        "-# As of 17:20 UK time, Sat 21 Nov · source: [transportapi.com](http://transportapi.com/)",
      ].join("\n"),
    );
  });

  it("says that a train that ended early goes no further", () => {
    const position = { kind: "finished", at: "Darlington" } as const;
    const passed = point("Darlington", "16:56", { state: "passed" });
    const short = train([passed, point("York", "17:31", { state: "cancelled" })], { position });
    expect(textOf(short)).toContain("📍 Journey ended early at Darlington: the rest is **cancelled**.");
    expect(textOf(train([passed], { position }))).toContain("📍 Journey finished at Darlington.");
  });

  it("says why the train is late, how long it is, and where its portions go", () => {
    const points = [
      point("London Victoria", "17:10"),
      point("Faversham", "18:20"),
      point("Dover Priory", "19:09"),
    ];
    const portion = {
      kind: "divides",
      at: "Faversham",
      place: "Ramsgate",
      points: [
        point("Whitstable", "18:43", { expectedAt: ukTime("2026-11-21 18:49") }),
        point("Herne Bay", "18:51", { state: "cancelled" }),
        point("Ramsgate", "19:23"),
      ],
    } as const;
    const more = { reason: "This service has been delayed by *snow*", coaches: 8 };
    const shown = (changed: object = {}, about: Partial<Train> = {}) =>
      textOf(train(points, { ...more, ...about, portions: [{ ...portion, ...changed }] }), "VIC");
    expect(shown()).toContain("\n-# LNER · 8 coaches\n");
    expect(shown()).toContain("**.\n⚠️ This service has been delayed by \\*snow\\*.\n");
    expect(shown()).toContain(
      [
        "🔀 Divides at **Faversham**: one part goes on to **Ramsgate**, the rest to **Dover Priory**.",
        "-# 18:49 Whitstable · ~~Herne Bay~~ (cancelled) · 19:23 Ramsgate",
      ].join("\n"),
    );
    expect(shown({ coaches: 4 })).toContain(": 4 coaches go on to **Ramsgate**, the rest");
    expect(shown({ coaches: 4, isFront: true })).toContain(
      ": the front 4 coaches go on to **Ramsgate**, the rest",
    );
    expect(shown({ isFront: true })).toContain(": the front part goes on to **Ramsgate**, the rest");
    expect(shown({ kind: "joins" })).toContain("🔗 A part from **Ramsgate** joins at **Faversham**.");
    const cancelled = { points: [point("Ramsgate", "19:23", { state: "cancelled" })] };
    expect(shown(cancelled)).toContain(
      "🔀 The part that goes on from **Faversham** to **Ramsgate** is cancelled.\n-# As of",
    );
    expect(shown({ ...cancelled, kind: "joins" })).toContain(
      "🔗 The part from **Ramsgate** that joins at **Faversham** is cancelled.",
    );
    expect(shown({}, { coaches: 1 })).toContain("· 1 coach\n");
    expect(textOf(train(points))).not.toMatch(/coach|⚠️|🔀/);
  });

  it("watches the call that was opened, not the one that a circular train made there before", () => {
    const points = [
      point("London Waterloo", "17:42", { crs: "WAT", state: "passed" }),
      point("Clapham Junction", "17:50", { crs: "CLJ", state: "passed" }),
      point("Brentford", "18:20", { state: "next" }),
      point("Clapham Junction", "18:57", { crs: "CLJ" }),
      point("London Waterloo", "19:05", { crs: "WAT" }),
    ];
    const shown = (crs: string, time: string) => trainView(train(points), opened(crs, time));
    const aimed = (reply: Reply) => readArgs(sightingArgs, buttonsOf(reply)[0]?.target.args).aimedAt;
    expect(aimed(shown("CLJ", "18:57"))).toEqual(ukTime("2026-11-21 18:57"));
    expect(textOf(train(points), opened("CLJ", "18:57"))).toMatch(
      /17:50 Clapham Junction\n[^]*__Clapham Junction__/,
    );
    // The timetable may have changed a little since the board was shown.
    expect(aimed(shown("CLJ", "18:55"))).toEqual(ukTime("2026-11-21 18:57"));
    expect(buttonsOf(shown("CLJ", "17:50"))).toEqual([]);
    expect(buttonsOf(shown("WAT", "19:05"))).toEqual([]);
  });

  it("calls a train on time only if that is known", () => {
    const position = (at: string) => ({ kind: "not-started" as const, from: "York", at: ukTime(at) });
    const shown = (at: string) =>
      textOf(train([point("York", at)], { position: position(at), delayMinutes: 0 }));
    expect(shown("2026-11-21 17:50")).toContain("it's due out at 17:50, on time.");
    expect(shown("2026-11-25 12:00")).toMatch(/it's due out at Wed 12:00\.$/m);
  });

  it("is shown only to the person who opened it", () => {
    expect(trainView(train([point("York", "17:31")]), opened("YOR")).visibility).toBe("private");
  });

  it("leaves out calling points that a very long train has passed, but never the reader's station", () => {
    const points = Array.from({ length: 60 }, (_, index) =>
      point(`Stop ${index}`, "17:31", { crs: `S${index}`, state: index < 40 ? "passed" : "ahead" }),
    );
    const text = textOf(train(points), "S50");
    expect(text).toContain("24 earlier calling points");
    expect(text).toContain("__Stop 50__");
    expect(textOf(train(points), "S3")).toContain("__Stop 3__");
  });

  it("fits in a message, whatever names the service sends", () => {
    const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 90 });
    const points = fc.array(
      names.map((name) => point(name, "17:31", { platform: name, state: "next" })),
      {
        minLength: 1,
        maxLength: 90,
      },
    );
    fc.assert(
      fc.property(points, names, (some, name) => {
        const message = formatReply(
          trainView(train(some, { origin: name, operator: name }), opened("YRK")),
          1_000_000,
        );
        expect(message.refused).toEqual([]);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("the menu of trains", () => {
  const dataAt = ukTime("2026-11-21 17:20");
  const menuOf = (rows: Parameters<typeof trainMenu>[1]["rows"]) =>
    trainMenu("departures", { crs: "YRK", rows, dataAt });

  it("shows time, place and state of each train", () => {
    expect(menuOf([boardRow({ trainUid: "C00001", startDate: "2026-11-21" })])?.choices).toEqual([
      expect.objectContaining({
        label: "17:31 London Kings Cross",
        description: "platform 4 · on time · LNER",
      }),
    ]);
    expect(menuOf([])).toBeUndefined();
  });

  it("identifies any train within Discord's limit", () => {
    fc.assert(
      fc.property(
        fc.record({
          row: realisticRow,
          trainUid: fc.option(fc.stringMatching(/^(?:[A-Z]\d{5}|ldb:\d{7}[A-Z]{3,7}_)$/), { nil: undefined }),
          startDate: fc.constantFrom(undefined, "2026-11-20", "2026-11-21"),
          place: fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
        }),
        ({ row, trainUid, startDate, place }) => {
          const value = menuOf([{ ...row, trainUid, startDate, place }])?.choices[0]?.value ?? "";
          expect(value.length).toBeLessThanOrEqual(100);
          const read = parseTrainChoice(value, { crs: "YRK" }, "departures");
          expect(read).toMatchObject({ crs: "YRK", mode: row.mode, trainUid, startDate });
          expect(read?.aimedAt.equals(row.aimedAt)).toBe(true);
          expect(place.startsWith(read?.place ?? "x")).toBe(true);
        },
      ),
    );
  });

  it("reads a choice of an earlier version, which has no mode", () => {
    const value = `${Math.floor(dataAt.epochMilliseconds / 60_000).toString(36)}~C00001~2026-11-21~York`;
    const found = {
      mode: "train",
      aimedAt: dataAt,
      trainUid: "C00001",
      startDate: "2026-11-21",
      place: "York",
    };
    expect(parseTrainChoice(value, { crs: "YRK" }, "departures")).toMatchObject(found);
  });

  it("ignores any other text", () => {
    for (const value of ["", "x", "abc~../x~~York", "abc~C1~2026-13-45~York", "~~~"]) {
      expect(parseTrainChoice(value, { crs: "YRK" }, "departures")).toBeUndefined();
    }
  });
});
