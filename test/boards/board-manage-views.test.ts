// Tests the views of boards that moderators see.
import { describe, expect, it } from "vitest";
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { Reply } from "../../src/core/reply.ts";
import type { DraftedBoard } from "../../src/boards/board-drafts.ts";
import type { BoardSettings, Subscription } from "../../src/boards/boards.ts";
import type { SlotOutcome } from "../../src/boards/slot-history.ts";
import {
  boardCardView,
  boardWeekView,
  confirmRemoveView,
  repairView,
} from "../../src/boards/board-card-view.ts";
import { createStations } from "../../src/rail/stations.ts";
import {
  BOARD_ACTIONS,
  boardLabel,
  boardListView,
  boardManageButton,
} from "../../src/boards/board-list-view.ts";
import { boardPreviewView, boardSavedView } from "../../src/boards/board-preview-view.ts";
import {
  boardFiltersForm,
  boardName,
  boardTimesForm,
  settingsDetails,
  slotSentence,
  whatHappens,
} from "../../src/boards/board-settings-words.ts";
import { ukTime } from "../support/boards.ts";
import { blocksOf, buttonsOf, textOf } from "../support/reply-parts.ts";
import { boardSettings, subscription } from "../support/subscriptions.ts";

const stations = createStations({ hasLondon: true });
const AT = ukTime("2026-11-18 17:20");
const EVERY_MINUTE = { timing: { every: 1 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" } as const;
const naming = { stations, channels: new Map([["11", "trains"]]) };

const labelsOf = (reply: Reply) => buttonsOf(reply).map(({ label }) => label);

it("the filter form for a London stop asks only for filters that its boards can have", () => {
  const namesOf = (settings: Partial<BoardSettings>) =>
    boardFiltersForm(subscription({ settings }), stations).fields.map(({ name }) => name);
  expect(namesOf({})).toEqual(["to", "match", "operator", "platforms", "only"]);
  const tube = { station: "940GZZLUOXC", callingAt: [] };
  expect(namesOf(tube)).toEqual(["operator", "platforms"]);
  expect(boardFiltersForm(subscription({ settings: tube }), stations).fields[0]).toMatchObject({
    label: "Only this line",
    description: "Bakerloo line, Central line or Victoria line; empty for all",
  });
});

describe("a board's description", () => {
  it("names its stations", () => {
    const name = (changed: Parameters<typeof boardSettings>[0]) =>
      boardName(boardSettings(changed), stations);
    expect(name({})).toBe("York → Leeds");
    expect(name({ callingAt: [] })).toBe("York");
    expect(name({ callingAt: ["LDS", "HUL"] })).toBe("York → Leeds or Hull");
    expect(name({ callingAt: ["LDS", "HUL"], callingAtAll: true })).toBe("York → Leeds and Hull");
    expect(name({ kind: "arrivals" })).toBe("Leeds → York (arrivals)");
    expect(name({ station: "ZZZ", callingAt: [] })).toBe("ZZZ");
  });

  it("says where and how often messages appear, and when the next one does", () => {
    const hours = { from: "07:00", to: "09:30" };
    const schedule = { timing: { every: 10 }, days: [1, 2, 3, 4, 5], hours, zone: "Europe/London" } as const;
    expect(whatHappens("11", boardSettings({ schedule }))).toBe(
      "One message in <#11>, updated every 10 minutes, 07:00–09:30, Monday to Friday.",
    );
    const daily = boardSettings({ schedule: { ...schedule, timing: { at: ["07:30"] } } });
    expect(whatHappens("11", daily)).toMatch(/^One message in <#11>, updated at 07:30/);
    const post = boardSettings({
      mode: "post",
      publish: true,
      schedule: { ...schedule, timing: { at: ["07:30"] } },
    });
    expect(whatHappens("11", post)).toMatch(/^A new message in <#11> at 07:30.*published/);
    const firstMs = Date.UTC(2026, 10, 23, 7, 0);
    expect(slotSentence(firstMs, boardSettings({ schedule }))).toBe("Next at 07:00 on Monday.");
    const inNewYork = boardSettings({ schedule: { ...schedule, zone: "America/New_York" } });
    expect(slotSentence(firstMs, inNewYork)).toMatch(/^Next at 02:00 on Monday/);
  });

  it("lists its filters, rows and look", () => {
    const settings = boardSettings({ operator: "LNER", transport: "trains", rows: 1, look: "text" });
    expect(settingsDetails(settings, stations)).toEqual(["LNER", "trains only", "1 row", "as text"]);
  });
});

describe("a list of boards", () => {
  it("says how to subscribe if there are no boards", () => {
    expect(textOf(boardListView([], 0, naming))).toMatch(/\/board subscribe/);
  });

  it("has a line with the state and a menu choice for each board", () => {
    const missed = subscription({ missed: 2 });
    const paused = { state: "paused", nextSlotMs: undefined } as const;
    const boards = [
      subscription({ ...paused, id: "paused01", channelId: "404" }),
      missed,
      subscription({ ...paused, id: "paused02", pausedBecause: "not-allowed" }),
    ];
    const reply = boardListView(boards, 0, naming);
    const [, lines = ""] = textOf(reply).split("### Boards (3)\n");
    expect(lines.split("\n")).toEqual([
      "**York → Leeds** in <#11> · every 10 minutes, day and night · next at 17:30 on Wednesday",
      expect.stringMatching(/⏸️ paused because I can't post in its channel/),
      "**York → Leeds** in <#404> · every 10 minutes, day and night · ⏸️ paused",
    ]);
    const menu = blocksOf(reply).find((block) => block.type === "select");
    expect(menu).toMatchObject({
      choices: [
        { label: "York → Leeds in #trains", value: "abcd1234" },
        { value: "paused02" },
        { label: "York → Leeds", value: "paused01" },
      ],
    });
    expect(boardLabel(missed, naming)).toBe("York → Leeds in #trains");
  });

  it("is sorted by station name", () => {
    const boards = ["YRK", "HUL", "LDS"].map((station) =>
      subscription({ id: `board${station}`, settings: { station, callingAt: [] } }),
    );
    const text = textOf(boardListView(boards, 0, naming));
    expect(text).toMatch(/Hull[^]*Leeds[^]*York/);
  });

  it("has pages, and shows the last one if the requested page no longer exists", () => {
    const boards = Array.from({ length: 45 }, (_, index) => subscription({ id: `board0${index + 10}` }));
    const pages = [0, 1, 2, 9].map((page) => boardListView(boards, page, naming));
    const counts = pages.map((reply) => {
      const menu = blocksOf(reply).find((block) => block.type === "select");
      return menu?.type === "select" ? menu.choices.length : 0;
    });
    expect(counts).toEqual([20, 20, 5, 5]);
    expect(textOf(pages[3] ?? { blocks: [] })).toMatch(/page 3 of 3/);
    const disabled = pages.map((reply) =>
      buttonsOf(reply)
        .slice(0, 2)
        .map((button) => button.disabled === true),
    );
    expect(disabled.slice(0, 3)).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });
});

it("a question about boards says how to find those that do not fit", () => {
  const boards = Array.from({ length: 45 }, (_, index) => subscription({ id: `board0${index + 10}` }));
  const asked = (count: number) =>
    textOf(boardListView(boards.slice(0, count), 0, naming, "Which of these?"));
  expect(asked(45)).toMatch(/^### Which of these\?\n[^]*The first 20 of 45\. Type more of a board's name/);
  expect(asked(20)).not.toMatch(/The first/);
});

describe("the last seven days of a server's boards", () => {
  const week = (
    id: string,
    counts: readonly (readonly [SlotOutcome, number])[],
    state: Subscription["state"] = "active",
  ) => ({
    board: subscription({ id, channelId: id, state, nextSlotMs: undefined }),
    counts: new Map(counts),
  });

  it("begin with the boards that missed most, and sum up the rest", () => {
    const weeks = [
      week("1", [["shown", 1_008]]),
      week("2", [
        ["away", 5],
        ["shown", 900],
        ["discord", 1],
      ]),
      week("3", [["away", 100]]),
      week("4", [["shown", 10]], "paused"),
      week("5", []),
    ];
    expect(textOf(boardWeekView(weeks, stations)).split("\n")).toEqual([
      "### The last seven days",
      "5 boards, shown 1,918 times as planned.",
      "**York → Leeds** in <#3>",
      "100 × missed, because I was offline",
      "**York → Leeds** in <#2>",
      "900 × shown",
      "5 × missed, because I was offline",
      "missed, because Discord didn't accept the message",
      "**York → Leeds** in <#4>",
      "10 × shown",
      "⏸️ paused",
      "The other 2 boards missed nothing.",
    ]);
  });

  it("fit into one message however many boards had trouble", () => {
    const outcomes = ["spent", "failed", "away", "discord", "late", "shown", "not-allowed"] as const;
    const weeks = Array.from({ length: 50 }, (_, index) =>
      week(
        `${index}`,
        outcomes.map((outcome) => [outcome, 10_000]),
        "paused",
      ),
    );
    const text = textOf(boardWeekView(weeks, stations));
    expect(text).toMatch(/42 more boards missed something/);
    expect(text.length).toBeLessThan(4_000);
  });
});

describe("a board's card", () => {
  const elsewhere = { channelId: "12" };

  it("offers Pause for an active board, and Resume for a paused one", () => {
    const running = boardCardView(subscription({ lastSentMs: 1_000 }), stations, elsewhere);
    expect(labelsOf(running)).toEqual([
      "Preview",
      "Pause",
      "Move here",
      "Change times",
      "Filters…",
      "Remove…",
    ]);
    const paused = boardCardView(
      subscription({ state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined }),
      stations,
      elsewhere,
      "Done.",
    );
    expect(labelsOf(paused)).toEqual([
      "Preview",
      "Resume",
      "Resume here",
      "Change times",
      "Filters…",
      "Remove…",
    ]);
    expect(textOf(paused)).toMatch(/^Done\.\n[^]*⏸️ Paused because its channel is gone/);
  });

  it("lists recent outcomes in the board's time zone", () => {
    const atMs = Date.UTC(2026, 10, 18, 23, 50);
    const history = JSON.stringify({
      days: [],
      runs: [
        ["away", atMs, atMs + 1_200_000, 3],
        ["not-allowed", atMs + 1_500_000, atMs + 3_000_000, 1],
        ["spent", atMs + 3_600_000, atMs + 3_600_000, 1],
        ["shown", atMs + 4_200_000, atMs + 9_000_000, 9],
        ["paused", atMs + 9_010_000, atMs + 9_050_000, 1],
      ],
    });
    const card = boardCardView(subscription({ history }), stations, elsewhere);
    expect(textOf(card).split("**Recent updates**\n")[1]?.split("\n")).toEqual([
      "Thu 19 Nov, 02:20 · paused",
      "Thu 19 Nov, 01:00–02:20 · 9 × shown",
      "Thu 19 Nov, 00:50 · shown with older train times, because I had no requests left",
      "Thu 19 Nov, 00:15–00:40 · paused, because I can't post in its channel any more",
      "Wed 18 Nov, 23:50 – Thu 19 Nov, 00:10 · 3 × missed, because I was offline",
    ]);
    expect(textOf(boardCardView(subscription(), stations, elsewhere))).not.toContain("Recent updates");
  });

  it("offers no move to the channel that the board is already in", () => {
    const board = subscription();
    expect(labelsOf(boardCardView(board, stations, board))).toEqual([
      "Preview",
      "Pause",
      "Change times",
      "Filters…",
      "Remove…",
    ]);
  });

  it("asks for confirmation before it removes the board", () => {
    expect(labelsOf(confirmRemoveView(subscription(), stations))).toEqual(["Remove", "Keep it"]);
  });
});

describe("a preview", () => {
  const shown: Reply = {
    blocks: [{ type: "container", blocks: [{ type: "text", text: "the board" }] }],
    files: [{ name: "board.png", bytes: new Uint8Array(1), description: "alt" }],
  };
  const drafted = (changed: Partial<DraftedBoard> = {}): DraftedBoard => {
    const draft = subscription({
      state: "draft",
      nextSlotMs: undefined,
      settings: changed.draft?.settings ?? {},
    });
    const board = { question: { kind: "departures", station: stations.resolve("YRK"), rows: 8 } } as const;
    const rest = { rows: [], laterFrom: undefined, next: undefined } as const;
    return {
      content: {
        settings: draft.settings,
        board: { ...board, ...rest, dataAt: AT, credit: "" },
        nextDataMs: undefined,
      },
      firstSlotMs: Date.UTC(2026, 10, 18, 17, 30),
      dataGapMs: undefined,
      canUpdateEveryMinute: false,
      unmatched: undefined,
      changes: undefined,
      ...changed,
      draft,
    };
  };

  it("warns if no train matches the filters, and names the platforms in use", () => {
    expect(textOf(boardPreviewView(drafted(), shown))).not.toContain("No train matches");
    expect(textOf(boardPreviewView(drafted({ unmatched: ["1", "3", "10"] }), shown))).toContain(
      "⚠️ No train matches these filters in the next two hours. Platforms in use right now: 1, 3 and 10. You can",
    );
  });

  it("shows the board with its picture, says what will happen, and offers to save", () => {
    const reply = boardPreviewView(drafted(), shown);
    expect(reply.visibility).toBe("private");
    expect(reply.files).toHaveLength(1);
    expect(textOf(reply)).toMatch(
      /One message in <#11>, updated every 10 minutes.*\nIt appears as soon as you save it. Next at 17:30[^]*the board/,
    );
    expect(textOf(reply)).not.toMatch(/⚠️/);
    expect(labelsOf(reply)).toEqual(["Save", "Change times", "Filters…", "Discard"]);
  });

  it("warns of infrequent data, of messages that will not be published, and of a board without trains", () => {
    expect(textOf(boardPreviewView(drafted({ dataGapMs: 25 * 60_000 }), shown))).toMatch(
      /about every 25 minutes\. In between it shows the last known times\.$/m,
    );
    expect(textOf(boardPreviewView(drafted({ dataGapMs: 3_590_000 }), shown))).toMatch(/about every hour\./);
    expect(textOf(boardPreviewView(drafted({ dataGapMs: 8_000_000 }), shown))).toMatch(
      /about every 2 hours\..*no trains after two hours/,
    );
    const publish = subscription({ settings: { mode: "post", publish: true, schedule: EVERY_MINUTE } });
    expect(textOf(boardPreviewView(drafted({ draft: publish }), shown))).toMatch(
      /publishes up to 10 messages/,
    );
    const replace = subscription({ settings: { mode: "replace", publish: true } });
    expect(textOf(boardPreviewView(drafted({ draft: replace }), shown))).toMatch(
      /each time I move the message/,
    );
    const content = { settings: boardSettings(), board: undefined, nextDataMs: undefined };
    expect(textOf(boardPreviewView(drafted({ content }), shown))).toMatch(/can't show any trains/);
  });

  it("says that a paused board stays paused", () => {
    const changes = subscription({ state: "paused", nextSlotMs: undefined });
    expect(textOf(boardPreviewView(drafted({ changes }), shown))).toMatch(/stays paused until/);
  });

  it("offers Undo only for a new board", () => {
    expect(labelsOf(boardSavedView(subscription(), true, stations))).toEqual(["Open", "Undo"]);
    expect(labelsOf(boardSavedView(subscription(), false, stations))).toEqual(["Open"]);
    // Taking back is never a red button.
    expect(boardManageButton("undo", "b").style).toBe(boardManageButton("bringBack", "b").style);
  });
});

const failedRepair = (board: Subscription, others: number, offersHere: boolean) =>
  repairView({ board, others, obstacle: "Why." }, offersHere, stations);

it("a failed repair offers the current channel only if that may help", () => {
  const paused = subscription({ state: "paused", pausedBecause: "not-allowed" });
  expect(labelsOf(failedRepair(paused, 0, true))).toEqual(["In this channel instead"]);
  expect(labelsOf(failedRepair(paused, 0, false))).toEqual([]);
  const closed = subscription({ state: "paused", pausedBecause: "station-closed" });
  expect(labelsOf(failedRepair(closed, 0, true))).toEqual([]);
});

it("a failed repair says how many other boards are running again", () => {
  const paused = subscription({ state: "paused", pausedBecause: "not-allowed" });
  const textFor = (others: number) => textOf(failedRepair(paused, others, false));
  expect(textFor(0)).toBe("Why.");
  expect(textFor(1)).toMatch(/Why\. Another board that stopped with this one is running again\./);
  expect(textFor(2)).toMatch(/Why\. 2 other boards that stopped with this one are running again\./);
});

it("the times form contains the current times", () => {
  const hours = { from: "07:00", to: "09:30" };
  const schedule = { timing: { at: ["07:30", "08:30"] }, days: [1, 2, 3, 4, 5], hours, zone: "UTC" } as const;
  const form = boardTimesForm(subscription({ settings: { schedule } }), stations);
  expect(form.fields.map((field) => field.type === "text" && field.value)).toEqual([
    "",
    "07:30, 08:30",
    "Monday to Friday",
    "07:00–09:30",
    "UTC",
  ]);
});

it("every button's custom id parses back to its target", () => {
  for (const name of Object.keys(BOARD_ACTIONS) as (keyof typeof BOARD_ACTIONS)[]) {
    const { target } = boardManageButton(name, "abcd1234");
    expect(parseComponentId(formatComponentId(target))).toEqual(target);
  }
});
