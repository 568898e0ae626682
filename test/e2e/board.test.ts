// Boards that moderators set up in channels: the real bot, logged in to the local Discord.
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { COMPONENT_TYPES } from "../../sandbox/discord/component-types.ts";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import type { World } from "../../sandbox/world.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

const MINUTE_MS = 60_000;

/** Subscribes #trains to York and saves the board. Returns the message with Undo. */
async function subscribe(world: World, grace: Member): Promise<SeenMessage> {
  const asked = await grace.slash(world.channels.trains, "board subscribe", { station: "York", every: "10" });
  return (await grace.click(asked.message, "Save")).message;
}

/** Opens the card of the only board. */
async function openCard(world: World, grace: Member): Promise<SeenMessage> {
  const { message } = await grace.slash(world.channels.trains, "board list");
  const menu = [...walkComponents(message.components)].find(
    ({ type }) => type === COMPONENT_TYPES.stringSelect,
  );
  const options: unknown = menu?.["options"];
  const [first] = Array.isArray(options) ? options : [];
  return (await grace.select(message, "Open a board…", [String(first?.value)])).message;
}

describe("a moderator", () => {
  it("sees a private preview with a picture, then saves the board", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const asked = await grace.slash(world.channels.trains, "board subscribe", {
      station: "YRK",
      to: "Leeds",
      every: "10 minutes",
      days: "weekdays",
      between: "07:00-09:30",
    });
    expect(asked.message.ephemeral).toBe(true);
    expect(asked.message.attachments).toHaveLength(1);
    expect(asked.text).toMatch(/updated every 10 minutes, 07:00–09:30, Monday to Friday\./);
    expect(asked.text).toMatch(/Next at 07:00 on Thursday/);
    expect((await grace.slash(world.channels.trains, "board list")).text).toMatch(/no boards yet/);

    const saved = await grace.click(asked.message, "Save");
    expect(saved.message.id).toBe(asked.message.id);
    expect(saved.text).toMatch(/^Saved: \*\*York → Leeds\*\*\./);
    expect((await grace.slash(world.channels.trains, "board list")).text).toMatch(/York → Leeds/);
    // Nobody else has seen any of it.
    expect(world.transcript(world.channels.trains)).toEqual([]);
  });

  it("creates a first board through /setup, which then shows that there is one", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const asked = await grace.slash(world.channels.trains, "setup");
    expect(asked.message.ephemeral).toBe(true);
    const form = await grace.click(asked.message, "First board");
    const drafted = await grace.submit(form, { Station: "York", "Only trains that call at": "" });
    expect(drafted.message.attachments).toHaveLength(1);
    await grace.click(drafted.message, "Save");
    const again = await grace.slash(world.channels.trains, "setup");
    expect(again.text).toContain("This server has one");
    const videos = await grace.click(again.message, "Video settings");
    expect(videos.text).toContain("Video settings");
  });

  it("removes a board that was just saved with Undo, and restores it with Undo", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const saved = await subscribe(world, grace);
    const undone = await grace.click(saved, "Undo");
    expect(undone.text).toMatch(/^Removed/);
    expect((await grace.slash(world.channels.trains, "board list")).text).toMatch(/no boards yet/);
    expect((await grace.click(undone.message, "Undo")).text).toMatch(/^It's back/);
  });

  it("pauses, resumes, removes and previews a board on its card, also after a restart", async () => {
    const env = { DATABASE_URL: await createTestDatabase(sqlite) };
    await using world = await openCheckedWorld({ env });
    const grace = world.member("Grace");
    await subscribe(world, grace);
    let card = await openCard(world, grace);
    const press = async (label: string) => {
      card = (await grace.click(card, label)).message;
      return card.text;
    };
    expect(await press("Pause")).toMatch(/⏸️ Paused/);
    await world.bot.stop();
    await world.bot.start();
    expect(await press("Resume")).toMatch(/It's running in/);
    expect(await press("Remove…")).toMatch(/^Remove \*\*York/);
    expect(await press("Keep it")).toMatch(/every 10 minutes/);
    expect(await press("Remove…")).toMatch(/^Remove/);
    expect(await press("Remove")).toMatch(/^Removed/);
    expect(await press("Undo")).toMatch(/^It's back/);
    const preview = await grace.click(card, "Preview");
    expect(preview.message.id).not.toBe(card.id);
    expect(preview.message.ephemeral).toBe(true);
  });

  it("edits the times and filters in forms, and the rest with a command", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    await subscribe(world, grace);
    const form = await grace.click(await openCard(world, grace), "Change times");
    const drafted = await grace.submit(form, { "How often": "", "Or at fixed times": "7:30, 17:15" });
    expect(drafted.text).toMatch(/at 07:30 and 17:15, every day/);
    await grace.click(drafted.message, "Save");
    const [board] = await grace.complete(world.channels.trains, "board edit", { board: "yor" }, "board");
    expect(board?.name).toBe("York in #trains, at 07:30 and 17:15, every day");
    const named = { board: String(board?.value), to: "LDS", view: "text" };
    const changed = await grace.slash(world.channels.trains, "board edit", named);
    await grace.click(changed.message, "Save");
    const card = await openCard(world, grace);
    expect(card.text).toMatch(/York → Leeds[^]*at 07:30 and 17:15[^]*as text/);
    const filters = await grace.click(card, "Filters…");
    const filtered = await grace.submit(filters, { "Only these platforms": "4" });
    await grace.click(filtered.message, "Save");
    expect((await openCard(world, grace)).text).toMatch(/York → Leeds[^]*latform 4\b/);
  });

  it("changes the times and filters of a draft in forms, which can be corrected after a mistake", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const asked = await grace.slash(world.channels.trains, "board subscribe", { station: "York" });
    const filters = await grace.click(asked.message, "Filters…");
    const calls = "Only trains that call at";
    const refused = await grace.submit(filters, {
      [calls]: "Leeds, fortnight",
      "Only these platforms": "4-6",
    });
    const fix = await grace.click(refused.message, "Fix it");
    const drafted = await grace.submit(fix, { [calls]: "Leeds, Hull" });
    expect(drafted.message.id).toBe(refused.message.id);
    const times = await grace.click(drafted.message, "Change times");
    const changed = await grace.submit(times, { "How often": "20 minutes" });
    await grace.click(changed.message, "Save");
    const card = await openCard(world, grace);
    expect(card.text).toMatch(/York → Leeds or Hull[^]*every 20 minutes[^]*latforms 4, 5 and 6/);
  });

  it("gets suggestions of boards while typing, which cost no further request to Discord", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    await subscribe(world, grace);
    const before = world.discord.requests.length;
    const choices = await grace.complete(world.channels.trains, "board pause", { board: "york" }, "board");
    expect(choices.map(({ name }) => name)).toEqual(["York in #trains, every 10 minutes, day and night"]);
    expect(world.discord.requests.slice(before)).toHaveLength(1);
  });

  it("shows a board to everyone, and anybody can refresh it in place", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    await subscribe(world, grace);
    const [board] = await grace.complete(world.channels.trains, "board show", { board: "" }, "board");
    const shown = await grace.slash(world.channels.trains, "board show", { board: String(board?.value) });
    expect(shown.message.ephemeral).toBe(false);
    expect(shown.text).not.toMatch(/next update|checked every/);
    await world.clock.advance(5 * MINUTE_MS);
    const refreshed = await world.member("Mary").click(shown.message, "Refresh");
    expect(refreshed.message.id).toBe(shown.message.id);
    expect(refreshed.text).toMatch(/17:25/);
    expect(refreshed.text).not.toMatch(/next update|checked every/);
  });
});

describe("before a board is saved", () => {
  it.each<[string, Record<string, string | boolean>, RegExp]>([
    ["an unknown station", { station: "Hogwarts" }, /station/],
    ["a schedule without a slot", { station: "York", at: "12:00", between: "07:00-09:00" }, /never appear/],
    ["an interval below one minute", { station: "York", every: "30 seconds" }, /once a minute/],
    ["an unknown time zone", { station: "York", zone: "Mars/Olympus" }, /zone/],
    [
      "publishing outside an announcement channel",
      { station: "York", publish: true },
      /announcement channel/,
    ],
  ])("%s is refused with a reason", async (_, options, reason) => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const answer = await grace.slash(world.channels.trains, "board subscribe", options);
    expect(answer.text).toMatch(reason);
    expect(() => answer.button("Save")).toThrow("no button Save");
  });

  it("a channel where the bot may not write is refused with the missing permission", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    const deny = PermissionFlagsBits.SendMessages;
    const bot = { id: world.discord.applicationId, kind: 1, allow: 0n, deny } as const;
    const quiet = world.discord.addChannel(world.guild, "quiet", 0, [bot]);
    const options = { station: "York", channel: quiet };
    const answer = await grace.slash(world.channels.trains, "board subscribe", options);
    expect(answer.text).toMatch(/\*\*Send Messages\*\*/);
    expect(() => answer.button("Save")).toThrow("no button Save");
  });

  it("a board beyond the server's limit is refused", async () => {
    await using world = await openCheckedWorld({ env: { BOARDS_PER_GUILD: "1" } });
    const grace = world.member("Grace");
    const options = { station: "Leeds" };
    const first = await grace.slash(world.channels.trains, "board subscribe", options);
    const second = await grace.slash(world.channels.trains, "board subscribe", options);
    expect((await grace.click(first.message, "Save")).text).toMatch(/^Saved/);
    expect((await grace.click(second.message, "Save")).text).toMatch(/the one board it can have/);
    const third = await grace.slash(world.channels.trains, "board subscribe", options);
    expect(third.text).toMatch(/the one board it can have/);
  });
});

describe("a member without the permission", () => {
  it("is not offered the command", async () => {
    await using world = await openCheckedWorld();
    const { trains } = world.channels;
    await expect(world.member("Mary").slash(trains, "board list")).rejects.toThrow(/may not use board/);
  });

  it("cannot use the buttons either, once the permission is revoked", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    await subscribe(world, grace);
    const card = await openCard(world, grace);
    world.guild.members.get(grace.id)?.roleIds.splice(0);
    for (const label of ["Preview", "Pause", "Change times", "Filters…", "Remove…"]) {
      expect((await grace.click(card, label)).text).toMatch(/don't have permission to do that/);
    }
  });
});

describe("a board at night", () => {
  it("names the first train, and continues after the clock is set back to the evening", async () => {
    await using world = await openCheckedWorld({ at: "2026-11-18T17:20:00Z" });
    const { trains } = world.channels;
    const grace = world.member("Grace");
    const asked = await grace.slash(trains, "board subscribe", {
      station: "Dent",
      every: "10",
      view: "text",
    });
    await grace.click(asked.message, "Save");
    const tickAt = async (at: string): Promise<string> => {
      await world.clock.set(Date.parse(at));
      await world.bot.tick();
      return grace.messages(trains).at(-1)?.text ?? "";
    };
    await tickAt("2026-11-19T01:00:00Z");
    expect(await tickAt("2026-11-19T01:10:00Z")).toMatch(
      /No departures before 0\d:\d\d\. First train: 0\d:\d\d to /,
    );
    await tickAt("2026-11-18T17:31:00Z");
    expect(await tickAt("2026-11-18T17:40:00Z")).toMatch(/As of 17:40/);
  });
});

describe("a board's message that a moderator deletes", () => {
  it("is posted again within a minute, although nothing else has changed", async () => {
    await using world = await openCheckedWorld();
    const { trains } = world.channels;
    const grace = world.member("Grace");
    await subscribe(world, grace);
    // The first message is posted at once, not at 17:30.
    await world.bot.tick();
    const first = await grace.waitForMessage(trains, ({ ephemeral }) => !ephemeral);
    await world.member("Ada").delete(first);
    // Events arrive in order: once this command is answered, the bot knows of the deletion.
    await grace.slash(trains, "board list");
    await world.clock.advance(MINUTE_MS);
    await world.bot.tick();
    const standing = world.member("Mary").messages(trains);
    expect(standing).toHaveLength(1);
    expect(standing[0]?.id).not.toBe(first.id);
    expect(standing[0]?.attachments).toHaveLength(1);
  });
});

describe("a board that can no longer be posted", () => {
  it("waits while the bot is timed out, without bothering anybody", async () => {
    await using world = await openCheckedWorld();
    const { trains } = world.channels;
    const grace = world.member("Grace");
    await subscribe(world, grace);
    world.discord.timeOut(world.guild, world.discord.applicationId, world.clock.now() + 15 * MINUTE_MS);
    for (const posts of [0, 1]) {
      await world.clock.advance(10 * MINUTE_MS);
      await world.bot.tick();
      expect(world.member("Mary").messages(trains)).toHaveLength(posts);
    }
    expect(grace.messages(grace.dm())).toEqual([]);
  });

  it("is refused when the bot is timed out already", async () => {
    await using world = await openCheckedWorld();
    const grace = world.member("Grace");
    world.discord.timeOut(world.guild, world.discord.applicationId, world.clock.now() + 15 * MINUTE_MS);
    const asked = await grace.slash(world.channels.trains, "board subscribe", { station: "York" });
    expect(asked.text).toMatch(/^A moderator has timed me out/);
  });

  it("is reported once in a direct message, and can be repaired from there", async () => {
    await using world = await openCheckedWorld();
    const { trains } = world.channels;
    const grace = world.member("Grace");
    await subscribe(world, grace);
    const deny = PermissionFlagsBits.SendMessages;
    trains.overwrites.push({ id: world.discord.applicationId, kind: 1, allow: 0n, deny });
    await world.clock.advance(10 * MINUTE_MS);
    await world.bot.tick();
    const notice = await grace.waitForMessage(grace.dm(), ({ text }) => text.includes("is paused"));
    await world.clock.advance(10 * MINUTE_MS);
    await world.bot.tick();
    expect(grace.messages(grace.dm())).toHaveLength(1);

    // The server decides who may use /board, also in a direct message.
    const command = [...world.discord.state.commands.values()].find(({ name }) => name === "board");
    if (!command) {
      throw new Error("/board is not registered");
    }
    const ruled = (allow: boolean) =>
      world.discord.setCommandPermissions(world.guild, command, [{ id: grace.id, kind: 2, allow }]);
    ruled(false);
    expect((await grace.click(notice, "Try again")).text).toMatch(/can use `\/board`/);
    ruled(true);
    expect((await grace.click(notice, "Try again")).text).toMatch(/\*\*Send Messages\*\*/);
    trains.overwrites.pop();
    const repaired = await grace.click(notice, "Try again");
    expect(repaired.message.id).toBe(notice.id);
    expect(repaired.text).toMatch(/is running again in/);
    await world.clock.advance(10 * MINUTE_MS);
    await world.bot.tick();
    expect(world.member("Mary").messages(trains)).toHaveLength(1);
    const card = await openCard(world, grace);
    expect(card.text).toMatch(/shown\n[^\n]*17:\d\d–17:\d\d · paused, because I can't post in its channel/);
    const list = await grace.slash(trains, "board list");
    const week = await grace.click(list.message, "Last 7 days");
    expect(week.text).toMatch(/1 board, shown 1 time as planned\.[^]*paused, because I can't post/);
    expect((await grace.click(week.message, "All boards")).text).toContain("Boards (1)");
  });
});
