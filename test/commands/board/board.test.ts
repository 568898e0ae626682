// The subcommands of /board with the real service.
import { describe, expect, it } from "vitest";
import draft from "../../../commands/board/draft.ts";
import edit from "../../../commands/board/edit.ts";
import list from "../../../commands/board/list.ts";
import pause from "../../../commands/board/pause.ts";
import remove from "../../../commands/board/remove.ts";
import resume from "../../../commands/board/resume.ts";
import show from "../../../commands/board/show.ts";
import subscribe from "../../../commands/board/subscribe.ts";
import { UserError } from "../../../src/core/errors.ts";
import { textReply, type Reply } from "../../../src/core/reply.ts";
import { settingsOptions } from "../../../src/boards/board-command.ts";
import { type PresentBoard, boardSlotArgs } from "../../../src/boards/board-post-view.ts";
import { FOREIGN, GUILD, OTHER, TRAINS, openManagedBoards } from "../../support/managed-boards.ts";

async function world() {
  const at = await openManagedBoards();
  const presented: Parameters<PresentBoard>[1][] = [];
  const presentBoard: PresentBoard = (_, board) => {
    presented.push(board);
    return { hash: "h", reply: async () => textReply(`the board of ${board.id}`) };
  };
  const context = {
    caller: { id: "7", roles: [] },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: TRAINS,
    progress: () => {},
    services: { boards: at.boards, presentBoard, stations: at.stations },
  };
  return { ...at, presented, context };
}

const message = { id: "1", channelId: "11", content: "", attachments: [], media: [] };
const textOf = (reply: unknown) => JSON.stringify(reply);

/** All options, absent. */
const none = Object.fromEntries(
  Object.keys(settingsOptions).map((name) => [name, undefined]),
  // It has these keys, and no others.
) as Readonly<Record<keyof typeof settingsOptions, undefined>>;

describe("/board subscribe", () => {
  it("shows the board privately, and saves it when Save is pressed", async () => {
    const { boards, context, presented } = await world();
    const options = {
      ...none,
      station: "York",
      to: "Leeds",
      every: "10 min",
      walk: 5,
      view: "text" as const,
    };
    const reply = (await subscribe.run({ ...context, options })) as Reply; // the command has no modal
    expect(reply.visibility).toBe("private");
    expect(textOf(reply)).toMatch(/<#11>, updated every 10 minutes/);
    const id = presented[0]?.id ?? "";
    expect(textOf(reply)).toContain(`the board of ${id}`);
    expect(presented[0]?.slotMs).toBeUndefined();

    const saved = await draft.buttons?.save.run({ ...context, args: { id }, message });
    expect(textOf(saved)).toMatch(/Saved/);
    const settings = { station: "YRK", callingAt: ["LDS"], walkMinutes: 5, look: "text" };
    expect(await boards.list(GUILD)).toMatchObject([{ id, ...TRAINS, createdBy: "7", settings }]);
  });

  it("uses the channel that is named", async () => {
    const { context, presented, table } = await world();
    const channel = { id: OTHER.channelId, name: "other" };
    await subscribe.run({ ...context, options: { ...none, station: "York", channel } });
    expect(await table.get(presented[0]?.id ?? "")).toMatchObject(OTHER);
  });

  it("saves nothing when Discard is pressed", async () => {
    const { boards, context, presented } = await world();
    await subscribe.run({ ...context, options: { ...none, station: "York" } });
    const args = { id: presented[0]?.id ?? "" };
    expect(textOf(await draft.buttons?.discard.run({ ...context, args, message }))).toMatch(
      /Nothing was saved/,
    );
    await expect(draft.buttons?.save.run({ ...context, args, message })).rejects.toThrow(UserError);
    expect(await boards.list(GUILD)).toEqual([]);
  });
});

describe("/board edit", () => {
  it("changes only the named options, after a preview", async () => {
    const { boards, context, presented, subscribe: add } = await world();
    const { id } = await add();
    await edit.run({ ...context, options: { ...none, board: id, station: undefined, rows: 3 } });
    expect((await boards.get(GUILD, id)).settings.rows).toBe(8);
    const args = { id: presented[0]?.id ?? "" };
    await draft.buttons?.save.run({ ...context, args, message });
    expect((await boards.get(GUILD, id)).settings).toMatchObject({
      rows: 3,
      station: "YRK",
      callingAt: ["LDS"],
    });
  });

  it("opens the form for times if no option is named, and saves the form's values", async () => {
    const { boards, context, presented, subscribe: add } = await world();
    const { id } = await add();
    const form = await edit.run({ ...context, options: { ...none, board: id, station: undefined } });
    expect(form).toMatchObject({ type: "modal", target: { action: "times", args: { b: id } } });
    const fields = { every: [], at: ["7:30, 17:15"], days: ["weekdays"], hours: [], zone: [] };
    await edit.modals?.times.run({ ...context, args: { id }, fields, files: {} });
    await draft.buttons?.save.run({ ...context, args: { id: presented[0]?.id ?? "" }, message });
    const schedule = { timing: { at: ["07:30", "17:15"] }, days: [1, 2, 3, 4, 5], zone: "Europe/London" };
    expect((await boards.get(GUILD, id)).settings.schedule).toEqual(schedule);
  });
});

it("refuses a form with a mistake as wrong input, so that it can be opened again", async () => {
  const { context, subscribe: add } = await world();
  const { id } = await add();
  const fields = { every: ["fortnight"], at: [], days: ["weekdays"], hours: [], zone: ["London"] };
  await expect(edit.modals?.times.run({ ...context, args: { id }, fields, files: {} })).rejects.toMatchObject(
    {
      message: expect.stringContaining("couldn't read “fortnight”"),
      reason: "input",
    },
  );
});

describe("existing boards", () => {
  it("can be listed, opened, paused, resumed, moved, removed and restored", async () => {
    const { boards, context, subscribe: add } = await world();
    const { id } = await add();
    const press = { ...context, args: { id }, message };
    expect(textOf(await list.run({ ...context, options: {} }))).toMatch(/Boards \(1\).*York → Leeds/);
    expect(
      textOf(await list.selects?.["open"]?.run({ ...context, args: {}, message, chosen: [id] })),
    ).toMatch(/One message, kept up to date/);
    await pause.buttons?.pause.run(press);
    expect((await boards.get(GUILD, id)).state).toBe("paused");
    await resume.run({ ...context, options: { board: id, channel: undefined } });
    expect((await boards.get(GUILD, id)).state).toBe("active");
    await resume.buttons?.move.run({ ...press, where: OTHER });
    expect((await boards.get(GUILD, id)).channelId).toBe(OTHER.channelId);
    expect(textOf(await remove.run({ ...context, options: { board: id } }))).toMatch(/Remove \*\*York/);
    expect(await boards.list(GUILD)).toHaveLength(1);
    await remove.buttons?.remove.run(press);
    expect(await boards.list(GUILD)).toEqual([]);
    await remove.buttons?.undo.run(press);
    expect(await boards.list(GUILD)).toHaveLength(1);
  });

  it("are found by a typed name, and several with that name become a menu", async () => {
    const { boards, context, subscribe: add } = await world();
    const { id } = await add();
    const pausing = (board: string) => pause.run({ ...context, options: { board } });
    expect(textOf(await pausing("Leeds"))).toContain("Paused.");
    expect((await boards.get(GUILD, id)).state).toBe("paused");
    await expect(pausing("Hull")).rejects.toThrow(/can't find that board/);
    const second = await add({ platforms: ["4"] });
    const menu = textOf(await pausing("leeds"));
    expect(menu).toContain("Which of these?");
    expect(menu).toContain(second.id);
    expect((await boards.get(GUILD, second.id)).state).toBe("active");
  });

  it("are found by their whole name, even if other names contain it", async () => {
    const { boards, context, subscribe: add } = await world();
    const { id } = await add();
    const short = await add({ callingAt: [] });
    const pausing = (board: string) => pause.run({ ...context, options: { board } });
    expect(textOf(await pausing("york"))).toContain("Paused.");
    expect((await boards.get(GUILD, short.id)).state).toBe("paused");
    expect((await boards.get(GUILD, id)).state).toBe("active");
    await add({ callingAt: [] });
    expect(textOf(await pausing("York"))).toContain("Which of these?");
  });

  it("are suggested by name, without those of other servers", async () => {
    const { context, subscribe: add } = await world();
    const { id } = await add();
    await add({}, FOREIGN);
    const offer = (text: string, where: typeof TRAINS) =>
      pause.options?.board.autocomplete({ text, typed: {}, where, recent: [], services: context.services });
    const choice = { name: "York → Leeds in #trains, every 10 minutes, day and night", value: id };
    expect(await offer("leeds in #tr", TRAINS)).toEqual([choice]);
    expect(await offer("Hull", TRAINS)).toEqual([]);
    expect(await offer("", FOREIGN)).toHaveLength(1);
  });
});

describe("a board's own Refresh", () => {
  it("shows the board again with its slot, to anybody", async () => {
    const { context, presented, subscribe: add } = await world();
    const { id, nextSlotMs = 0 } = await add();
    const mark = { boardId: id, slotMs: nextSlotMs };
    const refresh = show.buttons?.refresh;
    expect(refresh?.anyone).toBe(true);
    expect(refresh?.args?.decode(boardSlotArgs.encode(mark))).toEqual(mark);
    expect(refresh?.args?.decode({ b: "x" })).toBeUndefined();
    await refresh?.run({ ...context, args: mark, message });
    expect(presented.at(-1)).toEqual({ id, slotMs: nextSlotMs });
  });

  it("throws a UserError if the board is removed or belongs to another server", async () => {
    const { boards, context, subscribe: add } = await world();
    const { id } = await add();
    const args = { boardId: id, slotMs: 0 };
    await expect(show.buttons?.refresh.run({ ...context, where: FOREIGN, args, message })).rejects.toThrow(
      UserError,
    );
    await boards.remove(GUILD, id);
    await expect(show.buttons?.refresh.run({ ...context, args, message })).rejects.toThrow(/no longer/);
  });
});

describe("the repair button of a notice", () => {
  const inDm = { guildId: undefined, channelId: "99" };

  it("resumes the board, even from a direct message, but not for a stranger", async () => {
    const { boards, context, table, subscribe: add } = await world();
    const { id } = await add();
    await table.change(id, { state: "paused", pausedBecause: "not-allowed", nextSlotMs: undefined });
    const press = { ...context, args: { id }, message };
    const stranger = { ...press, caller: { ...context.caller, id: "8" } };
    await expect(list.buttons?.repair.run({ ...stranger, where: inDm })).rejects.toThrow(UserError);
    const reply = await list.buttons?.repair.run({ ...press, where: inDm });
    expect(textOf(reply)).toMatch(/is running again in <#11>/);
    expect((await boards.get(GUILD, id)).state).toBe("active");
  });

  it("says what is missing, and in the server offers the present channel", async () => {
    const { boards, channels, context, table, subscribe: add } = await world();
    const { id } = await add();
    await table.change(id, { state: "paused", pausedBecause: "channel-gone", nextSlotMs: undefined });
    channels.delete(TRAINS.channelId);
    const press = { ...context, args: { id }, message };
    const told = await list.buttons?.repair.run({ ...press, where: inDm });
    expect(told).toMatchObject({ visibility: "private" });
    expect(textOf(told)).not.toMatch(/In this channel instead/);
    expect(textOf(await list.buttons?.repair.run({ ...press, where: OTHER }))).toMatch(
      /In this channel instead/,
    );
    await list.buttons?.here.run({ ...press, where: OTHER });
    expect(await boards.get(GUILD, id)).toMatchObject({ ...OTHER, state: "active" });
    await expect(list.buttons?.here.run({ ...press, where: inDm })).rejects.toThrow(UserError);
  });
});
