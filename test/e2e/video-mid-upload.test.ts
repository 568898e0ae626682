// In the middle of an upload, links and tokens expire, servers remove the bot, accounts are unlinked, and the bot is
// stopped.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { reportChecks } from "../support/checked-world.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { film, openVideoWorld, waitForText } from "../support/video-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";

reportChecks();

const MINUTE_MS = 60_000;
const WINDOW_BYTES = 15_000;

function open(options: WorldOptions = {}): Promise<World> {
  const { env, video, ...others } = options;
  return openVideoWorld({
    ...others,
    env: { VIDEO_UPLOAD: "chunked", ...env },
    video: { windowBytes: () => WINDOW_BYTES, ...video },
  });
}

async function link(world: World, token = world.video.tokens.secondPage): Promise<void> {
  const grace = world.member("Grace");
  const form = await grace.slash(world.channels.staff, "video account link");
  await grace.submit(form, { "The Page's access token": token });
}

/**
 * Starts an upload. Returns its message while the service holds back its answer to the second piece, which it has not
 * accepted.
 */
async function publishHalfway(world: World): Promise<{ readonly message: SeenMessage; release: () => void }> {
  const grace = world.member("Grace");
  const { general } = world.channels;
  world.video.faults.add({ path: /transfer$/, do: "slow", delayMs: 0 });
  const held = world.video.faults.add({ path: /transfer$/, do: "hang" });
  const card = await grace.slash(general, "video publish", { file: film() });
  await grace.click(card.message, "Publish now");
  await until(() => held.hits > 0);
  const message = await waitForText(world, grace, general, /^### Opening day/m);
  expect(world.video.sessions()).toMatchObject([{ receivedBytes: WINDOW_BYTES }]);
  return { message, release: () => held.remove() };
}

function follow(world: World, words: RegExp, stepMs = 1_000): Promise<SeenMessage> {
  return waitForText(world, world.member("Grace"), world.channels.general, words, stepMs);
}

function countWrites(world: World, what: "session" | "video"): number {
  return world.video.ledger.filter(({ write }) => write?.what === what).length;
}

it("asks for the file again if its link expires, and ends the half-finished upload at the service", async () => {
  await using world = await open({ settings: { linkLifeMs: 5 * MINUTE_MS } });
  const { release } = await publishHalfway(world);
  world.video.faults.add({ path: /transfer$/, do: "500", times: 1_000 });
  release();
  await follow(world, /attach the video again/, 5_000);
  await until(() => world.video.sessions().length === 0);
  expect(world.video.videos()).toEqual([]);
});

it("asks for the file again if Discord no longer has it", async () => {
  await using world = await open({ settings: { ephemeralFileLifeMs: MINUTE_MS } });
  const { release } = await publishHalfway(world);
  await world.clock.advance(MINUTE_MS);
  world.discord.faults.add({ path: /^\/attachments\//, do: "drop" });
  world.video.faults.add({ path: /transfer$/, do: "500", times: 10 });
  release();
  const told = await follow(world, /attach the video again/, 5_000);
  expect(told.text).toContain("Nothing was published");
  expect(world.video.videos()).toEqual([]);
});

it("says that the token has expired, and continues the same upload once it is valid again", async () => {
  await using world = await open();
  const { release } = await publishHalfway(world);
  world.video.invalidateToken(world.video.tokens.page);
  release();
  const told = await follow(world, /no longer accepts this account's token/);
  expect(told.text).toContain("Nothing was published");
  expect(world.video.videos()).toEqual([]);
  world.video.addToken({ value: world.video.tokens.page });
  await world.member("Grace").click(told, "Try again");
  await follow(world, /Published/);
  expect(countWrites(world, "session")).toBe(1);
  expect(countWrites(world, "video")).toBe(1);
});

it("stops if the account is unlinked, and no longer uses its token", async () => {
  await using world = await open();
  await link(world);
  const { release } = await publishHalfway(world);
  const grace = world.member("Grace");
  const asked = await grace.slash(world.channels.staff, "video account unlink");
  await grace.click(asked.message, "Unlink");
  const calls = world.video.ledger.length;
  release();
  const told = await follow(world, /Nothing was published/);
  expect(told.text).toMatch(/account/);
  expect(countWrites(world, "video")).toBe(0);
  const later = world.video.ledger.slice(calls).filter(({ ownerId }) => ownerId === world.video.secondPageId);
  // The piece that was being sent may still arrive.
  expect(later.length).toBeLessThanOrEqual(1);
});

it("is cancelled at the service too if the server removes the bot, and the author is told why", async () => {
  await using world = await open();
  const { release } = await publishHalfway(world);
  world.discord.removeGuild(world.guild);
  await until(() => world.bot.log.some((line) => line.includes("server left; data")));
  release();
  const told = await waitForDirectMessage(world);
  expect(told.text).toContain("I was removed from its server");
  expect(told.text).toContain("Nothing was published");
  await until(() => world.video.sessions().length === 0);
  expect(countWrites(world, "video")).toBe(0);
});

it("publishes nothing with the account of a server that removed the bot", async () => {
  await using world = await open();
  await link(world);
  const { release } = await publishHalfway(world);
  world.discord.removeGuild(world.guild);
  await until(() => world.bot.log.some((line) => line.includes("server left; data")));
  release();
  expect((await waitForDirectMessage(world)).text).toContain("Nothing was published");
  expect(countWrites(world, "video")).toBe(0);
});

it("does not delay an app that stops, even within its grace period", async () => {
  await using world = await open({ bot: "none" });
  const app = await startApp({
    config: readConfig(world.env),
    clock: world.clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  await publishHalfway(world);
  // The world's clock stands still, so waiting for the hanging request would never end.
  await app.stop({ graceMs: 8_000 });
  expect(world.video.sessions()).toMatchObject([{ receivedBytes: WINDOW_BYTES }]);
});

it("is interrupted by SIGTERM, and the next process continues it", async () => {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-term-"));
  await using world = await open({
    bot: "none",
    clock: "running",
    // Links expire by the machine's clock, which the program uses.
    at: new Date().toISOString(),
    env: { DATABASE_URL: `sqlite:${join(folder.path, "bot.db")}` },
    video: { processingMs: 100 },
  });
  await using first = await startProgram(world.env);
  await publishHalfway(world);
  expect(await first.terminate()).toBe(0);
  world.video.faults.clear();
  await using second = await startProgram(world.env);
  const { general } = world.channels;
  const told = await world.member("Mary").waitForMessage(general, ({ text }) => text.includes("Published"));
  expect(countWrites(world, "session")).toBe(1);
  expect(countWrites(world, "video")).toBe(1);
  expect(
    world
      .member("Mary")
      .messages(general)
      .filter(({ author }) => author.bot),
  ).toMatchObject([{ id: told.id }]);
  expect(await second.terminate()).toBe(0);
}, 60_000);

/** Waits for the bot's direct message to the author. */
function waitForDirectMessage(world: World): Promise<SeenMessage> {
  const grace = world.member("Grace");
  return waitForText(world, grace, grace.dm(), /Opening day/, 1_000);
}
