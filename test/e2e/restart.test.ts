// The bot restarts: what members do meanwhile, and the sessions at Discord's gateway.
import { expect, it } from "vitest";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { gate } from "../fixtures/gate.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { collectLog } from "../support/collect-log.ts";
import { startProgram } from "../support/program.ts";
import { advanceWhenIdle, until, untilAllAnswered } from "../support/until.ts";

reportChecks();

const commandsDir = new URL("../fixtures/commands/", import.meta.url);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 20_000;

async function open(options: WorldOptions) {
  const world = await openCheckedWorld({
    ...options,
    env: { DATABASE_URL: await createTestDatabase(sqlite) },
  });
  const said: string[] = [];
  world.discord.traffic.listen((note) => {
    if (note.kind === "gateway" && ["IDENTIFY", "RESUME", "INVALID_SESSION"].includes(note.name)) {
      said.push(note.name);
    }
  });
  return {
    world,
    /** The names of all IDENTIFY, RESUME and INVALID_SESSION payloads, in order. */
    said,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The interaction's id for each first answer that Discord accepted; the bot repeats a request that takes long. */
function firstAnswers(world: World): readonly string[] {
  return world.discord.requests.flatMap(({ path, status = 0 }) =>
    status >= 200 && status < 300 ? (/\/interactions\/(\d+)\/\w+\/callback/.exec(path)?.[1] ?? []) : [],
  );
}

it("answers each command once before, during and after a restart", { timeout: 60_000 }, async () => {
  // The sandbox's clock stands still, ahead of the bot's, so that nothing is too old, however slow the machine is.
  const at = new Date(Date.now() + HOUR_MS).toISOString();
  await using opened = await open({ bot: "none", at });
  const { world, said } = opened;
  const { general } = world.channels;
  const ada = world.member("Ada");
  await using first = await startProgram(world.env);
  const answers: Promise<string>[] = [];
  const asking = setInterval(() => {
    const answer = ada.slash(general, "help", {}, { deadlineMs: DEADLINE_MS });
    answers.push(answer.then(({ text }) => text.split("\n")[0] ?? "", String));
  }, 20);
  try {
    await expect.poll(() => firstAnswers(world).length).toBeGreaterThan(5);
    expect(await first.terminate()).toBe(0);
    const asked = await ada.mention(general, "look");
    await using second = await startProgram(world.env);
    await ada.waitForMessage(general, ({ repliesTo }) => repliesTo === asked.id);
    const before = answers.length;
    await expect.poll(() => answers.length).toBeGreaterThan(before + 5);
    clearInterval(asking);
    expect([...new Set(await Promise.all(answers))]).toEqual(["### Signalbox"]);
    // The earlier session has ended.
    await expect.poll(() => world.discord.gateway.sessions.size).toBe(1);
    expect(second.written()).toContain("earlier session resumed");
    expect(first.written() + second.written()).not.toContain("another process answered");
  } finally {
    clearInterval(asking);
  }
  expect(firstAnswers(world)).toHaveLength(answers.length);
  expect(new Set(firstAnswers(world)).size).toBe(answers.length);
  expect(said.toSorted()).toEqual(["IDENTIFY", "IDENTIFY", "RESUME"]);
  // The second process was killed, and the session that it had resumed is not resumed again.
  await using third = await startProgram(world.env);
  expect(third.written()).not.toContain("earlier session");
  expect(said.slice(3)).toEqual(["IDENTIFY"]);
});

it("continues with a new session if Discord has dropped the earlier one", async () => {
  await using opened = await open({ commandsDir });
  const { world, said } = opened;
  const { gateway, settings } = world.discord;
  await world.bot.stop();
  await world.clock.advance(settings.sessionLifeMs);
  expect(gateway.sessions.size).toBe(0);
  await world.bot.start();
  await expect.poll(() => said.toSorted()).toEqual(["IDENTIFY", "INVALID_SESSION", "RESUME"]);
  const { text } = await world.member("Ada").slash(world.channels.general, "fast", { text: "a" });
  expect(text).not.toBe("");
  expect(gateway.sessions.size).toBe(1);
});

/** Starts the bot inside this process, without waiting until it is ready. */
function startEarly(world: World) {
  const { log, lines } = collectLog();
  const stopping = new AbortController();
  const config = readConfig(world.env);
  const announce = (line: string) => void lines.push(line);
  const starting = startApp({ config, clock: world.clock, log, announce, signal: stopping.signal });
  // A start that is stopped fails.
  const started = starting.catch(() => undefined);
  return {
    started,
    untilLogged: (words: string) => until(() => lines.some((line) => line.includes(words))),
    async stop(): Promise<void> {
      stopping.abort();
      await (await started)?.stop();
    },
  };
}

it("answers and sets up boards through the earlier session before its own is ready, and hands it over again", async () => {
  await using opened = await open({ bot: "none" });
  const { world, said } = opened;
  const { general, trains } = world.channels;
  const [ada, grace] = [world.member("Ada"), world.member("Grace")];
  const first = startEarly(world);
  await first.started;
  await first.stop();
  // Its own session never becomes ready.
  world.discord.gateway.faults.add({ event: "READY", do: "drop" });
  const asked = ada.slash(general, "help");
  const second = startEarly(world);
  expect((await asked).text).toContain("Signalbox");
  await second.untilLogged("earlier session resumed");
  const draft = await grace.slash(trains, "board subscribe", { station: "York", every: "5" });
  // The bot asks Discord whether it may write in the channel.
  expect((await grace.click(draft.message, "Save")).text).toMatch(/^Saved: /);
  await second.stop();
  const later = ada.slash(general, "help");
  world.discord.gateway.faults.clear();
  const third = startEarly(world);
  expect((await later).text).toContain("Signalbox");
  await third.untilLogged("earlier session resumed");
  await third.stop();
  expect(said.filter((name) => name !== "IDENTIFY")).toEqual(["RESUME", "RESUME"]);
});

it("answers through the earlier session while Discord allows no further login", async () => {
  await using opened = await open({ bot: "none", settings: { identifyLimit: 1 } });
  const { world, said } = opened;
  const first = startEarly(world);
  await first.started;
  await first.stop();
  const second = startEarly(world);
  await second.untilLogged("earlier session resumed");
  expect((await world.member("Ada").slash(world.channels.general, "help")).text).toContain("Signalbox");
  await second.untilLogged("too few of this bot's are left");
  await second.stop();
  expect(said).toEqual(["IDENTIFY", "RESUME"]);
});

it("waits for the next allowed login if its session is lost", async () => {
  await using opened = await open({ commandsDir, settings: { identifyLimit: 1 } });
  const { world, said } = opened;
  const isLogged = (words: string) => () => world.bot.log.some((line) => line.includes(words));
  world.discord.gateway.invalidate(false);
  await until(isLogged("gateway login unreachable"));
  expect(said).toEqual(["INVALID_SESSION"]);
  // Otherwise, a shard that is disconnected for ten minutes ends the bot.
  for (let minute = 0; minute < 11; minute += 1) {
    await advanceWhenIdle(world, MINUTE_MS);
  }
  await untilAllAnswered(world);
  expect(isLogged("bot failed")()).toBe(false);
  await world.clock.advance(24 * HOUR_MS);
  await until(isLogged("gateway login reached"));
  await until(() => said.length > 1);
  expect(said).toEqual(["INVALID_SESSION", "IDENTIFY"]);
});

const INTERRUPTIONS = [
  {
    during: "a restart",
    begin: (world: World) => world.bot.stop(),
    end: (world: World) => world.bot.start(),
    sessions: ["IDENTIFY", "RESUME"],
  },
  {
    during: "a loss of the connection",
    async begin({ discord: { gateway } }: World) {
      gateway.faults.add({ event: "CONNECT", do: "delay", delayMs: DEADLINE_MS });
      gateway.dropSockets();
    },
    end: async ({ discord: { gateway } }: World) => gateway.faults.clear(),
    sessions: ["RESUME"],
  },
];

it.each(INTERRUPTIONS)(
  "ignores an interaction that became too old during $during",
  async ({ begin, end, sessions }) => {
    await using opened = await open({ commandsDir });
    const { world, said } = opened;
    await begin(world);
    const lost = world.member("Ada").slash(world.channels.general, "fast", { text: "a" }).catch(String);
    await world.clock.advance(3_000);
    expect(await lost).toContain("did not respond");
    await end(world);
    const isNoted = () => world.bot.log.some((line) => line.includes("interaction came too late"));
    await expect.poll(isNoted).toBe(true);
    expect(said.toSorted()).toEqual(sessions);
    expect(firstAnswers(world)).toEqual([]);
  },
);

it.each(INTERRUPTIONS)(
  "defers an interaction that waited during $during within Discord's time limit",
  async ({ during, begin, end }) => {
    await using opened = await open({ commandsDir });
    const { world } = opened;
    await begin(world);
    const answering = world.member("Ada").slash(world.channels.general, "slow", { gate: during });
    await world.clock.advance(1_000);
    await end(world);
    await until(() => gate(during).report !== undefined);
    expect(firstAnswers(world)).toEqual([]);
    await world.clock.advance(500);
    await expect.poll(() => firstAnswers(world)).toHaveLength(1);
    gate(during).open();
    expect((await answering).text).toBe("Done");
  },
);
