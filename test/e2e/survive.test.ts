// Unexpected payloads and broken connections: the bot logs them and continues.
import { describe, expect, it } from "vitest";
import { openWorld, type World } from "../../sandbox/world.ts";

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const open = () => openWorld({ commandsDir });

/** The bot's answer to the next command. */
async function nextAnswer(world: World): Promise<string> {
  const answer = await world.member("Ada").slash(world.channels.general, "fast", { text: "still here" });
  return answer.text;
}

const PAYLOADS: readonly (readonly [string, unknown])[] = [
  ["GUILD_CREATE", null],
  ["GUILD_CREATE", { id: 5 }],
  ["GUILD_DELETE", null],
  ["MESSAGE_CREATE", null],
  ["MESSAGE_CREATE", { author: null }],
  ["CHANNEL_UPDATE", {}],
  ["GUILD_ROLE_UPDATE", { guild_id: "1" }],
  ["GUILD_MEMBER_UPDATE", "text"],
  ["APPLICATION_COMMAND_PERMISSIONS_UPDATE", null],
  ["INTERACTION_CREATE", null],
  ["INTERACTION_CREATE", { id: "1", token: "t", type: 99 }],
  ["INTERACTION_CREATE", { id: "1", token: "t", type: 2, application_id: "2", data: { type: 1 } }],
  ["SOMETHING_NEW", { any: "thing" }],
];

describe("an unexpected gateway payload", () => {
  it.each(PAYLOADS)("%s %j does no harm", async (name, data) => {
    await using world = await open();
    world.discord.gateway.dispatch(name, world.guild.id, data);
    expect(await nextAnswer(world)).toContain("still here");
  });

  it("is logged", async () => {
    await using world = await open();
    world.discord.gateway.dispatch("GUILD_ROLE_UPDATE", world.guild.id, null);
    world.discord.gateway.dispatch("INTERACTION_CREATE", world.guild.id, { type: 99 });
    expect(await nextAnswer(world)).toContain("still here");
    const errors = world.bot.log.filter((line) => line.includes('"level":"error"'));
    expect(errors.join("\n")).toMatch(/gateway payload/);
    expect(errors.join("\n")).toMatch(/interaction of unknown shape/);
  });
});

describe("a connection that breaks", () => {
  it("is resumed, and the next command works", async () => {
    await using world = await open();
    world.discord.gateway.dropSockets();
    expect(await nextAnswer(world)).toContain("still here");
  });
});
