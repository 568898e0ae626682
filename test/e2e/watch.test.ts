// Watches that people create: the real bot, logged in to the local Discord.
import { describe, expect, it } from "vitest";
import { COMPONENT_TYPES } from "../../sandbox/discord/component-types.ts";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

/** A Wednesday morning, before the watched trains leave. */
const MORNING = "2026-11-18T07:30:00Z";
/** From York to Liverpool via Leeds. */
const TRAIN = { station: "York", time: "8:16", to: "Leeds" };

/** The values of a message's menu. */
function valuesOf({ components }: SeenMessage): readonly string[] {
  const menu = [...walkComponents(components)].find(({ type }) => type === COMPONENT_TYPES.stringSelect);
  const options: unknown = menu?.["options"];
  return Array.isArray(options) ? options.map((option) => String(option?.value)) : [];
}

/** The texts of the bot's direct messages to somebody. */
function told(member: Member): readonly string[] {
  return member.messages(member.dm()).map(({ text }) => text);
}

/** Asks to watch the 08:16 and saves the watch. Returns the confirmation. */
async function watchTrain(
  world: World,
  member: Member,
  options: Readonly<Record<string, string | number | boolean>> = {},
): Promise<SeenMessage> {
  const asked = await member.slash(world.channels.trains, "watch train", { ...TRAIN, ...options });
  return (await member.click(asked.message, "Save")).message;
}

async function listed(world: World, member: Member): Promise<string> {
  return (await member.slash(world.channels.trains, "watch list")).text;
}

/** Opens a train of a board. Returns its card. */
async function openTrain(world: World, member: Member, place: string): Promise<SeenMessage> {
  const board = await member.slash(world.channels.trains, "departures", { station: "York", view: "text" });
  const opened = await member.select(board.message, "Open a train…", [place]);
  return opened.message;
}

describe("/watch train", () => {
  it("previews the train for the member alone, saves the watch, and sends a first DM", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    const asked = await mary.slash(world.channels.trains, "watch train", { ...TRAIN, delay: 10 });
    expect(asked.message.ephemeral).toBe(true);
    expect(asked.text.split("\n")).toEqual([
      "### Watch 08:16 York → Leeds, Wed 18 Nov?",
      "I'll DM you if it's cancelled, replaced by a bus, moved to another platform or at least 10 minutes late, and say so when it recovers. I check from 60 minutes before it leaves. I'll ping you once, and again if it's then cancelled, or moved to another platform shortly before it leaves. I'll add other news to my message quietly.",
      "-# Not saved yet. This preview expires in an hour.",
    ]);
    expect(await listed(world, mary)).toMatch(/You're not watching anything yet/);

    const saved = await mary.click(asked.message, "Save");
    expect(saved.message.id).toBe(asked.message.id);
    expect(saved.text).toBe(
      "Watching **08:16 York → Leeds, Wed 18 Nov**. I'll DM you if something goes wrong.",
    );
    expect(told(mary)).toEqual([
      "🔔 Updates on **08:16 York → Leeds, Wed 18 Nov** will appear here. No news is good news.",
    ]);
    expect(mary.messages(mary.dm())[0]?.pings).toEqual([]);
    expect(await listed(world, mary)).toMatch(/Your watches \(1\)\n[^]*08:16 York → Leeds[^]*direct message/);
    // Nobody else has seen any of it.
    expect(world.transcript(world.channels.trains)).toEqual([]);
  });

  it("asks which train is meant if there are several", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    const options = { ...TRAIN, time: "08:29", lead: 30 };
    const asked = await mary.slash(world.channels.trains, "watch train", options);
    expect(asked.text).toMatch(/Which train do you mean\?\nYork → Leeds around 08:29, Wed 18 Nov/);
    expect(valuesOf(asked.message)).toHaveLength(2);
    const chosen = await mary.select(asked.message, "Pick a train…", ["08:29 Manchester Victoria"]);
    expect(chosen.message.id).toBe(asked.message.id);
    expect(chosen.text).toMatch(/Watch 08:29 York → Leeds[^]*I check from 30 minutes before/);
    expect((await mary.click(chosen.message, "Discard")).text).toBe("Discarded. Nothing was saved.");
    expect(await listed(world, mary)).toMatch(/You're not watching anything yet/);
  });

  it("finds trains around an inexact time, and those of another day in the timetable", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    const around = await mary.slash(world.channels.trains, "watch train", { ...TRAIN, time: "08:10" });
    expect(valuesOf(around.message).map((value) => value.split("~").at(-1))).toContain("Plymouth");
    const saturday = { station: "York", to: "Leeds", time: "10:00", date: "Saturday" };
    const other = await mary.slash(world.channels.trains, "watch train", saturday);
    expect(other.text).toMatch(/Sat 21 Nov/);
    const far = { ...saturday, date: "2026-12-10" };
    expect((await mary.slash(world.channels.trains, "watch train", far)).text).toMatch(/next 7 days/);
  });

  it("says whether it pings, which it does in a channel only if asked to", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const ask = (name: string, more: object) =>
      world.member(name).slash(world.channels.trains, "watch train", { ...TRAIN, ...more });
    expect((await ask("Mary", { ping: false })).text).toContain("My message comes without a notification.");
    expect((await ask("Ada", { where: "here" })).text).toContain("I won't ping anyone.");
    expect((await ask("Ada", { where: "here", ping: true })).text).toContain("I'll ping <@");
  });

  it("says how often it can check if the plan is small", async () => {
    await using world = await openCheckedWorld({ at: MORNING, env: { TRANSPORT_BUDGET: "3/hour" } });
    const asked = await world.member("Mary").slash(world.channels.trains, "watch train", TRAIN);
    expect(asked.text).toMatch(
      /\n⚠️ This bot's train data is limited: this watch would get new times about every 3\d minutes\.\n/,
    );
  });

  it("says if no train leaves at that time", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const options = { station: "York", to: "Penzance", time: "03:00" };
    const asked = await world.member("Mary").slash(world.channels.trains, "watch train", options);
    expect(asked.text).toMatch(
      /^I couldn't find a train that leaves York around 03:00, Thu 19 Nov and calls at Penz/,
    );
  });

  it("no longer promises alerts once its owner's data is erased", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    await watchTrain(world, mary);
    const question = await mary.slash(world.channels.trains, "privacy erase");
    expect(question.text).toContain("Your watches stop");
    expect((await mary.click(question.message, "Erase everything")).text).toMatch(/^Done\./);
    await expect
      .poll(() => told(mary))
      .toEqual(["🔕 I've erased this watch with your other data. It won't alert you any more."]);
    expect(await listed(world, mary)).toMatch(/You're not watching anything yet/);
  });

  it("says that a train is already watched, and updates its settings", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    await watchTrain(world, mary);
    const asked = await mary.slash(world.channels.trains, "watch train", { ...TRAIN, delay: 30 });
    expect(asked.text).toContain(
      "\nYou already watch this. If you save, these settings replace the old ones.\n",
    );
    await mary.click(asked.message, "Save");
    const list = await mary.slash(world.channels.trains, "watch list");
    expect(list.text).toMatch(/Your watches \(1\)\n/);
    const card = await mary.select(list.message, "Open a watch…", valuesOf(list.message));
    expect(card.text).toMatch(/at least 30 minutes late/);
    expect(told(mary)).toHaveLength(1);
  });

  it("is refused to a member who accepts no direct messages, and saved once they do", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    world.discord.setDirectMessages("Mary", false);
    const asked = await mary.slash(world.channels.trains, "watch train", TRAIN);
    const refused = await mary.click(asked.message, "Save");
    expect(refused.text).toMatch(/^I can't send you/);
    expect(await listed(world, mary)).toMatch(/You're not watching anything yet/);
    world.discord.setDirectMessages("Mary", true);
    expect((await mary.click(asked.message, "Save")).text).toMatch(/^Watching/);
  });
});

describe("/watch commute", () => {
  it("watches given hours on certain days, weekdays by default", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    const way = { from: "York", to: "Leeds", hours: "7 to 9:30" };
    const asked = await mary.slash(world.channels.trains, "watch commute", way);
    expect(asked.text).toMatch(
      /^### Watch York → Leeds, 07:00–09:30, Monday to Friday\?\n.*a direct train in those hours/,
    );
    expect((await mary.click(asked.message, "Save")).text).toMatch(/^Watching \*\*York → Leeds/);
    const other = await mary.slash(world.channels.trains, "watch commute", { ...way, days: "Mon, Wed" });
    expect(other.text).toMatch(/07:00–09:30, Mondays and Wednesdays/);
    expect(other.text).not.toContain("direct train from");
    const changing = await mary.slash(world.channels.trains, "watch commute", { ...way, to: "Brighton" });
    expect(changing.text).toMatch(
      /can't find a direct train from York to Brighton .* on Thu 19 Nov, so I may/,
    );
  });

  it.each([
    ["the whole day", { hours: "all day" }, /whole day/],
    ["a period that is too long", { hours: "06:00-18:00" }, /up to 6 hours/],
    ["hours that cannot be read", { hours: "soon" }, /07:00-09:30/],
    ["the same station", { to: "YRK" }, /Both stations are York/],
  ])("refuses %s and says what to do", async (_, changed, reason) => {
    await using world = await openCheckedWorld({ at: MORNING });
    const options = { from: "York", to: "Leeds", hours: "07:00-09:30", ...changed };
    const asked = await world.member("Mary").slash(world.channels.trains, "watch commute", options);
    expect(asked.text).toMatch(reason);
    expect(() => asked.button("Save")).toThrow("no button Save");
  });
});

describe("a watch for a channel", () => {
  it("needs the permission to manage the server, and everybody with it can stop the watch", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    const grace = world.member("Grace");
    const ada = world.member("Ada");
    const here = { ...TRAIN, where: "here" };
    const refused = await mary.slash(world.channels.trains, "watch train", here);
    expect(refused.text).toMatch(/people who manage the server/);
    expect((await watchTrain(world, grace, here)).text).toMatch(/I'll post in <#\d+>/);
    expect(told(grace)).toEqual([]);
    expect(await listed(world, mary)).toMatch(/You're not watching anything yet/);
    const list = await ada.slash(world.channels.trains, "watch list");
    expect(list.text).toMatch(/Other people's watches in this server's channels \(1\)[^]*by <@/);
    const card = await ada.select(list.message, "Open a watch…", valuesOf(list.message));
    expect((await ada.click(card.message, "Pause")).text).toMatch(/^Paused/);
    expect((await ada.click(card.message, "Resume")).text).toMatch(/watching it again/);
    // An owner who no longer manages the server has no say.
    world.guild.members.get(grace.id)?.roleIds.splice(0);
    expect((await ada.click(card.message, "Stop")).text).toMatch(/^Stopped/);
    expect(await listed(world, grace)).toMatch(/You're not watching anything yet/);
  });

  it("cannot be resumed by an owner who lost that permission", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const grace = world.member("Grace");
    await watchTrain(world, grace, { where: "here" });
    const list = await grace.slash(world.channels.trains, "watch list");
    const card = await grace.select(list.message, "Open a watch…", valuesOf(list.message));
    world.guild.members.get(grace.id)?.roleIds.splice(0);
    await grace.click(card.message, "Pause");
    expect((await grace.click(card.message, "Resume")).text).toMatch(/people who manage the server/);
  });
});

describe("the Watch button of an open train", () => {
  it("creates one watch with the default settings, even if it is pressed twice", async () => {
    await using world = await openCheckedWorld({ at: "2026-11-18T08:00:00Z" });
    const mary = world.member("Mary");
    const card = await openTrain(world, mary, "08:16 Liverpool Lime Street");
    const [first, second] = await Promise.all([mary.click(card, "Watch"), mary.click(card, "Watch")]);
    expect(first.text).toMatch(
      /^Watching \*\*08:16 York → Liverpool Lime Street, Wed 18 Nov\*\*\..* 5 minutes/,
    );
    expect(first.message.ephemeral).toBe(true);
    expect(first.message.id).not.toBe(card.id);
    expect(second.text).toBe(first.text);
    expect(await listed(world, mary)).toMatch(/Your watches \(1\)\n/);
    expect(told(mary)).toHaveLength(1);

    const form = await mary.click(first.message, "Change");
    const fields = { "Alert me when it's this late (minutes)": "15", "Ping me": ["yes"] };
    const changed = await mary.submit(form, fields);
    expect(changed.text).toMatch(/^Changed\.[^]*15 minutes late[^]*I'll ping you once/);
    const wrong = await mary.submit(await mary.click(changed.message, "Change"), {
      "Alert me when it's this late (minutes)": "500",
      "Ping me": ["no"],
    });
    expect(wrong.text).toMatch(/between 1 and 120 minutes/);
    const again = await mary.click(wrong.message, "Fix it");
    expect(
      (await mary.submit(again, { "Alert me when it's this late (minutes)": "50", "Ping me": ["no"] })).text,
    ).toMatch(/^Changed\.[^]*50 minutes late/);
  });

  it("is missing where the train ends, and refuses once the train has left", async () => {
    await using world = await openCheckedWorld({ at: "2026-11-18T08:00:00Z" });
    const mary = world.member("Mary");
    const card = await openTrain(world, mary, "08:16 Liverpool Lime Street");
    await world.clock.advance(60 * 60_000);
    expect((await mary.click(card, "Watch")).text).toMatch(/has left/);
    const arrivals = await mary.slash(world.channels.trains, "arrivals", { station: "Kings Cross" });
    const ends = await mary.select(arrivals.message, "Open a train…", [valuesOf(arrivals.message)[0] ?? ""]);
    expect(() => ends.button("Watch")).toThrow("no button Watch");
  });
});

describe("in a direct message with the bot", () => {
  it("trains can be watched too, and “here” means the DM", async () => {
    await using world = await openCheckedWorld({ at: MORNING, env: { TRANSPORT_DIALECT: "public" } });
    const mary = world.member("Mary");
    const asked = await mary.slash(mary.dm(), "watch train", { ...TRAIN, where: "here" });
    expect(asked.text).toMatch(/I'll DM you/);
    expect((await mary.click(asked.message, "Save")).text).toMatch(/^Watching/);
    const board = await mary.slash(mary.dm(), "departures", { station: "York", view: "text" });
    const chosen = ["07:35 Liverpool Lime Street"];
    const opened = await mary.select(board.message, "Open a train…", chosen);
    expect((await mary.click(opened.message, "Watch")).text).toMatch(/^Watching \*\*07:35 York → Liverpool/);
    const list = await mary.slash(mary.dm(), "watch list");
    expect(list.text).toMatch(/^### Your watches \(2\)\n/);
  });
});

describe("the buttons of the first direct message", () => {
  it("pause, stop and restore the watch", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    await watchTrain(world, mary);
    const [welcome] = mary.messages(mary.dm());
    if (!welcome) {
      throw new Error("no direct message was sent");
    }
    const paused = await mary.click(welcome, "Pause");
    expect(paused.message.id).not.toBe(welcome.id);
    expect(paused.text).toMatch(/^Paused\.[^]*⏸️ Paused/);
    expect((await mary.click(paused.message, "Resume")).text).toMatch(/^I'm watching it again/);
    expect((await mary.click(welcome, "Stop")).text).toMatch(/^Stopped\. No more alerts for \*\*08:16 York/);
    expect(mary.messages(mary.dm())[0]?.text).toMatch(/^🔕 Stopped: no more alerts for \*\*08:16 York/);
    const [over] = mary.messages(mary.dm());
    expect((await mary.click(over ?? welcome, "Undo")).text).toMatch(/^It's back\./);
    expect(mary.messages(mary.dm())[0]?.text).toBe(welcome.text);
  });
});

describe("/watch remove", () => {
  it("stops several watches at once", async () => {
    await using world = await openCheckedWorld({ at: MORNING });
    const mary = world.member("Mary");
    await watchTrain(world, mary);
    await watchTrain(world, mary, { time: "07:50" });
    const asked = await mary.slash(world.channels.trains, "watch remove");
    const removed = await mary.select(asked.message, "Stop…", valuesOf(asked.message));
    expect(removed.text).toMatch(/^Stopped\. No more alerts for these:\n\*\*0.*\n\*\*0/);
    expect((await mary.slash(world.channels.trains, "watch remove")).text).toMatch(
      /You're not watching anything yet/,
    );
  });
});
