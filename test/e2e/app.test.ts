// Starts and stops the app itself, and lets it fail: its answers, shards, connections, token and jobs.
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openWorld, type World } from "../../sandbox/world.ts";
import { startApp, type AppOptions } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { gate } from "../fixtures/gate.ts";
import { findPostgres } from "../support/databases.ts";
import { collectLog } from "../support/collect-log.ts";
import { freePort } from "../support/free-port.ts";
import { startStub } from "../support/stub-server.ts";
import { countStyleRequests, photograph } from "../support/style-world.ts";
import { advanceUntil, advanceWhenIdle, until, watchSettled } from "../support/until.ts";

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const picture = { name: "cat.png", bytes: new Uint8Array(20).fill(1) };
const postgres = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });

function start(
  world: World,
  env: Readonly<Record<string, string>> = {},
  more: Pick<AppOptions, "onFatal"> = {},
) {
  return startApp({
    config: readConfig({ ...world.env, ...env }),
    clock: world.clock,
    log,
    commandsDir,
    ...more,
  });
}

/** Starts the app. `failures` records the reason and the exit code of each fatal failure. */
async function startRecordingFailures(world: World, env: Readonly<Record<string, string>> = {}) {
  const failures: [reason: string, exitCode: number][] = [];
  const app = await start(world, env, { onFatal: (...failure) => failures.push(failure) });
  return { app, failures };
}

function writesIn(world: World): readonly string[] {
  return world.discord.requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));
}

/** Advances the clock until a promise is settled. */
async function untilSettled(world: World, promise: Promise<unknown>): Promise<void> {
  const isSettled = watchSettled(promise);
  await expect.poll(async () => (await world.clock.advance(1_000), isSettled())).toBe(true);
}

/** Waits, in real time, until a fixture command is held at its gate. */
const untilHeld = (name: string) => until(() => gate(name).report !== undefined);

describe("stopping", () => {
  it("sends pending answers first", async () => {
    await using world = await openWorld({ bot: "none" });
    const app = await start(world);
    const answering = world.member("Ada").slash(world.channels.general, "slow", { gate: "leaving" });
    await untilHeld("leaving");
    const stopping = app.stop({ graceMs: 5_000 });
    gate("leaving").open();
    expect((await answering).text).toBe("Done");
    await stopping;
    expect(world.discord.gateway.hasSession(undefined)).toBe(false);
  });

  it("does not wait for pending answers beyond the grace period", async () => {
    await using world = await openWorld({ bot: "none" });
    const app = await start(world);
    const answering = world
      .member("Ada")
      .slash(world.channels.general, "slow", { gate: "never" }, { deadlineMs: 200 })
      .catch(String);
    await untilHeld("never");
    const stopping = app.stop({ graceMs: 1_000 });
    await world.clock.advance(1_000);
    await stopping;
    expect(world.discord.gateway.hasSession(undefined)).toBe(false);
    expect(await answering).toMatch(/not been acknowledged/);
  });
});

describe("stopping while a picture is restyled", () => {
  it("ends the work shortly before the grace period does, and tells the member", async () => {
    await using world = await openWorld({ bot: "none", style: { shape: "job", jobMs: 60_000 } });
    const { general } = world.channels;
    const app = await startApp({ config: readConfig(world.env), clock: world.clock, log });
    const ada = world.member("Ada");
    void ada.slash(general, "style", { image: await photograph(), style: "oil" }).catch(() => undefined);
    await until(() => countStyleRequests(world) === 1);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("Restyling your picture")),
    );
    const stopping = app.stop({ graceMs: 8_000 });
    await advanceWhenIdle(world, 5_900);
    expect(ada.look(state)?.text).toContain("Restyling your picture");
    await advanceUntil(world, stopping, 50);
    expect(ada.look(state)).toBeUndefined();
    const told = ada.messages(general).find(({ ephemeral }) => ephemeral);
    expect(told?.text).toMatch(/^That was stopped before it finished/);
    await until(() => world.style.ledger.some(({ path }) => path.endsWith("/cancel")));
  });
});

describe("stopping while a job runs", () => {
  /** Starts the bot. After `occupy`, the job of the watches waits for the database until `free` is called. */
  async function startOccupied(world: World, options: Partial<AppOptions> = {}) {
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    let isOccupied = false;
    let waiting = 0;
    const app = await startApp({
      config: readConfig(world.env),
      clock: world.clock,
      log,
      async intercept(statement, run) {
        if (isOccupied && statement.includes('from "watches"')) {
          waiting += 1;
          await freed;
        }
        return run();
      },
      ...options,
    });
    async function occupy(): Promise<void> {
      isOccupied = true;
      void app.tick();
      await expect.poll(() => waiting).toBeGreaterThan(0);
    }
    return { app, occupy, free };
  }

  it("answers members until a second before the grace period ends, then leaves Discord", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, occupy, free } = await startOccupied(world);
    await occupy();
    let hasStopped = false;
    const stopping = app.stop({ graceMs: 5_000 }).finally(() => (hasStopped = true));
    await world.clock.advance(3_900);
    expect((await world.member("Ada").slash(world.channels.general, "help")).text).toContain("Signalbox");
    await world.clock.advance(100);
    // Interactions from now on wait for the next process.
    await expect.poll(() => world.discord.gateway.hasSession(undefined)).toBe(false);
    expect(hasStopped).toBe(false);
    free();
    await stopping;
  });

  it.skipIf(postgres.missing)("releases its shards to the fleet meanwhile", { timeout: 60_000 }, async () => {
    await using database = await postgres.create();
    await using world = await openWorld({ bot: "none", clock: "running", settings: { shards: 2 } });
    const { clock } = world;
    const config = readConfig({ ...world.env, DATABASE_URL: database.url });
    const shared = { config, databaseNow: () => clock.now() };
    const { log: noting, lines } = collectLog();
    const countReleased = () => lines.filter((line) => line.includes("shard released")).length;
    const { app, occupy, free } = await startOccupied(world, { ...shared, log: noting });
    const other = await startApp({ ...shared, clock, log });
    await expect.poll(countReleased).toBe(1);
    await occupy();
    const startMs = performance.now();
    const graceMs = 10_000;
    const stopping = app.stop({ graceMs });
    await expect.poll(countReleased).toBe(2);
    expect(performance.now() - startMs).toBeLessThan(graceMs);
    free();
    await stopping;
    await other.stop();
  });
});

describe("starting", () => {
  it("continues after a single 401, which proves nothing about the token", async () => {
    await using world = await openWorld({ bot: "none" });
    const refusal = world.discord.faults.add({ path: "/gateway/bot", do: "401" });
    const starting = start(world);
    await expect.poll(() => refusal.hits).toBe(1);
    await untilSettled(world, starting);
    await (await starting).stop();
  });
});

describe("commands that cannot be registered at start", () => {
  it("are registered once Discord accepts them", async () => {
    await using world = await openWorld({ bot: "none" });
    const trouble = world.discord.faults.add({ method: "PUT", path: /commands/, do: "500", times: Infinity });
    const app = await start(world);
    expect(trouble.hits).toBeGreaterThan(0);
    expect(world.discord.state.commands.size).toBe(0);
    trouble.remove();
    await world.clock.advance(5 * 60_000);
    await expect.poll(() => world.discord.state.commands.size).toBeGreaterThan(0);
    await app.stop();
  });
});

describe("a gateway that Discord closes for good", () => {
  it.each([
    [4004, 78, /^Discord does not accept DISCORD_TOKEN/],
    [4010, 78, /^SHARDS names a shard/],
    [4011, 1, /^Discord wants more shards/],
    [4012, 78, /^Discord no longer/],
    [4013, 78, /^Discord does not know/],
    [4014, 78, /^Discord does not allow/],
  ])("with code %i ends the bot with exit code %i", async (code, exitCode, reason) => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    world.discord.gateway.closeSockets(code);
    await expect.poll(() => failures).toEqual([[expect.stringMatching(reason), exitCode]]);
    await app.stop();
    expect(failures).toHaveLength(1);
  });

  it("ends the bot with exit code 78 if SHARD_COUNT is a number that is too low", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world, { SHARD_COUNT: "1" });
    world.discord.gateway.closeSockets(4011);
    await expect.poll(() => failures).toEqual([[expect.stringMatching(/^SHARD_COUNT is too low/), 78]]);
    await app.stop();
  });
});

describe("a connection that does not come back", () => {
  const MINUTE_MS = 60_000;

  const connectedSessions = (world: World): readonly string[] =>
    [...world.discord.gateway.sessions.values()].flatMap(({ id, isConnected }) => (isConnected ? [id] : []));

  it("because the RESUME host is down is replaced by a new session after three minutes", async () => {
    await using dead = await startStub((_request, response) => void response.writeHead(503).end());
    const resumeUrl = dead.url.href.replace("http", "ws");
    await using world = await openWorld({ bot: "none", settings: { resumeUrl } });
    const { app, failures } = await startRecordingFailures(world);
    const before = connectedSessions(world);
    expect(before).toHaveLength(1);
    world.discord.gateway.dropSockets();
    await expect.poll(() => dead.seen.length).toBeGreaterThan(1);
    await world.clock.advance(3 * MINUTE_MS);
    await expect
      .poll(() => connectedSessions(world))
      .toEqual([expect.not.stringContaining(String(before[0]))]);
    expect(failures).toEqual([]);
    await app.stop();
  });

  it("because RESUME is never answered is replaced by a new session after three minutes", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app } = await startRecordingFailures(world);
    const before = connectedSessions(world);
    const silence = world.discord.gateway.faults.add({ event: "RESUMED", do: "drop", times: Infinity });
    world.discord.gateway.dropSockets();
    await expect.poll(() => silence.hits).toBe(1);
    expect(connectedSessions(world)).toEqual(before);
    await world.clock.advance(3 * MINUTE_MS);
    await expect.poll(() => connectedSessions(world).filter((id) => !before.includes(id))).toHaveLength(1);
    await app.stop();
  });

  it("does not prevent a stop while a new session waits for READY", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app } = await startRecordingFailures(world);
    const { faults } = world.discord.gateway;
    const silence = faults.add({ event: "RESUMED", do: "drop", times: Infinity });
    const unanswered = faults.add({ event: "READY", do: "drop", times: Infinity });
    world.discord.gateway.dropSockets();
    await expect.poll(() => silence.hits).toBe(1);
    await world.clock.advance(3 * MINUTE_MS);
    await expect.poll(() => unanswered.hits).toBe(1);
    await app.stop();
    expect(connectedSessions(world)).toEqual([]);
  });

  it("is not retried once the bot has stopped", async () => {
    await using dead = await startStub((_request, response) => void response.writeHead(503).end());
    const resumeUrl = dead.url.href.replace("http", "ws");
    await using world = await openWorld({ bot: "none", settings: { resumeUrl } });
    const { app } = await startRecordingFailures(world);
    world.discord.gateway.dropSockets();
    await expect.poll(() => dead.seen.length).toBeGreaterThan(1);
    await app.stop();
    const tried = dead.seen.length;
    // discord.js retries half a second after a failure.
    await pause(700);
    expect(dead.seen).toHaveLength(tried);
  });

  /** Advances the clock until the bot has asked the API `probes` times whether it answers. It asks once a minute. */
  async function pass(world: World, probes: number): Promise<void> {
    const made = () => world.discord.requests.filter(({ path }) => path === "/gateway").length;
    const wanted = made() + probes;
    for (let next = made() + 1; next <= wanted; next += 1) {
      // The minute starts with the last answer, which may still be on its way.
      await expect
        .poll(async () => (made() < next && (await world.clock.advance(MINUTE_MS)), made()))
        .toBe(next);
    }
  }

  it("for ten minutes ends the bot with exit code 1", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    const refused = world.discord.gateway.faults.add({ event: "CONNECT", do: "drop", times: Infinity });
    world.discord.gateway.dropSockets();
    await expect.poll(() => refused.hits).toBeGreaterThan(0);
    await pass(world, 9);
    expect(failures).toEqual([]);
    await pass(world, 1);
    await expect.poll(() => failures).toEqual([[expect.stringMatching(/no connection .* ten minutes/), 1]]);
    await app.stop();
  });

  it("does not end the bot while Discord's API is down too", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    const refused = world.discord.gateway.faults.add({ event: "CONNECT", do: "drop", times: Infinity });
    world.discord.gateway.dropSockets();
    await expect.poll(() => refused.hits).toBeGreaterThan(0);
    await pass(world, 9);
    const trouble = world.discord.faults.add({ path: "/gateway", do: "500", times: Infinity });
    await pass(world, 3);
    trouble.remove();
    // The ten minutes start again once the API is back.
    await pass(world, 9);
    expect(failures).toEqual([]);
    await app.stop();
  });

  it("ends the bot at start as well", async () => {
    await using world = await openWorld({ bot: "none" });
    const refused = world.discord.gateway.faults.add({ event: "CONNECT", do: "drop", times: Infinity });
    const failures: number[] = [];
    const starting = start(world, {}, { onFatal: (_, exitCode) => failures.push(exitCode) });
    await expect.poll(() => refused.hits).toBeGreaterThan(0);
    await pass(world, 10);
    await expect.poll(() => failures).toEqual([1]);
    refused.remove();
    await (await starting).stop();
  });
});

describe("/health", () => {
  /** The status code, the status, and the parts that failed. */
  async function readHealthAt(port: number) {
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    const { status, failed } = z
      .object({ status: z.string(), failed: z.array(z.string()).default([]) })
      .parse(await response.json());
    return [response.status, status, ...failed];
  }

  async function open(env: Readonly<Record<string, string>> = {}) {
    const world = await openWorld({ bot: "none" });
    const port = await freePort();
    const app = await start(world, { ...env, HTTP_PORT: String(port) });
    return {
      world,
      readHealth: () => readHealthAt(port),
      async [Symbol.asyncDispose]() {
        await app.stop();
        await world.close();
      },
    };
  }

  it("is 200 for a bot that works, and 503 while a shard is disconnected", async () => {
    await using scene = await open();
    expect(await scene.readHealth()).toEqual([200, "ok"]);
    const refused = scene.world.discord.gateway.faults.add({ event: "CONNECT", do: "drop", times: Infinity });
    scene.world.discord.gateway.dropSockets();
    await expect.poll(() => refused.hits).toBeGreaterThan(0);
    expect(await scene.readHealth()).toEqual([503, "unavailable", "gateway"]);
  });

  it.each(["500", "429"] as const)("is 503 while Discord answers a start with %s", async (kind) => {
    await using world = await openWorld({ bot: "none" });
    const trouble = world.discord.faults.add({ path: "/gateway/bot", do: kind, times: Infinity });
    const port = await freePort();
    const starting = start(world, { HTTP_PORT: String(port) });
    await expect.poll(() => trouble.hits).toBeGreaterThan(0);
    expect(await readHealthAt(port)).toEqual([503, "unavailable", "gateway"]);
    // The alerts must not depend on metrics that begin later.
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^signalbox_leader 0$/m);
    expect(metrics).toMatch(/^signalbox_board_slots_total\{outcome="missed"\} 0$/m);
    trouble.remove();
    await untilSettled(world, starting);
    expect(await readHealthAt(port)).toEqual([200, "ok"]);
    await (await starting).stop();
  });

  it("is 503 for a token that Discord refuses", async () => {
    await using scene = await open();
    const { world } = scene;
    world.discord.state.application.token = "reset";
    await world.member("Ada").mention(world.channels.general, "look", [picture]);
    await expect.poll(scene.readHealth).toEqual([503, "unavailable", "token"]);
  });

  it.skipIf(postgres.missing)("is 503 for a database that has not answered for a minute", async () => {
    const database = await postgres.create();
    await using scene = await open({ DATABASE_URL: database.url });
    expect(await scene.readHealth()).toEqual([200, "ok"]);
    // This drops the database and closes every connection to it.
    await database[Symbol.asyncDispose]();
    await scene.world.clock.advance(10_000);
    expect(await scene.readHealth()).toEqual([200, "ok"]);
    await scene.world.clock.advance(60_000);
    expect(await scene.readHealth()).toEqual([503, "unavailable", "database"]);
  });
});

describe("a token that Discord has refused", () => {
  /** Mentions the bot. Returns a function that says whether the bot has replied. */
  async function ask(world: World) {
    const { general } = world.channels;
    const asked = await world.member("Ada").mention(general, "look", [picture]);
    return () => [...general.messages.values()].some(({ repliesTo }) => repliesTo === asked.id);
  }

  function checksIn(world: World): readonly (number | undefined)[] {
    return world.discord.requests.flatMap(({ path, status }) => (path === "/users/@me" ? [status] : []));
  }

  it("is checked once, and the bot continues if it is valid", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    const refusal = world.discord.faults.add({ method: "POST", path: "/channels/:c/messages", do: "401" });
    await ask(world);
    await expect.poll(() => [refusal.hits, checksIn(world)]).toEqual([1, [200]]);
    const isAnswered = await ask(world);
    await expect.poll(isAnswered).toBe(true);
    await world.clock.advance(120_000);
    expect(checksIn(world)).toEqual([200]);
    expect(failures).toEqual([]);
    await app.stop();
  });

  it("ends the bot if it is refused again a minute later, and is not used in between", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    world.discord.state.application.token = "reset";
    await ask(world);
    await expect.poll(() => checksIn(world)).toEqual([401]);
    const { length } = world.discord.requests;
    await ask(world);
    await advanceWhenIdle(world, 59_000);
    expect(failures).toEqual([]);
    expect(world.discord.requests).toHaveLength(length);
    // The minute starts when the bot has read the answer.
    await expect
      .poll(async () => (await world.clock.advance(1_000), failures))
      .toEqual([[expect.stringMatching(/^Discord does not accept DISCORD_TOKEN/), 78]]);
    expect(checksIn(world)).toEqual([401, 401]);
    await app.stop();
  });

  it("does not end the bot if Discord accepts it a minute later, or if the check fails", async () => {
    await using world = await openWorld({ bot: "none" });
    const { app, failures } = await startRecordingFailures(world);
    const { token } = world.discord;
    world.discord.state.application.token = "reset";
    await ask(world);
    await expect.poll(() => checksIn(world)).toEqual([401]);
    const trouble = world.discord.faults.add({ path: "/users/@me", do: "500", times: Infinity });
    await expect.poll(async () => (await world.clock.advance(20_000), trouble.hits)).toBeGreaterThan(0);
    // discord.js makes four attempts.
    await expect.poll(() => trouble.hits).toBe(4);
    trouble.remove();
    world.discord.state.application.token = token;
    await expect.poll(async () => (await world.clock.advance(60_000), checksIn(world).at(-1))).toBe(200);
    await expect.poll(await ask(world)).toBe(true);
    expect(failures).toEqual([]);
    await app.stop();
  });
});

describe("a job that is stuck", () => {
  it("is a reason to end the process with code 1", async () => {
    await using world = await openWorld({ bot: "none" });
    const config = readConfig(world.env);
    const reasons: unknown[] = [];
    const onFatal = (...reason: readonly unknown[]) => void reasons.push(reason);
    const app = await startApp({ config, clock: world.clock, log, onFatal });
    const grace = world.member("Grace");
    const board = await grace.slash(world.channels.trains, "board subscribe", {
      station: "York",
      every: "5",
    });
    await grace.click(board.message, "Save");
    await world.clock.advance(5 * 60_000);
    // The request never times out, because the clock stands still.
    world.transport.faults.add({ path: /./, do: "hang", times: Infinity });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ticking = app.tick();
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(reasons).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reasons).toEqual([["A job is stuck: boards.", 1]]);
    await app.stop();
    world.transport.faults.clear();
    await ticking;
  });
});

describe("shards", () => {
  it("are as many as Discord recommends by default", async () => {
    await using world = await openWorld({ bot: "none", settings: { shards: 2 } });
    const app = await start(world);
    expect(world.discord.gateway.sessions.size).toBe(2);
    await app.stop();
  });

  it("other than 0 register no commands", async () => {
    await using world = await openWorld({ bot: "none", settings: { shards: 2 } });
    const second = await start(world, { SHARDS: "1", SHARD_COUNT: "2" });
    expect(writesIn(world)).toEqual([]);
    const first = await start(world, { SHARDS: "0", SHARD_COUNT: "2" });
    expect(writesIn(world)).toContain("PUT");
    await Promise.all([first.stop(), second.stop()]);
  });
});
