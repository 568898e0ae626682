// Tests how moderators manage boards, with a real database.
import { expect, it } from "vitest";
import { ServiceError, UserError } from "../../src/core/errors.ts";
import type { BoardSettings, Subscription } from "../../src/boards/boards.ts";
import { type ChannelCheck, MessengerError } from "../../src/core/ports.ts";
import {
  CHANNEL,
  FOREIGN,
  GUILD,
  OTHER,
  TRAINS,
  openManagedBoard,
  openManagedBoards,
} from "../support/managed-boards.ts";
import { textReply } from "../../src/core/reply.ts";
import { countedMs } from "../../src/plan/budget.ts";
import { board as boardOf, boardRow } from "../support/boards.ts";
import { boardSettings } from "../support/subscriptions.ts";
import { readHistory } from "../../src/boards/slot-history.ts";

const HOUR_MS = 3_600_000;
const SETTINGS = boardSettings();
/** The row of a board that the bot has paused. */
const STOPPED = { state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined } as const;

const stateOf = async (
  world: Awaited<ReturnType<typeof openManagedBoards>>,
  id: string,
): Promise<Subscription["state"] | undefined> => (await world.table.get(id))?.state;

it("hides a draft until it is saved, then makes it due at once", async () => {
  const world = await openManagedBoards();
  const { draft, firstSlotMs, changes } = await world.boards.draft(TRAINS, SETTINGS, "7");
  expect(changes).toBeUndefined();
  expect(await world.boards.list(GUILD)).toEqual([]);
  expect(await world.table.active()).toEqual([]);

  const saved = await world.boards.save(GUILD, draft.id);
  expect(saved).toMatchObject({
    ...TRAINS,
    id: draft.id,
    state: "active",
    createdBy: "7",
    settings: SETTINGS,
  });
  expect(saved.nextSlotMs).toBe(Math.floor(world.clock.now() / 60_000) * 60_000);
  expect(firstSlotMs).toBe(Date.UTC(2026, 10, 18, 17, 30));
  expect(await world.boards.list(GUILD)).toEqual([saved]);
});

it("waits for a new board's first scheduled slot if that is half a minute away", async () => {
  const world = await openManagedBoards();
  const { draft, firstSlotMs } = await world.boards.draft(TRAINS, SETTINGS, "7");
  world.clock.advance(firstSlotMs - 30_000 - world.clock.now());
  expect((await world.boards.save(GUILD, draft.id)).nextSlotMs).toBe(firstSlotMs);
});

it("changes a draft in place, but not after it is saved", async () => {
  const world = await openManagedBoards();
  const board = await world.subscribe();
  const { draft } = await world.boards.draft(TRAINS, boardSettings({ rows: 3 }), "7", board);
  const again = await world.boards.draft(TRAINS, boardSettings({ rows: 4 }), "7", draft);
  expect(again).toMatchObject({ draft: { id: draft.id }, changes: { id: board.id } });
  await world.boards.save(GUILD, draft.id);
  expect((await world.boards.list(GUILD)).map(({ settings }) => settings.rows)).toEqual([4]);
  await expect(world.boards.draft(TRAINS, SETTINGS, "7", draft)).rejects.toThrow(
    /That board has just changed/,
  );
  await expect(world.boards.editable(GUILD, draft.id)).rejects.toThrow(/can't find that board/);
});

it("saves one board if Save is pressed twice at once and again later", async () => {
  const world = await openManagedBoards({ perGuild: 1 });
  const { draft } = await world.boards.draft(TRAINS, SETTINGS, "7");
  const both = await Promise.all([world.boards.save(GUILD, draft.id), world.boards.save(GUILD, draft.id)]);
  const later = await world.boards.save(GUILD, draft.id);
  expect(new Set([...both, later].map(({ id }) => id))).toEqual(new Set([draft.id]));
  expect(await world.boards.list(GUILD)).toHaveLength(1);
});

it("refuses boards above the server's limit, also if two drafts are saved at once", async () => {
  const world = await openManagedBoards({ perGuild: 2 });
  await world.subscribe();
  const drafts = [
    await world.boards.draft(TRAINS, SETTINGS, "7"),
    await world.boards.draft(TRAINS, SETTINGS, "7"),
  ];
  const saves = await Promise.allSettled(drafts.map(({ draft }) => world.boards.save(GUILD, draft.id)));
  expect(saves.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(world.boards.draft(TRAINS, SETTINGS, "7")).rejects.toThrow(/all the 2 boards/);
  expect(await world.boards.list(GUILD)).toHaveLength(2);
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
  const world = await openManagedBoards();
  world.channels.delete(TRAINS.channelId);
  if (check) {
    world.channels.set(TRAINS.channelId, { ...CHANNEL, ...check });
  }
  const drafted = world.boards.draft(TRAINS, { ...SETTINGS, ...changed }, "7");
  await expect(drafted).rejects.toThrow(UserError);
  await expect(drafted).rejects.toThrow(reason);
  expect(await world.table.ofGuild(GUILD)).toEqual([]);
});

it("refuses to save if the bot has meanwhile lost its permissions in the channel", async () => {
  const world = await openManagedBoards();
  const { draft } = await world.boards.draft(TRAINS, SETTINGS, "7");
  world.channels.set(TRAINS.channelId, { ...CHANNEL, missing: ["Send Messages"] });
  await expect(world.boards.save(GUILD, draft.id)).rejects.toThrow(/Send Messages/);
  expect(await world.boards.list(GUILD)).toEqual([]);
});

it("refuses an unknown station, and times that never occur", async () => {
  const world = await openManagedBoards();
  const never = { timing: { at: ["12:00"] }, days: [1], hours: { from: "07:00", to: "09:00" } } as const;
  const schedule = { ...never, zone: "Europe/London" };
  await expect(world.boards.draft(TRAINS, { ...SETTINGS, station: "ZZZ" }, "7")).rejects.toThrow(UserError);
  await expect(world.boards.draft(TRAINS, { ...SETTINGS, schedule }, "7")).rejects.toThrow(UserError);
  expect(await world.table.ofGuild(GUILD)).toEqual([]);
});

it("forgets a draft when it is discarded, or after an hour", async () => {
  const world = await openManagedBoards();
  const discarded = await world.boards.draft(TRAINS, SETTINGS, "7");
  await world.boards.discard(GUILD, discarded.draft.id);
  await world.boards.discard(GUILD, discarded.draft.id);
  await expect(world.boards.save(GUILD, discarded.draft.id)).rejects.toThrow(/expired after an hour/);
  const old = await world.boards.draft(TRAINS, SETTINGS, "7");
  world.clock.advance(HOUR_MS + 1);
  await expect(world.boards.save(GUILD, old.draft.id)).rejects.toThrow(/expired after an hour/);
});

it("keeps a board that is saved while its draft is being discarded", async () => {
  const { boards, table } = await openManagedBoards();
  const { draft } = await boards.draft(TRAINS, SETTINGS, "7");
  const get = table.get.bind(table);
  table.get = async (id) => {
    table.get = get;
    const read = await get(id);
    await boards.save(GUILD, id);
    return read;
  };
  await boards.discard(GUILD, draft.id);
  expect(await boards.list(GUILD)).toMatchObject([{ id: draft.id, state: "active" }]);
});

it("saves a board although its data is unavailable", async () => {
  const world = await openManagedBoards();
  world.state.failing = new ServiceError("transport", "budget-spent", "none left");
  const { content, draft } = await world.boards.draft(TRAINS, SETTINGS, "7");
  expect(content.board).toBeUndefined();
  await expect(world.boards.save(GUILD, draft.id)).resolves.toMatchObject({ state: "active" });
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

it("recommends updates every minute only if they edit one message", async () => {
  const { boards } = await openManagedBoards();
  for (const [mode, isRecommended] of [
    ["edit", true],
    ["replace", false],
    ["post", false],
  ] as const) {
    expect(await boards.draft(TRAINS, { ...SETTINGS, mode }, "7")).toMatchObject({
      canUpdateEveryMinute: isRecommended,
    });
  }
});

it("estimates new data with the time for which the budget counts a call, which is longer than its window", async () => {
  const everyMinute = { ...SETTINGS, schedule: { ...SETTINGS.schedule, timing: { every: 1 } } };
  const at = await openManagedBoards({ terms: { calls: 2, windowMs: 60_000 } });
  // Two updates come while a call counts, and one call is reserved for people.
  at.clock.advance(45_000);
  expect((await at.boards.draft(TRAINS, everyMinute, "7")).dataGapMs).toBeGreaterThan(60_000);
});

it("lets nobody see or change a board from another server", async () => {
  const world = await openManagedBoards();
  const board = await world.subscribe();
  const { id } = board;
  const { draft } = await world.boards.draft(TRAINS, SETTINGS, "7");
  const { boards } = world;
  const foreign = FOREIGN.guildId;
  const attempts = [
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
  for (const attempt of await Promise.allSettled(attempts)) {
    expect(attempt).toMatchObject({ status: "rejected", reason: { name: "UserError" } });
  }
  expect(await stateOf(world, draft.id)).toBe("draft");
  expect(await stateOf(world, id)).toBe("active");
  expect(world.state.deleted).toEqual([]);
});

it("pauses and resumes, also if asked twice", async () => {
  const world = await openManagedBoards();
  const { id } = await world.subscribe();
  const paused = await world.boards.pause(GUILD, id);
  expect(paused).toMatchObject({ state: "paused", pausedBecause: undefined, nextSlotMs: undefined });
  expect(await world.boards.pause(GUILD, id)).toEqual(paused);
  world.clock.advance(HOUR_MS);
  const resumed = await world.boards.resume(GUILD, id);
  expect(resumed).toMatchObject({ state: "active", nextSlotMs: Date.UTC(2026, 10, 18, 18, 30) });
  expect(readHistory(resumed.history).runs).toEqual([
    ["paused", world.clock.now() - HOUR_MS, world.clock.now(), 1],
  ]);
  expect(await world.boards.resume(GUILD, id)).toEqual(resumed);
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
  const { id, boards, state } = await openManagedBoard({ messageId: "99", shownHash: "presented" });
  await boards.pause(GUILD, id);
  expect(await boards.refresh(id, "99")).toMatchObject({ isPaused: true });
  await boards.resume(GUILD, id, { channelId: TRAINS.channelId, userId: "7" });
  expect(await boards.refresh(id, "99")).not.toHaveProperty("isPaused");
  expect(state.edited.at(-1)?.reply).toEqual(textReply("Back at 17:30 on Wednesday"));
  expect(state.deleted).toEqual([]);
});

it("does not leave “Paused” in the message of a board that was resumed during that edit", async () => {
  const { id, boards, table, state } = await openManagedBoard({ messageId: "99", shownHash: "presented" });
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
  const stopped = { ...STOPPED, pausedBecause: "not-allowed" } as const;
  await table.change(id, { ...stopped, messageId: "99", shownHash: "presented" });
  expect(await boards.refresh(id, "99")).toMatchObject({ isPaused: false });
  await boards.resume(GUILD, id);
  expect(state.edited).toEqual([]);
  await table.change(id, { ...stopped, shownHash: "closed:Back at 07:00 on Monday" });
  await boards.resume(GUILD, id);
  expect(state.edited).toHaveLength(1);
});

it("does not say when a resumed board will be back once that time has passed", async () => {
  const { id, boards, clock, state } = await openManagedBoard({
    messageId: "99",
    shownHash: "presented",
  });
  await boards.pause(GUILD, id);
  state.beforeEdit = () => clock.advance(10 * 60_000);
  await boards.resume(GUILD, id);
  expect(state.edited.map(({ reply }) => reply)).toEqual([textReply("Paused")]);
});

it("keeps the bot's reason for a pause if a person pauses the board too", async () => {
  const { id, ...world } = await openManagedBoard({ ...STOPPED, pausedBecause: "not-allowed" });
  expect((await world.boards.pause(GUILD, id)).pausedBecause).toBe("not-allowed");
  expect((await world.boards.resume(GUILD, id)).pausedBecause).toBeUndefined();
});

it("moves a board to another channel, keeps its next slot, and deletes its old message", async () => {
  const world = await openManagedBoards();
  const { id, nextSlotMs } = await world.subscribe();
  const shown = { messageId: "99", messageSlotMs: 1, shownHash: "x", shownDataMs: 1 };
  await world.table.change(id, { ...shown, claimedSlotMs: 1, claimedUntilMs: 2 });
  const moved = await world.boards.resume(GUILD, id, { channelId: OTHER.channelId, userId: "7" });
  expect(moved).toMatchObject({ ...OTHER, state: "active", nextSlotMs });
  expect(world.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "99" }]);
  const gone = { messageId: undefined, shownHash: undefined, claimedSlotMs: undefined };
  expect(await world.table.get(id)).toMatchObject(gone);
});

it("applies a draft's changes only when it is saved, and keeps a slot that is due", async () => {
  const world = await openManagedBoards();
  const board = await world.subscribe();
  const { id, nextSlotMs } = board;
  world.clock.advance(10 * 60_000);
  const { draft, changes } = await world.boards.draft(TRAINS, { ...SETTINGS, rows: 3 }, "8", board);
  expect(changes?.id).toBe(id);
  expect((await world.boards.get(GUILD, id)).settings.rows).toBe(8);
  const saved = await world.boards.save(GUILD, draft.id);
  expect(saved).toMatchObject({ id, createdBy: "7", nextSlotMs });
  expect(saved.settings.rows).toBe(3);
  expect(await world.boards.list(GUILD)).toHaveLength(1);

  const schedule = { ...SETTINGS.schedule, timing: { at: ["20:00"] } };
  const later = await world.boards.draft(OTHER, { ...SETTINGS, schedule }, "8", saved);
  const moved = await world.boards.save(GUILD, later.draft.id);
  expect(moved).toMatchObject({ ...OTHER, nextSlotMs: Date.UTC(2026, 10, 18, 20, 0) });
  // The first draft's Save, pressed again, must not undo the second.
  expect(await world.boards.save(GUILD, draft.id)).toEqual(moved);
  await expect(world.boards.bringBack(GUILD, draft.id)).rejects.toThrow(UserError);
});

it("keeps a paused board paused when it is changed", async () => {
  const world = await openManagedBoards();
  const { id } = await world.subscribe();
  const paused = await world.boards.pause(GUILD, id);
  const { draft } = await world.boards.draft(TRAINS, { ...SETTINGS, rows: 3 }, "7", paused);
  expect(await world.boards.save(GUILD, draft.id)).toMatchObject({ state: "paused", nextSlotMs: undefined });
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
  const nextSlotMs = Date.UTC(2026, 10, 18, 17, 30);
  await table.change(board.id, { messageId: "99", shownHash: "presented", nextSlotMs });
  expect(await change({ rows: 3 })).toEqual([]);
  await table.change(board.id, { shownHash: "closed:Back at 17:30 on Wednesday" });
  const schedule = { ...SETTINGS.schedule, timing: { at: ["20:00"] } };
  expect(await change({ schedule })).toEqual([textReply("Back at 20:00 on Wednesday")]);
  await boards.pause(GUILD, board.id);
  expect((await change({ station: "HUL" })).slice(1)).toEqual([textReply("Paused"), textReply("Paused")]);
});

it("starts a new message if the mode changes to or from “post”", async () => {
  const world = await openManagedBoards();
  const { id } = await world.subscribe();
  const change = async (mode: BoardSettings["mode"]) => {
    await world.table.change(id, { messageId: mode, shownHash: "presented" });
    const board = await world.boards.get(GUILD, id);
    const { draft } = await world.boards.draft(TRAINS, { ...SETTINGS, mode }, "7", board);
    await world.boards.save(GUILD, draft.id);
    return (await world.table.get(id))?.messageId;
  };
  expect(await change("replace")).toBe("replace");
  expect(world.state.deleted).toEqual([]);
  expect(await change("post")).toBeUndefined();
  expect(world.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "post" }]);
  expect(await change("edit")).toBeUndefined();
  expect(world.state.deleted).toHaveLength(1);
});

it("removes a board with its message, and restores it within an hour", async () => {
  const { id, ...world } = await openManagedBoard({ messageId: "99", shownHash: "x" });
  expect(await world.boards.remove(GUILD, id)).toMatchObject({ id, state: "removed" });
  expect(world.state.deleted).toEqual([{ channelId: TRAINS.channelId, messageId: "99" }]);
  expect(await world.boards.list(GUILD)).toEqual([]);
  expect(await world.boards.find(id)).toBeUndefined();
  expect(await world.boards.refresh(id, "99")).toBeUndefined();

  world.clock.advance(HOUR_MS);
  expect(await world.boards.bringBack(GUILD, id)).toMatchObject({
    state: "active",
    nextSlotMs: Date.UTC(2026, 10, 18, 18, 30),
  });
  expect((await world.table.get(id))?.shownHash).toBeUndefined();
  expect(await world.boards.bringBack(GUILD, id)).toMatchObject({ state: "active" });

  await world.boards.pause(GUILD, id);
  await world.boards.remove(GUILD, id);
  expect(await world.boards.bringBack(GUILD, id)).toMatchObject({ state: "paused" });
  await world.boards.remove(GUILD, id);
  world.clock.advance(HOUR_MS + 1);
  await expect(world.boards.bringBack(GUILD, id)).rejects.toThrow(/more than an hour/);
});

it("does not restore a board above the server's limit", async () => {
  const world = await openManagedBoards({ perGuild: 1 });
  const { id } = await world.subscribe();
  await world.boards.remove(GUILD, id);
  await world.subscribe();
  await expect(world.boards.bringBack(GUILD, id)).rejects.toThrow(/the one board it can have/);
});

it("does not delete the posts of a removed board that posted a new message each time", async () => {
  const world = await openManagedBoards();
  const { id } = await world.subscribe({ mode: "post" });
  await world.table.change(id, { messageId: "99" });
  await world.boards.remove(GUILD, id);
  expect(world.state.deleted).toEqual([]);
});

it("removes a board even if Discord does not delete its message", async () => {
  const world = await openManagedBoards();
  const { boards, table, subscribe } = world;
  const { id } = await subscribe();
  await table.change(id, { messageId: "99" });
  world.state.undeletable = new MessengerError("unavailable", "away");
  await boards.remove(GUILD, id);
  expect(await stateOf(world, id)).toBe("removed");
});

it("records what a refreshed message shows if it is the board's current one", async () => {
  const { id, ...world } = await openManagedBoard({ messageId: "99", shownHash: "x" });
  expect((await world.boards.refresh(id, "98"))?.settings).toEqual(SETTINGS);
  expect((await world.table.get(id))?.shownHash, "another message of the board").toBe("x");
  await world.boards.refresh(id, "99");
  expect((await world.table.get(id))?.shownHash).toBe("presented");
});

it("shows that a board is paused if somebody pauses it during a refresh", async () => {
  const { id, table, boards } = await openManagedBoard({ messageId: "99" });
  const change = table.change.bind(table);
  table.change = async (...changed) => {
    table.change = change;
    await boards.pause(GUILD, id);
    return change(...changed);
  };
  expect(await boards.refresh(id, "99")).toMatchObject({ isPaused: true });
});

it("refuses to change a board whose message a slot has replaced in the meantime, so that none is left behind", async () => {
  const { id, table, state, boards } = await openManagedBoard({ messageId: "99" });
  state.onCheck = () => void table.change(id, { messageId: "100" });
  const moved = boards.resume(GUILD, id, { channelId: OTHER.channelId, userId: "7" });
  await expect(moved).rejects.toThrow(/has just changed/);
  expect(await table.get(id)).toMatchObject({ channelId: TRAINS.channelId, messageId: "100" });
});

it("records nothing if a slot has replaced the refreshed message by then", async () => {
  const { id, table, boards } = await openManagedBoard({ messageId: "99", shownHash: "x" });
  const change = table.change.bind(table);
  table.change = async (...changed) => {
    await change(id, { messageId: "100", shownHash: "y" });
    return change(...changed);
  };
  await boards.refresh(id, "99");
  expect(await table.get(id)).toMatchObject({ messageId: "100", shownHash: "y", shownDataMs: undefined });
});

it("records the time of the data that a refresh shows, so that no process replaces it with older data", async () => {
  const { id, ...world } = await openManagedBoard({ messageId: "99", shownDataMs: 1 });
  const shown = boardOf([boardRow()]);
  world.state.board = shown;
  await world.boards.refresh(id, "99");
  expect((await world.table.get(id))?.shownDataMs).toBe(shown.dataAt.epochMilliseconds);
});

it("forgets the hash of a refresh that showed stale data, so that the next delivery replaces it", async () => {
  const { id, ...world } = await openManagedBoard({ messageId: "99", shownHash: "x" });
  world.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "unavailable" } };
  await world.boards.refresh(id, "99");
  expect((await world.table.get(id))?.shownHash).toBeUndefined();
});

it("tells only the person who refreshed that their share is used up, and leaves the message unchanged", async () => {
  const { id, ...world } = await openManagedBoard({ messageId: "99", shownHash: "x" });
  world.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "own-share" } };
  await expect(world.boards.refresh(id, "99")).rejects.toThrow(/^You've used your share .* stays as it is/);
  expect((await world.table.get(id))?.shownHash).toBe("x");
});

it("refuses to show a board publicly if people's share is used up, and suggests a preview", async () => {
  const world = await openManagedBoards();
  const { id } = await world.subscribe();
  world.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "server-share" } };
  await expect(world.boards.show(GUILD, id)).rejects.toThrow(
    /^People here have used their share .*`\/board preview`/,
  );
  expect((await world.boards.preview(GUILD, id)).board?.stale?.why).toBe("server-share");
  world.state.board = { ...boardOf([boardRow()]), stale: { ageMinutes: 3, why: "timeout" } };
  expect((await world.boards.show(GUILD, id)).board?.stale?.why).toBe("timeout");
});

it("lets only people who can manage the server repair a board, and says what still prevents it", async () => {
  const { id, ...world } = await openManagedBoard({ ...STOPPED, pausedBecause: "not-allowed" });
  world.channels.set(TRAINS.channelId, { ...CHANNEL, missing: ["Send Messages"] });
  const inDm = { userId: "7", guildId: undefined };
  await expect(world.boards.repair(id, { ...inDm, userId: "8" })).rejects.toThrow(/people who can use/);

  const failed = await world.boards.repair(id, inDm);
  expect(failed.obstacle).toMatch(/Send Messages/);
  expect(failed.board.state).toBe("paused");
  const moved = await world.boards.repair(id, { userId: "7", guildId: GUILD }, OTHER.channelId);
  expect(moved).toMatchObject({ obstacle: undefined, board: { ...OTHER, state: "active" } });
  await world.boards.remove(GUILD, id);
  await expect(world.boards.repair(id, inDm)).rejects.toThrow(/removed/);
});

it("repairs a board and those that stopped with it, and no others", async () => {
  const world = await openManagedBoards({ perGuild: 5 });
  const boards = [
    await world.subscribe(),
    await world.subscribe(),
    await world.subscribe(),
    await world.subscribe(),
  ];
  const [one = "", two = "", byHand = "", elsewhere = ""] = boards.map(({ id }) => id);
  const { draft } = await world.boards.draft(TRAINS, SETTINGS, "8");
  const { id: foreign } = await world.boards.save(GUILD, draft.id);
  await world.table.change(one, STOPPED);
  await world.table.change(two, STOPPED);
  await world.table.change(byHand, { ...STOPPED, pausedBecause: undefined });
  await world.table.change(elsewhere, { ...STOPPED, channelId: OTHER.channelId });
  await world.table.change(foreign, STOPPED);
  const repair = await world.boards.repair(one, { userId: "7", guildId: undefined });
  expect(repair).toMatchObject({ others: 1, obstacle: undefined, board: { id: one, state: "active" } });
  const states = await Promise.all(
    [two, byHand, elsewhere, foreign].map(async (id) => (await world.table.get(id))?.state),
  );
  expect(states).toEqual(["active", "paused", "paused", "paused"]);
});

it("counts the other boards that it repaired even if the one that was pressed still cannot run", async () => {
  const world = await openManagedBoards();
  const [one, two] = [await world.subscribe(), await world.subscribe()];
  await world.table.change(one.id, { ...STOPPED, settings: JSON.stringify({ ...SETTINGS, station: "ZZZ" }) });
  await world.table.change(two.id, STOPPED);
  const repair = await world.boards.repair(one.id, { userId: "7", guildId: undefined });
  expect(repair).toMatchObject({ others: 1, board: { id: one.id, state: "paused" } });
  expect(repair.obstacle).toBeDefined();
  expect(await stateOf(world, two.id)).toBe("active");
});

it("repairs the rest on a second press if Discord failed midway", async () => {
  const world = await openManagedBoards();
  const ids = [
    (await world.subscribe()).id,
    (await world.subscribe()).id,
    (await world.subscribe()).id,
  ] as const;
  await Promise.all(ids.map((id) => world.table.change(id, STOPPED)));
  let checks = 0;
  world.state.onCheck = () => {
    checks += 1;
    if (checks === 2) {
      throw new MessengerError("unavailable", "away");
    }
  };
  const press = () => world.boards.repair(ids[0], { userId: "7", guildId: GUILD });
  await expect(press()).rejects.toThrow("away");
  expect(await press()).toMatchObject({ obstacle: undefined });
  expect(await Promise.all(ids.map((id) => stateOf(world, id)))).toEqual(["active", "active", "active"]);
});

it("names the channels that the bot can see", async () => {
  const world = await openManagedBoards();
  const board = await world.subscribe();
  const hidden = { ...board, channelId: "404" };
  expect([...world.boards.channelNames([board, hidden])]).toEqual([[TRAINS.channelId, "trains"]]);
});
