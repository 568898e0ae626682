// The dispatcher in the real bot, with fixture commands and members in the local Discord.
import { describe, expect, it } from "vitest";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { gate } from "../fixtures/gate.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { advanceUntil, until } from "../support/until.ts";

reportChecks();

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
/** Without train data: the fixture command that needs it must stay unregistered. */
const env = { TRANSPORT_APP_ID: "", TRANSPORT_APP_KEY: "" };
const open = (options: WorldOptions = {}) => openCheckedWorld({ commandsDir, env, ...options });

const DEFER_AFTER_MS = 1_500;
const CALLBACK = /\/callback$/;
const KINDS: Readonly<Record<number, string>> = {
  4: "message",
  5: "defer",
  6: "defer-update",
  7: "update",
  8: "choices",
  9: "modal",
};

/** The bot's requests that answer interactions, e.g. `defer`, `PATCH @original`, `follow-up`. */
function answersIn(world: World, since = 0): readonly string[] {
  return world.discord.requests.slice(since).flatMap(({ method, path, body }) => {
    if (CALLBACK.test(path)) {
      return [KINDS[Number(Object(body).type)] ?? "?"];
    }
    if (!path.startsWith("/webhooks/")) {
      return [];
    }
    return [path.includes("original") ? `${method} @original` : "follow-up"];
  });
}

const untilHeld = (name: string) => until(() => gate(name).report !== undefined);

describe("a command that answers at once", () => {
  it("is answered with one request", async () => {
    await using world = await open();
    const answer = await world
      .member("Ada")
      .slash(world.channels.general, "fast", { text: "hello @everyone" });
    expect(answer.text).toContain("You said: hello @everyone");
    expect(answer.message.ephemeral).toBe(false);
    expect(answer.message.pings).toEqual([]);
    expect(answersIn(world)).toEqual(["message"]);
  });

  it("is not offered if a service that it needs is not configured", async () => {
    await using world = await open();
    const names = world
      .member("Ada")
      .commands(world.channels.general)
      .map(({ name }) => name);
    expect(names).toContain("fast");
    expect(names).not.toContain("unavailable");
  });

  it("gets attachments, channels and numbers as values, and sends files within the size limit", async () => {
    await using world = await open({ settings: { attachmentSizeLimitBytes: 1_000 } });
    const ada = world.member("Ada");
    const file = { name: "notes.txt", bytes: new Uint8Array(5) };
    const small = await ada.slash(world.channels.general, "files", { file, channel: world.channels.trains });
    expect(small.text).toContain("notes.txt, 5 bytes, for trains");
    expect(small.message.attachments).toMatchObject([
      { filename: "answer.png", size: 10, description: "Nothing much" },
    ]);
    const large = await ada.slash(world.channels.general, "files", { file, size: 1_001 });
    expect(large.message.attachments).toEqual([]);
    expect(large.text).toMatch(/missing/);
  });

  it("can be a subcommand in a folder, and works in direct messages", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const sum = await ada.slash(world.channels.general, "tools add", { a: 2, b: 0.5 });
    expect(sum.text).toBe("Sum: 2.5");
    const moderators = [...world.guild.roles.values()].find(({ name }) => name === "Moderator")?.id ?? "";
    const grace = world.member("Grace");
    const role = await grace.slash(world.channels.general, "tools deep role", { role: moderators });
    expect(role.text).toBe("Moderator; yours");
    expect((await grace.click(role.message, "Again")).text).toBe("1 roles");
    const direct = await ada.slash(ada.dm(), "fast", { text: "in private" });
    expect(direct.text).toContain("in private");
  });

  it("can be in a message's menu, and its private reply is shown to the caller alone", async () => {
    await using world = await open();
    const alan = world.member("Alan");
    const message = await world
      .member("Ada")
      .attach(world.channels.general, "", [{ name: "a.txt", bytes: new Uint8Array(1) }]);
    const answer = await alan.menu(message, "Count letters");
    expect(answer.text).toBe("0 letters, 1 attachments");
    expect(answer.message.ephemeral).toBe(true);
  });
});

describe("a slow command", () => {
  it("is deferred after 1.5 seconds, then answered by an edit", async () => {
    await using world = await open();
    const answering = world.member("Ada").slash(world.channels.general, "slow", { gate: "announced" });
    await untilHeld("announced");
    await world.clock.advance(DEFER_AFTER_MS - 1);
    expect(answersIn(world)).toEqual([]);
    await world.clock.advance(1);
    await until(() => answersIn(world).length === 1);
    gate("announced").open();
    const answer = await answering;
    expect(answer.text).toBe("Done");
    expect(answersIn(world)).toEqual(["defer", "PATCH @original"]);
  });

  it("replaces its public deferral with a private answer", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const answering = ada.slash(world.channels.general, "slow", { gate: "secret", ending: "private" });
    await untilHeld("secret");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    gate("secret").open();
    await answering;
    const answer = await privateAnswer(world);
    expect(answer.text).toBe("Done, between us");
    await until(() => answersIn(world).length === 4);
    expect(answersIn(world)).toEqual(["defer", "PATCH @original", "follow-up", "DELETE @original"]);
    expect(world.member("Alan").messages(world.channels.general)).toEqual([]);
  });

  it("reports a failure to the caller alone, and leaves nothing behind in the channel", async () => {
    await using world = await open();
    const answering = world
      .member("Ada")
      .slash(world.channels.general, "slow", { gate: "mistaken", ending: "mistake" });
    await untilHeld("mistaken");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    gate("mistaken").open();
    await answering;
    const answer = await privateAnswer(world);
    expect(answer.text).toBe("Please say it differently.");
    await until(() => answersIn(world).length === 4);
    expect(world.member("Alan").messages(world.channels.general)).toEqual([]);
  });

  it.each([
    [false, "Quietly done"],
    [true, "Quietly wrong."],
  ])("stays private if its definition says so (failing: %s)", async (fail, text) => {
    await using world = await open();
    const name = `quiet ${fail}`;
    const answering = world.member("Ada").slash(world.channels.general, "quiet", { gate: name, fail });
    await untilHeld(name);
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    gate(name).open();
    const answer = await answering;
    expect(answer.text).toBe(text);
    expect(answer.message.ephemeral).toBe(true);
    expect(answersIn(world)).toEqual(["defer", "PATCH @original"]);
  });

  it("shows progress at most every two seconds", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const answering = ada.slash(world.channels.general, "slow", { gate: "progress" });
    await untilHeld("progress");
    gate("progress").report?.("Reading");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 2);
    expect((await answering).text).toBe("Reading");
    gate("progress").report?.("25 % · 1.0 of 4.0 MB");
    gate("progress").report?.("50 % · 2.0 of 4.0 MB");
    await world.clock.advance(1_999);
    expect(answersIn(world)).toHaveLength(2);
    await world.clock.advance(1);
    await until(() => answersIn(world).length === 3);
    await ada.waitForMessage(world.channels.general, ({ text }) => text.includes("50 %"));
    gate("progress").open();
    await ada.waitForMessage(world.channels.general, ({ text }) => text === "Done");
    expect(answersIn(world)).toEqual(["defer", "PATCH @original", "PATCH @original", "PATCH @original"]);
  });

  it("cannot open a form after its deferral, and says so", async () => {
    await using world = await open();
    const answering = world
      .member("Ada")
      .slash(world.channels.general, "slow", { gate: "late form", ending: "form" });
    await untilHeld("late form");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    gate("late form").open();
    await answering;
    expect((await privateAnswer(world)).text).toMatch(/too long/);
  });
});

/** Waits for the message that only Ada sees. */
function privateAnswer(world: World) {
  return world.member("Ada").waitForMessage(world.channels.general, ({ ephemeral }) => ephemeral);
}

describe("a command that fails", () => {
  it.each([
    ["user", /^There is no such station\.$/],
    ["service", /^The train data service took too long/],
    ["bug", /reference `\d{17,}`/],
  ])("says so to the caller alone (%s), and the next one works", async (how, sentence) => {
    await using world = await open();
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.general, "failing", { how });
    expect(answer.text).toMatch(sentence);
    expect(answer.text).not.toMatch(/secret|https?:|undefined/);
    expect(answer.message.ephemeral).toBe(true);
    expect((await ada.slash(world.channels.general, "fast", { text: "still here" })).text).toContain(
      "still here",
    );
  });

  it("logs a bug with its stack under the reference that was shown", async () => {
    await using world = await open();
    const answer = await world.member("Ada").slash(world.channels.general, "failing", { how: "bug" });
    const reference = /`(\d+)`/.exec(answer.text)?.[1] ?? "no reference";
    const line = world.bot.log.find((each) => each.includes(`"interaction":"${reference}"`));
    expect(line).toContain("undefined is not a train");
    expect(line).toContain("failing.ts");
  });
});

describe("components", () => {
  it("edit their message, or answer with a new one if their definition says so", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    const shouted = await ada.click(asked.message, "Shout");
    expect(shouted.message.id).toBe(asked.message.id);
    expect(shouted.text).toContain("HELLO");
    const whispered = await world.member("Alan").click(shouted.message, "Whisper");
    expect(whispered.message.ephemeral).toBe(true);
    expect(whispered.text).toBe("HELLO");
    expect(answersIn(world)).toEqual(["message", "update", "message"]);
  });

  it("show a private answer to the presser alone, even if they otherwise edit their message", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    const confided = await world.member("Alan").click(asked.message, "Confide");
    expect(confided.text).toBe("Between us: hello");
    expect(confided.message.ephemeral).toBe(true);
    expect(ada.look(asked.message)?.text).toBe(asked.text);
    expect(ada.messages(world.channels.general)).toHaveLength(1);
  });

  it("pass on the values chosen in a menu", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    expect((await ada.select(asked.message, "Pick", ["1", "2"])).text).toBe("Picked 1 and 2");
  });

  it("report a failure to the presser alone, and leave the message unchanged", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    const failed = await ada.click(asked.message, "Fail");
    expect(failed.message.ephemeral).toBe(true);
    expect(failed.text).toMatch(/reference/);
    expect(ada.look(asked.message)?.text).toBe(asked.text);
  });

  it("work after a restart", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    await world.bot.stop();
    await world.bot.start();
    expect((await ada.click(asked.message, "Shout")).text).toContain("HELLO");
  });

  it("of an older version are answered with a friendly sentence", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "tools add", { a: 1 });
    for (const label of ["Old", "Gone"]) {
      const answer = await ada.click(asked.message, label);
      expect(answer.text).toMatch(/older version of me/);
      expect(answer.message.ephemeral).toBe(true);
    }
    expect(ada.look(asked.message)?.text).toBe("Sum: 1");
  });

  it("that are slow defer invisibly, then edit their message", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    gate("pressed").open();
    const asked = await ada.slash(world.channels.general, "slow", { gate: "pressed" });
    const since = world.discord.requests.length;
    const pressing = ada.click(asked.message, "Again");
    await untilHeld("pressed again");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world, since).length === 1);
    gate("pressed again").open();
    const pressed = await pressing;
    await ada.waitForMessage(world.channels.general, ({ text }) => text === "Done again");
    expect(pressed.message.id).toBe(asked.message.id);
    expect(answersIn(world, since)).toEqual(["defer-update", "PATCH @original"]);
  });

  it("that fail after showing progress restore their message", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    gate("mistake").open();
    const asked = await ada.slash(world.channels.general, "slow", { gate: "mistake" });
    const pressing = ada.click(asked.message, "Again");
    await untilHeld("mistake again");
    gate("mistake again").report?.("Half way");
    await world.clock.advance(DEFER_AFTER_MS);
    await ada.waitForMessage(world.channels.general, ({ text }) => text === "Done\nHalf way");
    gate("mistake again").open();
    await ada.waitForMessage(
      world.channels.general,
      ({ text, ephemeral }) => ephemeral && text === "Not again.",
    );
    await pressing;
    expect(ada.look(asked.message)?.components).toEqual(asked.message.components);
  });
});

describe("a restricted component", () => {
  it("refuses members who may not use its command, and serves the others", async () => {
    await using world = await open();
    const asked = await world.member("Ada").slash(world.channels.general, "tools add", { a: 1 });
    const refused = await world.member("Alan").click(asked.message, "One more");
    expect(refused.message.ephemeral).toBe(true);
    expect(refused.text).toMatch(/don't have permission/);
    expect((await world.member("Ada").click(asked.message, "One more")).text).toBe("Sum: 2");
  });

  it("is just as restricted in a file without a command", async () => {
    await using world = await open();
    const asked = await world.member("Ada").slash(world.channels.general, "tools add", { a: 1 });
    const refused = await world.member("Alan").click(asked.message, "From nothing");
    expect(refused.message.ephemeral).toBe(true);
    expect(refused.text).toMatch(/don't have permission/);
    expect((await world.member("Ada").click(asked.message, "From nothing")).text).toBe("Sum: 0");
  });

  it("serves everyone if its definition says so", async () => {
    await using world = await open();
    const asked = await world.member("Ada").slash(world.channels.general, "tools add", { a: 1 });
    expect((await world.member("Alan").click(asked.message, "Look")).text).toBe("Still 1");
  });

  it("follows the server's own command permissions", async () => {
    await using world = await open();
    const alan = world.member("Alan");
    const asked = await world.member("Ada").slash(world.channels.general, "tools add", { a: 1 });
    const tools = [...world.discord.state.commands.values()].find(({ name }) => name === "tools");
    if (tools === undefined) {
      throw new Error("tools is not registered");
    }
    world.discord.setCommandPermissions(world.guild, tools, [{ id: alan.id, kind: 2, allow: true }]);
    expect((await alan.click(asked.message, "One more")).text).toBe("Sum: 2");
  });
});

describe("forms", () => {
  it("open as the first answer, and their fields reach the command", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const opened = await ada.slash(world.channels.general, "form");
    expect(opened.modal.title).toBe("A form");
    const sent = await ada.submit(opened, { question: "When?", colour: ["amber"] });
    expect(sent.text).toBe("From command: When?, amber");
  });

  it("open from a button too, and a field may stay empty", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "fast", { text: "hello" });
    const opened = await ada.click(asked.message, "Ask");
    const sent = await ada.submit(opened, { question: "Why?" });
    expect(sent.text).toBe("From elsewhere: Why?, none");
  });

  it("accept any text, even one that is a property name in JavaScript", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const opened = await ada.slash(world.channels.general, "form");
    const sent = await ada.submit(opened, { question: "constructor", colour: ["green"] });
    expect(sent.text).toBe("From command: constructor, green");
  });
});

describe("autocomplete", () => {
  it("suggests at most 25 choices, and gets the other options as typed", async () => {
    await using world = await open();
    const choices = await world
      .member("Ada")
      .complete(world.channels.general, "fast", { text: "yo", broken: "x" }, "text");
    expect(choices).toHaveLength(25);
    expect(choices[0]).toEqual({ name: "yo!", value: "yo!" });
    expect(choices.map(({ value }) => value)).toContain("broken");
    expect(choices.every(({ name }) => name.length <= 100)).toBe(true);
  });

  it("gets the server and the channel", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const { general } = world.channels;
    const valuesIn = async (channel: typeof general) =>
      (await ada.complete(channel, "fast", { place: "" }, "place")).map(({ value }) => value);
    expect(await valuesIn(general)).toEqual([world.guild.id, general.id]);
    expect(await valuesIn(ada.dm())).toEqual(["no server", ada.dm().id]);
  });

  it("returns an empty list if it fails", async () => {
    await using world = await open();
    const choices = await world
      .member("Ada")
      .complete(world.channels.general, "fast", { broken: "x" }, "broken");
    expect(choices).toEqual([]);
  });
});

describe("an answer while Discord fails", () => {
  it("counts as sent if a retry finds that Discord already has it", async () => {
    await using world = await open();
    world.discord.faults.add({ method: "POST", path: CALLBACK, do: "500-after", times: 1 });
    const answer = await world.member("Ada").slash(world.channels.general, "fast", { text: "hello" });
    expect(answer.text).toContain("hello");
    expect(world.bot.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it("arrives after two errors of Discord's", async () => {
    await using world = await open();
    const fault = world.discord.faults.add({ method: "POST", path: CALLBACK, do: "500", times: 2 });
    const answering = world.member("Ada").slash(world.channels.general, "fast", { text: "hello" });
    expect((await advanceUntil(world, answering)).text).toContain("hello");
    expect(fault.hits).toBe(2);
  });

  it.each(["500-after", "drop-after", "drop", "malformed", "truncated"] as const)(
    "arrives exactly once despite the fault %s",
    async (fault) => {
      await using world = await open();
      world.discord.faults.add({ method: "POST", path: CALLBACK, do: fault });
      const answer = await world.member("Ada").slash(world.channels.general, "fast", { text: "hello" });
      expect(answer.text).toContain("hello");
      await until(() => world.discord.requests.every(({ status, fault: met }) => status ?? met));
      expect(world.member("Ada").messages(world.channels.general)).toHaveLength(1);
    },
  );

  it.each(["hang", "hang-after"] as const)(
    "arrives once without waiting for a request that hangs: %s",
    async (fault) => {
      await using world = await open();
      const hung = world.discord.faults.add({ method: "POST", path: CALLBACK, do: fault });
      const answering = world.member("Ada").slash(world.channels.general, "fast", { text: "hello" });
      await until(() => hung.hits === 1);
      await new Promise((resolve) => setImmediate(resolve));
      await world.clock.advance(700);
      expect((await answering).text).toContain("hello");
      expect(world.member("Ada").messages(world.channels.general)).toHaveLength(1);
    },
  );

  it.each(["500", "500-after", "drop-after"] as const)(
    "is shown publicly if its private message may not have arrived: %s",
    async (fault) => {
      await using world = await open();
      const ada = world.member("Ada");
      const gateName = `ephemeralMessage ${fault}`;
      const answering = ada.slash(world.channels.general, "slow", { gate: gateName, ending: "mistake" });
      await untilHeld(gateName);
      await world.clock.advance(DEFER_AFTER_MS);
      await until(() => answersIn(world).length === 1);
      world.discord.faults.add({ method: "POST", path: "/webhooks/:a/:t", do: fault });
      gate(gateName).open();
      const { message } = await answering;
      await until(() => ada.look(message)?.text === "Please say it differently.");
      expect(ada.messages(world.channels.general).length).toBe(fault === "500" ? 1 : 2);
    },
  );

  it("is sent once if the gateway delivers the interaction twice", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    world.discord.gateway.faults.add({ event: "INTERACTION_CREATE", do: "duplicate" });
    const asking = ada.slash(world.channels.general, "slow", { gate: "twice", ending: "mistake" });
    await untilHeld("twice");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    gate("twice").open();
    await asking;
    expect((await privateAnswer(world)).text).toBe("Please say it differently.");
    expect((await ada.slash(world.channels.general, "fast", { text: "next" })).text).toContain("next");
    await until(() => answersIn(world).includes("DELETE @original"));
    const expected = ["defer", "PATCH @original", "follow-up", "DELETE @original", "message"];
    expect(answersIn(world).toSorted()).toEqual(expected.toSorted());
  });

  it("still arrives after a deferral if Discord fails for some seconds", async () => {
    await using world = await open();
    const ada = world.member("Ada");
    const answering = ada.slash(world.channels.general, "slow", { gate: "patient" });
    await untilHeld("patient");
    await world.clock.advance(DEFER_AFTER_MS);
    await until(() => answersIn(world).length === 1);
    // discord.js makes four attempts at once.
    const fault = world.discord.faults.add({ method: "PATCH", path: /original$/, do: "500", times: 4 });
    gate("patient").open();
    await until(() => fault.hits === 4);
    for (let second = 0; second < 5; second += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await world.clock.advance(1_000);
    }
    expect((await answering).text).toBe("Done");
  });

  it("is sent again without files if Discord refuses them as too large", async () => {
    await using world = await open();
    const file = { name: "notes.txt", bytes: new Uint8Array(5) };
    const answering = world.member("Ada").slash(world.channels.general, "files", { file, gate: "shrinking" });
    await untilHeld("shrinking");
    world.discord.settings.attachmentSizeLimitBytes = 5;
    gate("shrinking").open();
    const answer = await answering;
    expect(answer.message.attachments).toEqual([]);
    expect(answer.text).toMatch(/missing here: Discord didn't accept it/);
  });
});

describe("starting", () => {
  it("registers nothing the second time", async () => {
    await using world = await open();
    const since = world.discord.requests.length;
    await world.bot.stop();
    await world.bot.start();
    const writes = world.discord.requests.slice(since).filter(({ method }) => method !== "GET");
    expect(writes).toEqual([]);
  });

  it("logs an address for inviting the bot", async () => {
    await using world = await open();
    const line = world.bot.log.find((each) => each.includes("Invite: "));
    const url = new URL(/https:\S+/.exec(line ?? "")?.[0] ?? "https://nowhere.invalid");
    expect(url.searchParams.get("scope")).toBe("bot applications.commands");
    expect(BigInt(url.searchParams.get("permissions") ?? "0")).toBeGreaterThan(0n);
  });

  it("logs missing permissions in a server by their names in Discord's settings", async () => {
    await using world = await open();
    await world.bot.stop();
    for (const role of world.guild.roles.values()) {
      role.permissions = 0n;
    }
    await world.bot.start();
    const line = world.bot.log.findLast((each) => each.includes("I lack"));
    expect(line).toContain(`In "${world.guild.name}" I lack: View Channel, Send Messages,`);
  });
});
