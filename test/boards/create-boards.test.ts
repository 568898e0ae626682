// Tests how moderators manage boards, with a real database.
import { expect, it } from "vitest";
import { ServiceError, UserError } from "../../src/core/errors.ts";
import type { BoardSettings, BoardState } from "../../src/boards/boards.ts";
import { type ChannelCheck, MessengerError } from "../../src/core/ports.ts";
import { CHANNEL, FOREIGN, GUILD, OTHER, TRAINS, openManagedBoards } from "../support/managed-boards.ts";
import { textReply } from "../../src/core/reply.ts";
import { countedMs } from "../../src/plan/budget.ts";
import { board as boardOf, boardRow } from "../support/boards.ts";
import { boardSettings } from "../support/subscriptions.ts";
import { readHistory } from "../../src/boards/slot-history.ts";

const HOUR_MS = 3_600_000;
const SETTINGS = boardSettings();

const stateOf = async (
  at: Awaited<ReturnType<typeof openManagedBoards>>,
  id: string,
): Promise<BoardState | undefined> => (await at.table.get(id))?.state;

it("hides a draft until it is saved, then makes it due at once", async () => {
  const at = await openManagedBoards();
  const { draft, firstSlotMs, changes } = await at.boards.draft(TRAINS, SETTINGS, "7");
  expect(changes).toBeUndefined();
  expect(await at.boards.list(GUILD)).toEqual([]);
  expect(await at.table.active()).toEqual([]);

  const saved = await at.boards.save(GUILD, draft.id);
  expect(saved).toMatchObject({
    ...TRAINS,
    id: draft.id,
    state: "active",
    createdBy: "7",
    settings: SETTINGS,
  });
  expect(saved.nextSlotMs).toBe(Math.floor(at.clock.now() / 60_000) * 60_000);
  expect(firstSlotMs).toBe(Date.UTC(2026, 10, 18, 17, 30));
  expect(await at.boards.list(GUILD)).toEqual([saved]);
});

it("waits for a new board's first scheduled slot if that is half a minute away", async () => {
  const at = await openManagedBoards();
  const { draft, firstSlotMs } = await at.boards.draft(TRAINS, SETTINGS, "7");
  at.clock.advance(firstSlotMs - 30_000 - at.clock.now());
  expect((await at.boards.save(GUILD, draft.id)).nextSlotMs).toBe(firstSlotMs);
});

it("changes a draft in place, but not after it is saved", async () => {
  const at = await openManagedBoards();
  const board = await at.subscribe();
  const { draft } = await at.boards.draft(TRAINS, boardSettings({ rows: 3 }), "7", board);
  const again = await at.boards.draft(TRAINS, boardSettings({ rows: 4 }), "7", draft);
  expect(again).toMatchObject({ draft: { id: draft.id }, changes: { id: board.id } });
  await at.boards.save(GUILD, draft.id);
  expect((await at.boards.list(GUILD)).map(({ settings }) => settings.rows)).toEqual([4]);
  await expect(at.boards.draft(TRAINS, SETTINGS, "7", draft)).rejects.toThrow(/That board has just changed/);
  await expect(at.boards.editable(GUILD, draft.id)).rejects.toThrow(/can't find that board/);
});

it("saves one board if Save is pressed twice at once and again later", async () => {
  const at = await openManagedBoards({ perGuild: 1 });
  const { draft } = await at.boards.draft(TRAINS, SETTINGS, "7");
  const both = await Promise.all([at.boards.save(GUILD, draft.id), at.boards.save(GUILD, draft.id)]);
  const later = await at.boards.save(GUILD, draft.id);
  expect(new Set([...both, later].map(({ id }) => id))).toEqual(new Set([draft.id]));
  expect(await at.boards.list(GUILD)).toHaveLength(1);
});

it("refuses boards above the server's limit, also if two drafts are saved at once", async () => {
  const at = await openManagedBoards({ perGuild: 2 });
  await at.subscribe();
  const drafts = [await at.boards.draft(TRAINS, SETTINGS, "7"), await at.boards.draft(TRAINS, SETTINGS, "7")];
  const saves = await Promise.allSettled(drafts.map(({ draft }) => at.boards.save(GUILD, draft.id)));
  expect(saves.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(at.boards.draft(TRAINS, SETTINGS, "7")).rejects.toThrow(/all the 2 boards/);
  expect(await at.boards.list(GUILD)).toHaveLength(2);
});

it.each<[string, Partial<ChannelCheck> | undefined, Partial<BoardSettings>, RegExp]>([
  ["that the bot cannot see", undefined, {}, /can't see <#11>/],
  ["of another server", { guildId: "2" }, {}, /can't see <#11>/],
  ["of the wrong kind", { kind: "other" }, {}, /text channel, an announcement channel or a thread/],
  [
    "without permissions",
    { missing: ["Send Messages", "Attach Files"] },
    {},
    /\*\*Send Messages\*\* and \*\*Attach Files\*\*/,
  ],
  ["that is locked", { kind: "thread", locked: true }, {}, /locked/],
  ["that cannot publish", {}, { publish: true, mode: "post" }, /announcement channel/],
])("refuses a channel %s, and stores nothing", async (_, check, changed, reason) => {
  const at = await openManagedBoards();
  at.channels.delete(TRAINS.channelId);
  if (check) {
    at.channels.set(TRAINS.channelId, { ...CHANNEL, ...check });
  }
  const drafted = at.boards.draft(TRAINS, { ...SETTINGS, ...changed }, "7");
  await expect(drafted).rejects.toThrow(UserError);
  await expect(drafted).rejects.toThrow(reason);
  expect(await at.table.ofGuild(GUILD)).toEqual([]);
});

it("refuses to save if the bot has meanwhile lost its permissions in the channel", async () => {
  const at = await openManagedBoards();
  const { draft } = await at.boards.draft(TRAINS, SETTINGS, "7");
  at.channels.set(TRAINS.channelId, { ...CHANNEL, missing: ["Send Messages"] });
  await expect(at.boards.save(GUILD, draft.id)).rejects.toThrow(/Send Messages/);
  expect(await at.boards.list(GUILD)).toEqual([]);
});

it("refuses an unknown station, and times that never occur", async () => {
  const at = await openManagedBoards();
  const never = { timing: { at: ["12:00"] }, days: [1], hours: { from: "07:00", to: "09:00" } } as const;
  const schedule = { ...never, zone: "Europe/London" };
  await expect(at.boards.draft(TRAINS, { ...SETTINGS, station: "ZZZ" }, "7")).rejects.toThrow(UserError);
  await expect(at.boards.draft(TRAINS, { ...SETTINGS, schedule }, "7")).rejects.toThrow(UserError);
  expect(await at.table.ofGuild(GUILD)).toEqual([]);
});

it("forgets a draft when it is discarded, or after an hour", async () => {
  const at = await openManagedBoards();
  const discarded = await at.boards.draft(TRAINS, SETTINGS, "7");
  await at.boards.discard(GUILD, discarded.draft.id);
  await expect(at.boards.save(GUILD, discarded.draft.id)).rejects.toThrow(/expired after an hour/);
  const old = await at.boards.draft(TRAINS, SETTINGS, "7");
  at.clock.advance(HOUR_MS + 1);
  await expect(at.boards.save(GUILD, old.draft.id)).rejects.toThrow(/expired after an hour/);
});

it("saves a board although its data is unavailable", async () => {
  const at = await openManagedBoards();
  at.state.failing = new ServiceError("transport", "budget-spent", "none left");
  const { content, draft } = await at.boards.draft(TRAINS, SETTINGS, "7");
  expect(content.board).toBeUndefined();
  await expect(at.boards.save(GUILD, draft.id)).resolves.toMatchObject({ state: "active" });
});

it("says how often data comes only if the plan does not suffice", async () => {
  const rich = await openManagedBoards();
  expect((await rich.boards.draft(TRAINS, SETTINGS, "7")).dataGapMs).toBeUndefined();
  // Six calls are reserved for people.
  const terms = { calls: 30, windowMs: 24 * HOUR_MS };
  const gapMs = countedMs(terms) / 24;
  const poor = await openManagedBoards({ terms });
  expect((await poor.boards.draft(TRAINS, SETTINGS, "7")).dataGapMs).toBe(gapMs);
  await poor.subscribe({ station: "HUL" });
  expect((await poor.boards.draft(TRAINS, SETTINGS, "7")).dataGapMs).toBe(2 * gapMs);
});

it("estimates with the time for which the plan counts a call, which is longer than its window", async () => {
  const everyMinute = { ...SETTINGS, schedule: { ...SETTINGS.schedule, timing: { every: 1 } } };
  const at = await openManagedBoards({ terms: { calls: 2, windowMs: 60_000 } });
  // Two updates come while a call counts, and one call is reserved for people.
  at.clock.advance(45_000);
  expect((await at.boards.draft(TRAINS, everyMinute, "7")).dataGapMs).toBeGreaterThan(60_000);
});

it("lets nobody see or change a board from another server", async () => {
  const at = await openManagedBoards();
  const board = await at.subscribe();
  const { id } = board;
  const { draft } = await at.boards.draft(TRAINS, SETTINGS, "7");
  const { boards } = at;
  const foreign = FOREIGN.guildId;
  const acts = [
    boards.get(foreign, id),
    boards.pause(foreign, id),
    boards.resume(foreign, id, { ...FOREIGN, userId: "7" }),
    boards.remove(foreign, id),
    boards.bringBack(foreign, id),
    boards.preview(foreign, id),
    boards.save(foreign, draft.id),
    boards.discard(foreign, draft.id),
    boards.editable(foreign, id),
    boards.draft(FOREIGN, SETTINGS, "7", board),
    boards.resume(GUILD, id, { channelId: FOREIGN.channelId, userId: "7" }),
    boards.repair(id, { userId: "7", guildId: foreign }),
  ];
  for (const act of await Promise.allSettled(acts)) {
    expect(act).toMatchObject({ status: "rejected", reason: { name: "UserError" } });
  }
  expect(await stateOf(at, draft.id)).toBe("draft");
  expect(await stateOf(at, id)).toBe("active");
  expect(at.state.deleted).toEqual([]);
});

it("pauses and resumes, also if asked twice", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  const paused = await at.boards.pause(GUILD, id);
  expect(paused).toMatchObject({ state: "paused", pausedBecause: undefined, nextSlotMs: undefined });
  expect(await at.boards.pause(GUILD, id)).toEqual(paused);
  at.clock.advance(HOUR_MS);
  const resumed = await at.boards.resume(GUILD, id);
  expect(resumed).toMatchObject({ state: "active", nextSlotMs: Date.UTC(2026, 10, 18, 18, 30) });
  expect(readHistory(resumed.history).runs).toEqual([
    ["paused", at.clock.now() - HOUR_MS, at.clock.now(), 1],
  ]);
  expect(await at.boards.resume(GUILD, id)).toEqual(resumed);
});

it("shows “Paused” in a board's message unless the board posts a new one each time", async () => {
  const { boards, table, state, subscribe } = await openManagedBoards();
  const kept = await subscribe();
  const posted = await subscribe({ mode: "post" });
  for (const { id } of [kept, posted]) {
    await table.change(id, { messageId: `m-${id}`, shownHash: "presented" });
    await boards.pause(GUILD, id);
  }
  expect(state.edited).toEqual([
    {
      message: { channelId: TRAINS.channelId, messageId: `m-${kept.id}` },
      reply: textReply("Paused"),
    },
  ]);
  expect(await table.get(kept.id)).toMatchObject({ shownHash: "closed:Paused", shownDataMs: undefined });
});

it("says in the message of a resumed board when it will be back", async () => {
  const { boards, table, state, subscribe } = await openManagedBoards();
  const { id } = await subscribe();
  await table.change(id, { messageId: "99", shownHash: "presented" });
  await boards.pause(GUILD, id);
  expect(await boards.refresh(id, "99")).toMatchObject({ isPaused: true });
  await boards.resume(GUILD, id);
  expect(await boards.refresh(id, "99")).not.toHaveProperty("isPaused");
  expect(state.edited.at(-1)?.reply).toEqual(textReply("Back at 17:30 on Wednesday"));
});

it("does not leave “Paused” in the message of a board that was resumed during that edit", async () => {
  const { boards, table, state, subscribe } = await openManagedBoards();
  const { id } = await subscribe();
  await table.change(id, { messageId: "99", shownHash: "presented" });
  state.beforeEdit = () => {
    state.beforeEdit = () => undefined;
    return boards.resume(GUILD, id);
  };
  await boards.pause(GUILD, id);
  expect(state.edited.at(-1)?.reply).toEqual(textReply("Back at 17:30 on Wednesday"));
  expect(await table.get(id)).toMatchObject({
    state: "active",
    shownHash: "closed:Back at 17:30 on Wednesday",
  });
});

it("leaves the trains in a resumed board's message, which never said “Paused” because the bot had paused it", async () => {
  const { boards, table, state, subscribe } = await openManagedBoards();
  const { id } = await subscribe();
  const stopped = { state: "paused", pausedBecause: "not-allowed", nextSlotMs: undefined } as const;
  await table.change(id, { ...stopped, messageId: "99", shownHash: "presented" });
  expect(await boards.refresh(id, "99")).toMatchObject({ isPaused: false });
  await boards.resume(GUILD, id);
  expect(state.edited).toEqual([]);
  await table.change(id, { ...stopped, shownHash: "closed:Back at 07:00 on Monday" });
  await boards.resume(GUILD, id);
  expect(state.edited).toHaveLength(1);
});

it("does not say when a resumed board will be back once that time has passed", async () => {
  const { boards, clock, table, state, subscribe } = await openManagedBoards();
  const { id } = await subscribe();
  await table.change(id, { messageId: "99", shownHash: "presented" });
  await boards.pause(GUILD, id);
  state.beforeEdit = () => clock.advance(10 * 60_000);
  await boards.resume(GUILD, id);
  expect(state.edited.map(({ reply }) => reply)).toEqual([textReply("Paused")]);
});

it("keeps the bot's reason for a pause if a person pauses the board too", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { state: "paused", pausedBecause: "not-allowed", nextSlotMs: undefined });
  expect((await at.boards.pause(GUILD, id)).pausedBecause).toBe("not-allowed");
  expect((await at.boards.resume(GUILD, id)).pausedBecause).toBeUndefined();
});

it("moves a board to another channel, keeps its next slot, and deletes its old message", async () => {
  const at = await openManagedBoards();
  const { id, nextSlotMs } = await at.subscribe();
  const shown = { messageId: "99", messageSlotMs: 1, shownHash: "x", shownDataMs: 1 };
  await at.table.change(id, { ...shown, claimedSlotMs: 1, claimedUntilMs: 2 });
  const moved = await at.boards.resume(GUILD, id, { channelId: OTHER.channelId, userId: "7" });
  expect(moved).toMatchObject({ ...OTHER, state: "active", nextSlotMs });
  expect(at.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "99" }]);
  const gone = { messageId: undefined, shownHash: undefined, claimedSlotMs: undefined };
  expect(await at.table.get(id)).toMatchObject(gone);
});

it("applies a draft's changes only when it is saved, and keeps a slot that is due", async () => {
  const at = await openManagedBoards();
  const board = await at.subscribe();
  const { id, nextSlotMs } = board;
  at.clock.advance(10 * 60_000);
  const { draft, changes } = await at.boards.draft(TRAINS, { ...SETTINGS, rows: 3 }, "8", board);
  expect(changes?.id).toBe(id);
  expect((await at.boards.get(GUILD, id)).settings.rows).toBe(8);
  const saved = await at.boards.save(GUILD, draft.id);
  expect(saved).toMatchObject({ id, createdBy: "7", nextSlotMs });
  expect(saved.settings.rows).toBe(3);
  expect(await at.boards.list(GUILD)).toHaveLength(1);

  const schedule = { ...SETTINGS.schedule, timing: { at: ["20:00"] } };
  const later = await at.boards.draft(OTHER, { ...SETTINGS, schedule }, "8", saved);
  const moved = await at.boards.save(GUILD, later.draft.id);
  expect(moved).toMatchObject({ ...OTHER, nextSlotMs: Date.UTC(2026, 10, 18, 20, 0) });
  // The first draft's Save, pressed again, must not undo the second.
  expect(await at.boards.save(GUILD, draft.id)).toEqual(moved);
  await expect(at.boards.bringBack(GUILD, draft.id)).rejects.toThrow(UserError);
});

it("keeps a paused board paused when it is changed", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  const paused = await at.boards.pause(GUILD, id);
  const { draft } = await at.boards.draft(TRAINS, { ...SETTINGS, rows: 3 }, "7", paused);
  expect(await at.boards.save(GUILD, draft.id)).toMatchObject({ state: "paused", nextSlotMs: undefined });
});

it("updates a message without trains at once when its board changes", async () => {
  const { boards, table, state, subscribe } = await openManagedBoards();
  const board = await subscribe();
  const change = async (changed: Partial<BoardSettings>) => {
    const settings = { ...SETTINGS, ...changed };
    const { draft } = await boards.draft(TRAINS, settings, "7", await boards.get(GUILD, board.id));
    await boards.save(GUILD, draft.id);
    return state.edited.map(({ reply }) => reply);
  };
  await table.change(board.id, { messageId: "99", shownHash: "presented" });
  expect(await change({ rows: 3 })).toEqual([]);
  await table.change(board.id, { shownHash: "closed:Back at 17:30 on Wednesday" });
  const schedule = { ...SETTINGS.schedule, timing: { at: ["20:00"] } };
  expect(await change({ schedule })).toEqual([textReply("Back at 20:00 on Wednesday")]);
  await boards.pause(GUILD, board.id);
  expect((await change({ station: "HUL" })).slice(1)).toEqual([textReply("Paused"), textReply("Paused")]);
});

it("starts a new message if the mode changes to or from “post”", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  const change = async (mode: BoardSettings["mode"]) => {
    await at.table.change(id, { messageId: mode, shownHash: "presented" });
    const board = await at.boards.get(GUILD, id);
    const { draft } = await at.boards.draft(TRAINS, { ...SETTINGS, mode }, "7", board);
    await at.boards.save(GUILD, draft.id);
    return (await at.table.get(id))?.messageId;
  };
  expect(await change("replace")).toBe("replace");
  expect(at.state.deleted).toEqual([]);
  expect(await change("post")).toBeUndefined();
  expect(at.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "post" }]);
  expect(await change("edit")).toBeUndefined();
  expect(at.state.deleted).toHaveLength(1);
});

it("removes a board with its message, and restores it within an hour", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { messageId: "99", shownHash: "x" });
  expect(await at.boards.remove(GUILD, id)).toMatchObject({ id, state: "removed" });
  expect(at.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "99" }]);
  expect(await at.boards.list(GUILD)).toEqual([]);
  expect(await at.boards.find(id)).toBeUndefined();
  expect(await at.boards.refresh(id, "99")).toBeUndefined();

  at.clock.advance(HOUR_MS);
  expect(await at.boards.bringBack(GUILD, id)).toMatchObject({
    state: "active",
    nextSlotMs: Date.UTC(2026, 10, 18, 18, 30),
  });
  expect((await at.table.get(id))?.shownHash).toBeUndefined();
  expect(await at.boards.bringBack(GUILD, id)).toMatchObject({ state: "active" });

  await at.boards.pause(GUILD, id);
  await at.boards.remove(GUILD, id);
  expect(await at.boards.bringBack(GUILD, id)).toMatchObject({ state: "paused" });
  await at.boards.remove(GUILD, id);
  at.clock.advance(HOUR_MS + 1);
  await expect(at.boards.bringBack(GUILD, id)).rejects.toThrow(/more than an hour/);
});

it("does not restore a board above the server's limit", async () => {
  const at = await openManagedBoards({ perGuild: 1 });
  const { id } = await at.subscribe();
  await at.boards.remove(GUILD, id);
  await at.subscribe();
  await expect(at.boards.bringBack(GUILD, id)).rejects.toThrow(/the one board it can have/);
});

it("does not delete the posts of a removed board that posted a new message each time", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe({ mode: "post" });
  await at.table.change(id, { messageId: "99" });
  await at.boards.remove(GUILD, id);
  expect(at.state.deleted).toEqual([]);
});

it("removes a board even if Discord does not delete its message", async () => {
  const at = await openManagedBoards();
  const { boards, table, subscribe } = at;
  const { id } = await subscribe();
  await table.change(id, { messageId: "99" });
  at.state.undeletable = new MessengerError("unavailable", "away");
  await boards.remove(GUILD, id);
  expect(await stateOf(at, id)).toBe("removed");
});

it("records what a refreshed message shows if it is the board's current one", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { messageId: "99", shownHash: "x" });
  expect((await at.boards.refresh(id, "98"))?.settings).toEqual(SETTINGS);
  expect((await at.table.get(id))?.shownHash, "another message of the board").toBe("x");
  await at.boards.refresh(id, "99");
  expect((await at.table.get(id))?.shownHash).toBe("presented");
});

it("records the time of the data that a refresh shows, so that no process replaces it with older data", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { messageId: "99", shownDataMs: 1 });
  const shown = boardOf([boardRow()]);
  at.state.board = shown;
  await at.boards.refresh(id, "99");
  expect((await at.table.get(id))?.shownDataMs).toBe(shown.dataAt.epochMilliseconds);
});

it("forgets the hash of a refresh that showed stale data, so that the next delivery replaces it", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { messageId: "99", shownHash: "x" });
  at.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "unavailable" } };
  await at.boards.refresh(id, "99");
  expect((await at.table.get(id))?.shownHash).toBeUndefined();
});

it("tells only the person who refreshed that their share is used up, and leaves the message unchanged", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { messageId: "99", shownHash: "x" });
  at.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "own-share" } };
  await expect(at.boards.refresh(id, "99")).rejects.toThrow(/^You've used your share .* stays as it is/);
  expect((await at.table.get(id))?.shownHash).toBe("x");
});

it("refuses to show a board publicly if people's share is used up, and suggests a preview", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  at.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "server-share" } };
  await expect(at.boards.show(GUILD, id)).rejects.toThrow(
    /^People here have used their share .*`\/board preview`/,
  );
  expect((await at.boards.preview(GUILD, id)).board?.stale?.why).toBe("server-share");
  at.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "timeout" } };
  expect((await at.boards.show(GUILD, id)).board?.stale?.why).toBe("timeout");
});

it("lets only people who can manage the server repair a board, and says what still prevents it", async () => {
  const at = await openManagedBoards();
  const { id } = await at.subscribe();
  await at.table.change(id, { state: "paused", pausedBecause: "not-allowed", nextSlotMs: undefined });
  at.channels.set(TRAINS.channelId, { ...CHANNEL, missing: ["Send Messages"] });
  const inDm = { userId: "7", guildId: undefined };
  await expect(at.boards.repair(id, { ...inDm, userId: "8" })).rejects.toThrow(/people who can use/);

  const failed = await at.boards.repair(id, inDm);
  expect(failed.obstacle).toMatch(/Send Messages/);
  expect(failed.board.state).toBe("paused");
  const moved = await at.boards.repair(id, { userId: "7", guildId: GUILD }, OTHER.channelId);
  expect(moved).toMatchObject({ obstacle: undefined, board: { ...OTHER, state: "active" } });
  await at.boards.remove(GUILD, id);
  await expect(at.boards.repair(id, inDm)).rejects.toThrow(/removed/);
});

it("repairs a board and those that stopped with it, and no others", async () => {
  const at = await openManagedBoards({ perGuild: 5 });
  const paused = { state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined } as const;
  const boards = [await at.subscribe(), await at.subscribe(), await at.subscribe(), await at.subscribe()];
  const [one = "", two = "", byHand = "", elsewhere = ""] = boards.map(({ id }) => id);
  await at.table.change(one, paused);
  await at.table.change(two, paused);
  await at.table.change(byHand, { ...paused, pausedBecause: undefined });
  await at.table.change(elsewhere, { ...paused, channelId: OTHER.channelId });
  const repair = await at.boards.repair(one, { userId: "7", guildId: undefined });
  expect(repair).toMatchObject({ others: 1, obstacle: undefined, board: { id: one, state: "active" } });
  const states = await Promise.all(
    [two, byHand, elsewhere].map(async (id) => (await at.table.get(id))?.state),
  );
  expect(states).toEqual(["active", "paused", "paused"]);
});

it("counts the other boards that it repaired even if the one that was pressed still cannot run", async () => {
  const at = await openManagedBoards();
  const paused = { state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined } as const;
  const [one, two] = [await at.subscribe(), await at.subscribe()];
  await at.table.change(one.id, { ...paused, settings: JSON.stringify({ ...SETTINGS, station: "ZZZ" }) });
  await at.table.change(two.id, paused);
  const repair = await at.boards.repair(one.id, { userId: "7", guildId: undefined });
  expect(repair).toMatchObject({ others: 1, board: { id: one.id, state: "paused" } });
  expect(repair.obstacle).toBeDefined();
  expect(await stateOf(at, two.id)).toBe("active");
});

it("repairs the rest on a second press if Discord failed midway", async () => {
  const at = await openManagedBoards();
  const paused = { state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined } as const;
  const ids = [(await at.subscribe()).id, (await at.subscribe()).id, (await at.subscribe()).id] as const;
  await Promise.all(ids.map((id) => at.table.change(id, paused)));
  let checks = 0;
  at.state.onCheck = () => {
    checks += 1;
    if (checks === 2) {
      throw new MessengerError("unavailable", "away");
    }
  };
  const press = () => at.boards.repair(ids[0], { userId: "7", guildId: GUILD });
  await expect(press()).rejects.toThrow("away");
  expect(await press()).toMatchObject({ obstacle: undefined });
  expect(await Promise.all(ids.map((id) => stateOf(at, id)))).toEqual(["active", "active", "active"]);
});

it("names the channels that the bot can see", async () => {
  const at = await openManagedBoards();
  const board = await at.subscribe();
  const hidden = { ...board, channelId: "404" };
  expect([...at.boards.channelNames([board, hidden])]).toEqual([[TRAINS.channelId, "trains"]]);
});
