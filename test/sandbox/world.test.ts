import { describe, expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";

const commandsDir = new URL("../fixtures/commands/", import.meta.url);

describe("a world", () => {
  it("is the same for the same seed, whatever the machine's time", async () => {
    const readIds = async () => {
      await using world = await openWorld({ bot: "none", seed: 7 });
      const ada = world.member("Ada");
      const said = await ada.say(world.channels.general, "hello");
      return [said.id, world.guild.id, world.discord.token, world.clock.now()];
    };
    expect(await readIds()).toEqual(await readIds());
  });

  it.each(["inside", "process"] as const)(
    "runs the real bot (%s), which ticks on demand and can be killed and started again",
    async (bot) => {
      await using world = await openWorld({ bot });
      const ada = world.member("Ada");
      expect(world.bot.isRunning).toBe(true);
      const first = await ada.slash(world.channels.trains, "about");
      expect(first.kind).toBe("message");
      await world.tick();
      await Promise.all([world.bot.tick(), world.bot.tick()]);
      await world.bot.kill();
      expect(world.bot.isRunning).toBe(false);
      await expect(world.tick()).rejects.toThrow("is not running");
      await world.bot.start();
      await world.tick();
      const second = await ada.slash(world.channels.trains, "about");
      expect(second.message.id).not.toBe(first.message.id);
      expect(world.transcript(world.channels.trains).length).toBeGreaterThan(1);
      expect(world.discord.unknownRoutes).toEqual([]);
      expect(world.discord.bugs).toEqual([]);
    },
  );

  it("has a bot process that can be stopped while it starts, and started while it stops", async () => {
    await using world = await openWorld({ bot: "process", startsBot: false, commandsDir });
    const { bot } = world;
    const first = bot.start().catch((error: unknown) => error);
    await bot.stop();
    expect(await first).toEqual(new Error("the bot's process ended while starting"));
    expect([bot.status.phase, bot.pid]).toEqual(["stopped", undefined]);
    await bot.start();
    const stopping = bot.stop();
    await bot.start();
    await stopping;
    expect([bot.status.phase, bot.isRunning, bot.status.starts]).toEqual(["ready", true, 3]);
  });

  it("says why the bot cannot start", async () => {
    await expect(openWorld({ env: { LOG_LEVEL: "shouting" } })).rejects.toThrow("LOG_LEVEL");
    await expect(openWorld({ bot: "process", env: { LOG_LEVEL: "shouting" } })).rejects.toThrow("LOG_LEVEL");
  });

  it("writes no token or key into the bot's log or the record of its requests", async () => {
    await using world = await openWorld({ env: { LOG_LEVEL: "trace" } });
    const ask = (station: string) =>
      world.member("Ada").slash(world.channels.trains, "departures", { station });
    await ask("YRK");
    world.transport.faults.add({ path: /live/, do: "401" });
    await ask("LDS");
    expect(world.transport.ledger.map(({ status }) => status)).toContain(401);
    const all = JSON.stringify([world.discord.requests, world.bot.log]);
    expect(world.discord.requests.length).toBeGreaterThan(0);
    expect(all).not.toContain(world.discord.token);
    expect(all).not.toContain(world.transport.appKey);
  });
});
