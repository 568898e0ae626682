// Starting and stopping the app itself: shards, and answers under way.
import { describe, expect, it, onTestFinished } from "vitest";
import { openWorld, type World } from "../../sandbox/world.ts";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { gate } from "../fixtures/gate.ts";

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const log = createLog({ level: "silent", secrets: [] });

function start(world: World, env: Readonly<Record<string, string>> = {}) {
  return startApp({ config: readConfig({ ...world.env, ...env }), clock: world.clock, log, commandsDir });
}

function writesIn(world: World): readonly string[] {
  return world.discord.requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));
}

/** Waits, in real time, until a fixture command stands at its gate. */
async function held(name: string): Promise<void> {
  while (gate(name).report === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("stopping", () => {
  it("lets answers under way be sent first", async () => {
    await using world = await openWorld({ bot: "none" });
    const app = await start(world);
    const answering = world.member("Ada").slash(world.channels.general, "slow", { gate: "leaving" });
    await held("leaving");
    const stopping = app.stop({ graceMs: 5_000 });
    gate("leaving").open();
    expect((await answering).text).toBe("Done");
    await stopping;
    expect(world.discord.gateway.hasSession(undefined)).toBe(false);
  });

  it("does not wait for them longer than it is told to", async () => {
    await using world = await openWorld({ bot: "none" });
    const app = await start(world);
    const answering = world
      .member("Ada")
      .slash(world.channels.general, "slow", { gate: "never" }, { deadlineMs: 200 })
      .catch(String);
    await held("never");
    const stopping = app.stop({ graceMs: 1_000 });
    await world.clock.advance(1_000);
    await stopping;
    expect(world.discord.gateway.hasSession(undefined)).toBe(false);
    expect(await answering).toMatch(/not been acknowledged/);
  });
});

describe("shards", () => {
  it("are as many as Discord recommends unless the operator says otherwise", async () => {
    await using world = await openWorld({ bot: "none", shards: 2 });
    const app = await start(world);
    expect(world.discord.gateway.sessions.size).toBe(2);
    await app.stop();
  });

  it("other than 0 register nothing", async () => {
    await using world = await openWorld({ bot: "none", shards: 2 });
    const second = await start(world, { SHARDS: "1", SHARD_COUNT: "2" });
    expect(writesIn(world)).toEqual([]);
    const first = await start(world, { SHARDS: "0", SHARD_COUNT: "2" });
    expect(writesIn(world)).toContain("POST");
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe("a machine on British time", () => {
  it("is no matter to the bot: its process keeps UTC, where no hour comes twice", async () => {
    const zone = process.env["TZ"] ?? "UTC";
    onTestFinished(() => void (process.env["TZ"] = zone));
    process.env["TZ"] = "Europe/London";
    const summer = new Date(Date.UTC(2026, 6, 1));
    expect(summer.getTimezoneOffset()).toBe(-60);
    await using world = await openWorld({ bot: "none" });
    const app = await start(world);
    expect(summer.getTimezoneOffset()).toBe(0);
    await app.stop();
  });
});
