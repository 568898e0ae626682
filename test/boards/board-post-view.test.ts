import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { BoardContent } from "../../src/boards/planning/board-contents.ts";
import type { Board } from "../../src/rail/departures.ts";
import { createStations } from "../../src/rail/stations.ts";
import { boardPictureModel } from "../../src/rail/board-picture-view.ts";
import { boardSlotArgs, createBoardPresenter, findBoardSlot } from "../../src/boards/board-post-view.ts";
import { boardAltText } from "../../src/rail/board-view.ts";
import { LEEDS, YORK, board, boardRow, ukTime } from "../support/boards.ts";
import { blocksOf, buttonsOf, textsOf } from "../support/reply-parts.ts";
import { boardSettings } from "../support/subscriptions.ts";

const SLOT_MS = ukTime("2026-11-21 17:20").epochMilliseconds;
const HULL = { ...LEEDS, crs: "HUL", name: "Hull" };
const EVERYTHING = {
  callingAt: [],
  callingAtAll: false,
  platforms: [],
  transport: "all",
  walkMinutes: 0,
} as const;

const stations = createStations();

/** A presenter with fake pictures: the only byte of each is the number of pictures drawn so far. */
function open() {
  let drawings = 0;
  const present = createBoardPresenter({
    stations,
    pictures: { board: async () => new Uint8Array([(drawings += 1)]) },
  });
  return { present, drawings: () => drawings };
}

function content(shown: Board | undefined, changed: Partial<BoardContent> = {}): BoardContent {
  return { settings: boardSettings(), board: shown, nextDataMs: undefined, ...changed };
}

const own = { id: "abcd1234", slotMs: SLOT_MS };

describe("a board's message", () => {
  it("shows the picture, the data's age and source and the next update, and has a menu of trains", async () => {
    const { present } = open();
    const shown = board([boardRow()], { knownUntil: ukTime("2026-11-21 19:20") });
    const nextDataMs = ukTime("2026-11-21 17:44").epochMilliseconds + 10_000;
    const reply = await present(content(shown, { nextDataMs }), own).reply();
    expect(textsOf(reply)).toEqual([
      "### Departures from York",
      `-# As of 17:20 UK time (<t:1795281600:R>) · next update due <t:${nextDataMs / 1_000}:R> · source: [transportapi.com](http://transportapi.com/)`,
    ]);
    expect(reply.files).toEqual([
      { name: "board.png", bytes: new Uint8Array([1]), description: boardAltText(shown) },
    ]);
    expect(blocksOf(reply).find(({ type }) => type === "select")).toMatchObject({
      target: { command: "departures", action: "train" },
    });
  });

  it("has no Refresh button in a preview, because pressing it would replace the Save button", async () => {
    const reply = await open()
      .present(content(board([])), { id: own.id })
      .reply();
    expect(blocksOf(reply).filter(({ type }) => type === "buttons")).toEqual([]);
  });

  it("has one button, Refresh, whose custom id contains the board's id and slot", async () => {
    const reply = await open()
      .present(content(board([])), own)
      .reply();
    const buttons = buttonsOf(reply);
    const ids = buttons.map(({ target }) => formatComponentId(target));
    expect(buttons).toMatchObject([{ label: "Refresh" }]);
    expect(parseComponentId(ids[0] ?? "")).toMatchObject({ command: "board/show", action: "refresh" });
    expect(findBoardSlot(ids)).toEqual({ boardId: own.id, slotMs: SLOT_MS });
  });

  it("says how often it is checked, promises no update if none is planned, and says if it is paused", async () => {
    const { present } = open();
    // If the new data equals that of 17:20, the message first changes at 17:30.
    const soon = await present(content(board([]), { nextDataMs: SLOT_MS + 60_000 }), own).reply();
    expect(textsOf(soon).at(-1)).toContain(" · checked every 10 minutes · ");
    const never = await present(content(board([])), own).reply();
    expect(textsOf(never).at(-1)).not.toContain("next update");
    const paused = await present(content(board([]), { isPaused: true }), own).reply();
    expect(textsOf(paused).at(-1)).toContain(" · paused · ");
  });

  it("names its filters in the heading and in the picture's alt text", async () => {
    const channelFilters = {
      callingAt: [LEEDS, HULL],
      callingAtAll: false,
      platforms: ["3", "4*"],
      transport: "buses" as const,
      walkMinutes: 10,
    };
    const shown = board([boardRow()], { asked: { channelFilters, operator: "LNER" } });
    const words = "calling at Leeds or Hull · LNER · platforms 3 and 4* · replacement buses only";
    const [heading] = textsOf(await open().present(content(shown), own).reply());
    expect(heading).toBe(
      `### Departures from York\n-# C${words.slice(1).replace("*", "\\*")} · leaves time for a 10-minute walk`,
    );
    expect(boardAltText(shown)).toContain(words.replaceAll(" · ", ", "));
    const arrivals = board([], {
      asked: {
        kind: "arrivals",
        channelFilters: { ...EVERYTHING, callingAt: [LEEDS, HULL], callingAtAll: true },
      },
    });
    const [first] = textsOf(await open().present(content(arrivals), own).reply());
    expect(first).toBe("### Arrivals at York\n-# Having called at Leeds and Hull");
  });

  it("says until when nothing leaves, and claims nothing about later", async () => {
    const { present } = open();
    const knownUntil = ukTime("2026-11-21 19:20");
    const settings = boardSettings({ look: "text" });
    const empty = (asked: NonNullable<Parameters<typeof board>[1]>["asked"]) =>
      present(content(board([], { knownUntil, ...(asked && { asked }) }), { settings }), own).reply();
    expect(textsOf(await empty({ channelFilters: EVERYTHING }))[1]).toBe("No departures before 19:20.");
    expect(textsOf(await empty({ channelFilters: EVERYTHING, via: LEEDS }))[1]).toBe(
      "No direct trains before 19:20.",
    );
    expect(textsOf(await empty({ channelFilters: { ...EVERYTHING, transport: "buses" } }))[1]).toBe(
      "No matching buses before 19:20.",
    );
    expect(boardPictureModel(board([], { knownUntil })).notice).toEqual(["No departures before 19:20"]);
  });

  it("names the first train of the morning by its day and time", async () => {
    const { present } = open();
    const aimedAt = ukTime("2026-11-22 05:12");
    const next = boardRow({ aimedAt, place: "Leeds", state: "scheduled" });
    const night = (kind: "departures" | "arrivals") =>
      board([], { next, knownUntil: aimedAt, asked: { kind } });
    const settings = boardSettings({ look: "text" });
    const texts = async (kind: "departures" | "arrivals") =>
      textsOf(await present(content(night(kind), { settings }), own).reply())[1];
    expect(await texts("departures")).toBe("No departures before Sun 05:12. First train: 05:12 to Leeds.");
    expect(await texts("arrivals")).toBe("No arrivals before Sun 05:12. First train: 05:12 from Leeds.");
    expect(boardPictureModel(night("departures")).notice).toEqual([
      "No departures before Sun 05:12",
      "First train: 05:12 to Leeds",
    ]);
    const without = board([], { knownUntil: aimedAt });
    expect(present(content(night("departures")), own).hash).not.toBe(present(content(without), own).hash);
  });

  it("says that there are no train times, why, and when new ones are due", async () => {
    const { present } = open();
    const settings = boardSettings({ platforms: ["4"] });
    const nextDataMs = SLOT_MS + 60_000;
    const unknown = { settings, nextDataMs, whyUnknown: "spent" } as const;
    const reply = await present(content(undefined, unknown), own).reply();
    expect(textsOf(reply)).toEqual([
      "### Departures from York to Leeds\n-# Platform 4",
      `There are no train times right now (new ones due <t:${nextDataMs / 1_000}:R>).\n-# This bot's train data is limited: \`/about\` shows how many requests are left.`,
    ]);
    expect(reply.files).toBeUndefined();
    const later = await present(content(undefined), own).reply();
    expect(textsOf(later)[1]).toBe(
      "There are no train times right now. They'll appear as soon as I get some.",
    );
    const post = { settings: boardSettings({ mode: "post" }), whyUnknown: "failed" } as const;
    const never = await present(content(undefined, post), own).reply();
    expect(textsOf(never)[1]).toBe(
      "There are no train times right now.\n-# I couldn't get them from the train data service.",
    );
    const failed = await present(content(undefined, { whyUnknown: "failed" }), own).reply();
    expect(textsOf(failed)[1]).toMatch(/\n-# I couldn't get them from the train data service/);
  });
});

describe("the hash of a board's message", () => {
  const dataAt = ukTime("2026-11-21 17:20");
  const hashOf = (shown: Board | undefined, changed?: Partial<BoardContent>) =>
    open().present(content(shown, changed), own).hash;

  it("stays the same for ten minutes if only the data's age changes", () => {
    const hash = hashOf(board([boardRow()], { dataAt, knownUntil: ukTime("2026-11-21 19:20") }));
    const younger = { dataAt: dataAt.add({ minutes: 9 }), knownUntil: ukTime("2026-11-21 19:29") };
    expect(hashOf(board([boardRow()], younger), { nextDataMs: SLOT_MS })).toBe(hash);
    expect(hashOf(board([boardRow()], { dataAt: dataAt.add({ minutes: 10 }) }))).not.toBe(hash);
  });

  it("changes with the rows, filters, station, look and kind", () => {
    const platform = boardRow({ platform: "5" });
    const late = boardRow({ expectedAt: ukTime("2026-11-21 17:38"), delayMinutes: 7, state: "late" });
    const hashes = [
      hashOf(undefined),
      hashOf(undefined, { nextDataMs: SLOT_MS }),
      hashOf(undefined, { settings: boardSettings({ kind: "arrivals" }) }),
      hashOf(board([])),
      hashOf(board([], { asked: { kind: "arrivals" } })),
      hashOf(board([], { asked: { station: LEEDS } })),
      hashOf(board([], { asked: { station: YORK, via: LEEDS } })),
      hashOf(board([], { asked: { channelFilters: { ...EVERYTHING, walkMinutes: 5 } } })),
      hashOf(board([boardRow()])),
      hashOf(board([boardRow()]), { settings: boardSettings({ look: "text" }) }),
      hashOf(board([platform])),
      hashOf(board([late])),
      hashOf(board([boardRow({ state: "cancelled" })])),
      hashOf(board([boardRow(), boardRow()])),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("does not depend on the board's id or slot", () => {
    const { present } = open();
    const shown = board([boardRow()]);
    expect(present(content(shown), own).hash).toBe(
      present(content(shown), { id: "efgh5678", slotMs: 0 }).hash,
    );
  });
});

describe("pictures of boards", () => {
  it("are drawn once for equal boards, and only when a reply needs them", async () => {
    const { present, drawings } = open();
    const presented = ["a", "b", "c"].map((id) =>
      present(content(board([boardRow()])), { id, slotMs: SLOT_MS }),
    );
    expect(drawings()).toBe(0);
    await Promise.all(presented.map(({ reply }) => reply()));
    expect(drawings()).toBe(1);
    await present(content(board([boardRow({ platform: "5" })])), own).reply();
    expect(drawings()).toBe(2);
    await present(content(board([])), own).reply();
    await present(content(board([]), { settings: boardSettings({ look: "text" }) }), own).reply();
    expect(drawings()).toBe(3);
  });

  it("are drawn again if an equal board has newer data", async () => {
    const { present, drawings } = open();
    await present(content(board([boardRow()])), own).reply();
    const younger = board([boardRow()], { dataAt: ukTime("2026-11-21 17:25") });
    await present(content(younger), own).reply();
    expect(drawings()).toBe(2);
  });

  it("are drawn again after a failure", async () => {
    let isBroken = true;
    const present = createBoardPresenter({
      stations,
      pictures: {
        async board() {
          if (isBroken) {
            throw new Error("no paint left");
          }
          return new Uint8Array([1]);
        },
      },
    });
    const { reply } = present(content(board([])), own);
    await expect(reply()).rejects.toThrow("no paint left");
    isBroken = false;
    expect((await reply()).files).toHaveLength(1);
  });
});

const refreshId = (args: Readonly<Record<string, string>>) =>
  formatComponentId({ command: "board/show", action: "refresh", args });

it("finds a board's id and slot among a message's custom ids", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[0-9a-z]{8}$/),
      fc.integer({ min: 0, max: Date.UTC(2126, 0) / 60_000 }),
      (boardId, minute) => {
        const slot = { boardId, slotMs: minute * 60_000 };
        const ids = ["departures:train:1:s=YRK", "free", refreshId(boardSlotArgs.encode(slot))];
        expect(findBoardSlot(ids)).toEqual(slot);
      },
    ),
  );
});

it("finds no slot in other custom ids", () => {
  fc.assert(fc.property(fc.array(fc.string()), (ids) => findBoardSlot(ids) === undefined));
  const args = boardSlotArgs.encode({ boardId: "abcd1234", slotMs: 60_000 });
  expect(
    findBoardSlot([formatComponentId({ command: "board/list", action: "repair", args })]),
  ).toBeUndefined();
});

it.each([
  {},
  { b: "abcd1234" },
  { s: "1" },
  { b: "", s: "1" },
  { b: "abcd1234", s: "-1" },
  { b: "a", s: "zzzzzzz" },
])("rejects the arguments %j", (args: Record<string, string>) => {
  expect(boardSlotArgs.decode(args)).toBeUndefined();
  expect(findBoardSlot([refreshId(args)])).toBeUndefined();
});
