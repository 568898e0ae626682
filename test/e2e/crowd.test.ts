// Many people at once: one crowd does not slow down another, and the number of running commands is limited.
import { expect, it } from "vitest";
import { gate } from "../fixtures/gate.ts";
import { openCheckedWorld } from "../support/checked-world.ts";

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const env = { TRANSPORT_APP_ID: "", TRANSPORT_APP_KEY: "" };

it("answers one server while 300 commands of another are still running", async () => {
  await using world = await openCheckedWorld({ commandsDir, env });
  const mary = world.member("Mary");
  const elsewhere = world.discord.addGuild({ name: "Elsewhere", memberIds: [mary.id] });
  const [channel = world.discord.addChannel(elsewhere, "lounge", 0)] = elsewhere.channels.values();
  const ada = world.member("Ada");
  const waiting = Array.from({ length: 300 }, () =>
    ada.slash(world.channels.general, "slow", { gate: "crowd" }),
  );
  expect((await mary.slash(channel, "fast", { text: "hello" })).text).toContain("hello");
  gate("crowd").open();
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ message }) => message.id)).size).toBe(300);
  expect(answers.every(({ text }) => text.includes("Done"))).toBe(true);
});

it("answers “very busy” while 1,000 commands are running, then recovers", async () => {
  await using world = await openCheckedWorld({ commandsDir, env });
  const ada = world.member("Ada");
  const channel = world.channels.general;
  const crowd = Array.from({ length: 1_010 }, () => ada.slash(channel, "slow", { gate: "flood" }));
  const turnedAway = await Promise.race(crowd);
  expect(turnedAway.text).toMatch(/very busy .* try again in a moment/);
  expect(turnedAway.message.ephemeral).toBe(true);
  gate("flood").open();
  const texts = (await Promise.all(crowd)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes("Done"))).toHaveLength(1_000);
  expect((await ada.slash(channel, "fast", { text: "again" })).text).toContain("again");
});
