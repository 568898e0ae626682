// Tests the texts and buttons of watches, except for the messages about trouble.
import { readArgs } from "../support/read-args.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { ActionButton, Reply } from "../../src/core/reply.ts";
import { formatReply } from "../../src/discord/reply.ts";
import { createStations } from "../../src/rail/stations.ts";
import type { Watch, WatchSettings, WatchedTrain } from "../../src/watches/watches.ts";
import {
  sightingArgs,
  watchArgs,
  watchButton,
  watchTrainButton,
  watchRequestArgs,
} from "../../src/watches/watch-args.ts";
import { watchListView, watchRemoveView } from "../../src/watches/watch-list-view.ts";
import { watchName, watchPromise, watchStateWords } from "../../src/watches/watch-saved-view.ts";
import { ukTime } from "../support/boards.ts";
import { textOf } from "../support/reply-parts.ts";

const stations = createStations();
const TRAIN: WatchedTrain = {
  kind: "train",
  station: "YRK",
  to: "LDS",
  trainUid: "W48723",
  startDate: "2026-11-18",
  aimedMs: ukTime("2026-11-18 08:16").epochMilliseconds,
  place: "Liverpool Lime Street",
};

function watch(id: string, changed: Partial<WatchSettings> = {}, more: Partial<Watch> = {}): Watch {
  return {
    id,
    ownerId: "1".repeat(19),
    createdAtMs: 1_000,
    askedGuildId: undefined,
    askedChannelId: undefined,
    guildId: undefined,
    channelId: undefined,
    stateAtMs: 1_000,
    settings: { what: TRAIN, delayMinutes: 5, leadMinutes: 60, ping: false, ...changed },
    state: "active",
    pausedBecause: undefined,
    ...more,
  };
}

/** The reply's body as it is sent to Discord. */
function sent(reply: Reply): string {
  return JSON.stringify(formatReply(reply, 10_000_000).body);
}

/** The target that the handler of a press would parse. */
function pressed({ target }: ActionButton) {
  return parseComponentId(formatComponentId(target));
}

describe("the text about a watch", () => {
  it("names where the person goes, or else where the train goes", () => {
    expect(watchName({ what: TRAIN }, stations)).toBe("08:16 York → Leeds, Wed 18 Nov");
    const far = { ...TRAIN, to: undefined };
    expect(watchName({ what: far }, stations)).toBe("08:16 York → Liverpool Lime Street, Wed 18 Nov");
    const commute = { kind: "commute", station: "YRK", to: "LDS", days: [1, 3] } as const;
    const hours = { from: "07:00", to: "09:30" };
    expect(watchName({ what: { ...commute, hours, days: [1, 3] } }, stations)).toBe(
      "York → Leeds, 07:00–09:30, Mondays and Wednesdays",
    );
  });

  it("escapes text from a service, and only that", () => {
    const what = { ...TRAIN, to: undefined, place: "*Leeds* @here" };
    const written = watchName({ what }, stations, (text) => text.toUpperCase());
    expect(written).toBe("08:16 YORK → *LEEDS* @HERE, Wed 18 Nov");
    expect(textOf(watchListView({ own: [watch("a", { what })], ofServer: [] }, 0, stations))).toContain(
      "\\*Leeds\\* \\@here",
    );
  });

  it("says when and where alerts appear, and whether they ping", () => {
    expect(watchPromise(watch("a", { delayMinutes: 1 }))).toMatch(
      /DM you.* 1 minute late.*My message comes without a notification/,
    );
    const target = { guildId: "1", channelId: "2" };
    expect(watchPromise(watch("a", { ping: true }, target))).toMatch(
      /post in <#2>.*ping <@1111111111111111111> once/,
    );
  });

  it("says why it is paused", () => {
    expect(watchStateWords(watch("a"))).toBe("");
    expect(watchStateWords(watch("a", {}, { state: "paused" }))).toBe("⏸️ paused");
    const closed = watch("a", {}, { state: "paused", pausedBecause: "dm-closed" });
    expect(watchStateWords(closed)).toMatch(/because I can't send its owner direct messages/);
  });
});

describe("the list", () => {
  const many = (count: number, from: number): readonly Watch[] =>
    Array.from({ length: count }, (_, index) => watch(String(from + index).padStart(8, "0")));

  it("fits Discord's limits on every page, with as many watches as there can be", () => {
    const list = { own: many(20, 0), ofServer: many(50, 20) };
    for (let page = 0; page < 5; page += 1) {
      const reply = watchListView(list, page, stations);
      expect(textOf(reply).length).toBeLessThan(4_000);
      expect(sent(reply)).not.toMatch(/Not everything fitted/);
    }
    expect(textOf(watchListView(list, 9, stations))).toContain("page 4 of 4");
    expect(sent(watchRemoveView(list, stations))).not.toMatch(/Not everything fitted/);
  });

  it("names the owners of other people's watches", () => {
    const text = textOf(watchListView({ own: [], ofServer: many(1, 0) }, 0, stations));
    expect(text).toMatch(/^### Other people's watches in this server's channels \(1\)\n[^]*by <@1+>$/);
  });
});

describe("the custom id of a watch's button", () => {
  const crs = fc.stringMatching(/^[A-Z]{3}$/);
  const minutes = fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined });

  it("fits and parses back for any train", () => {
    const reference = fc.record({
      crs,
      aimedAt: fc
        .integer({ min: 29_000_000, max: 60_000_000 })
        .map((minute) => ukTime("2026-11-18 00:00").add({ minutes: minute })),
      place: fc.string({ unit: "grapheme", maxLength: 60 }),
    });
    const names = fc.oneof(
      fc.record({
        trainUid: fc.option(fc.stringMatching(/^[A-Z][0-9]{5,11}$/), { nil: undefined }),
        startDate: fc.constantFrom("2026-11-18", undefined),
      }),
      fc.record({
        trainUid: fc.stringMatching(/^ldb:[0-9]{7,8}[A-Z_]{8}$/),
        startDate: fc.constant(undefined),
      }),
    );
    fc.assert(
      fc.property(reference, names, (seen, name) => {
        const one = { ...seen, ...name };
        const read = readArgs(sightingArgs, pressed(watchTrainButton(one))?.args);
        expect(read).toMatchObject({ crs: one.crs, trainUid: one.trainUid, startDate: one.startDate });
        expect(read.aimedAt.equals(one.aimedAt)).toBe(true);
        expect(one.place.startsWith(read.place)).toBe(true);
      }),
    );
  });

  it("has room for the longest id and place of rail data", () => {
    const train = {
      crs: "YRK",
      aimedAt: ukTime("2100-11-18 17:31"),
      trainUid: "ldb:13372980YORK____",
      startDate: undefined,
    };
    const { args } = pressed(watchTrainButton({ ...train, place: "x".repeat(60) })) ?? {};
    expect(readArgs(sightingArgs, args)).toMatchObject({ trainUid: train.trainUid });
  });

  it.each([
    ["ldb:1337298YORK____", "London Kings Cross"],
    ["C00001", ""],
  ])("for the train %s contains the place “%s”", (trainUid, expected) => {
    const train = { crs: "YRK", aimedAt: ukTime("2026-11-18 17:31"), trainUid, startDate: undefined };
    const { args } = pressed(watchTrainButton({ ...train, place: "London Kings Cross" })) ?? {};
    expect(readArgs(sightingArgs, args).place).toBe(expected);
  });

  it("parses back to the watch request that it contains", () => {
    const request = fc.record({
      station: crs,
      to: fc.option(crs, { nil: undefined }),
      delay: minutes,
      lead: minutes,
      ping: fc.boolean(),
      where: fc.constantFrom("here" as const, "dm" as const),
    });
    fc.assert(
      fc.property(request, (one) => {
        const target = { command: "watch/train", action: "choose", args: watchRequestArgs.encode(one) };
        expect(readArgs(watchRequestArgs, parseComponentId(formatComponentId(target))?.args)).toEqual(one);
      }),
    );
  });

  it("contains a watch's id, and may contain a mark too", () => {
    const target = pressed(watchButton("stop", "abcd2345", { d: "2026-11-18" }));
    expect(target).toMatchObject({ command: "watch/list", action: "stop", args: { d: "2026-11-18" } });
    expect(readArgs(watchArgs, target?.args)).toEqual({ id: "abcd2345" });
    expect(watchArgs.decode({ w: "x" })).toBeUndefined();
  });
});
