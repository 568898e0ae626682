// Servers that remove the bot: it remembers them, waits for a week, then erases their data.
import { expect, it } from "vitest";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase, type Database } from "../../src/database.ts";
import { boardRecord } from "../boards/board-record.ts";
import { publicationRecord } from "../videos/video-rows.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { SECOND_SHARD_MADE_AT_MS } from "../support/second-shard.ts";

reportChecks();

const DAY_MS = 24 * 3_600_000;

/** Opens a world whose bot stores its data in a file. */
async function openWithDatabase(
  options: WorldOptions = {},
): Promise<{ readonly world: World; readonly databaseUrl: string }> {
  const databaseUrl = await createTestDatabase(sqlite);
  return {
    world: await openCheckedWorld({ env: { DATABASE_URL: databaseUrl }, ...options }),
    databaseUrl,
  };
}

/** Opens the same database beside the bot. */
async function openBeside(url: string, { clock }: World): Promise<Database & AsyncDisposable> {
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock, log, exclusive: false });
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

it("erases a server's data a week after the bot was removed, and no other server's", async () => {
  const opened = await openWithDatabase();
  await using world = opened.world;
  const memberIds = [world.member("Ada").id];
  const gone = world.discord.addGuild({ name: "Gone", memberIds });
  const away = world.discord.addGuild({ name: "Away", memberIds });
  world.discord.removeGuild(away, { unavailable: true });
  world.discord.removeGuild(gone);
  const linesAbout = (guildId: string, what: string) =>
    world.bot.log.filter((line) => line.includes(guildId) && line.includes(what));
  await expect.poll(() => linesAbout(gone.id, "server left; data")).toHaveLength(1);

  for (const [afterMs, erased] of [
    [6 * DAY_MS, 0],
    [1 * DAY_MS, 1],
    [1 * DAY_MS, 1],
  ] as const) {
    await world.bot.stop();
    await world.clock.advance(afterMs);
    await world.bot.start();
    // Erasing runs beside the start, which does not wait for it.
    await expect.poll(() => linesAbout(gone.id, "server data erased")).toHaveLength(erased);
  }
  expect(linesAbout(away.id, "server left; data")).toEqual([]);
});

it("erases the data without a restart or another event", async () => {
  const opened = await openWithDatabase();
  await using world = opened.world;
  const gone = world.discord.addGuild({ name: "Gone", memberIds: [world.member("Ada").id] });
  world.discord.removeGuild(gone);
  const told = (what: string) => world.bot.log.some((line) => line.includes(gone.id) && line.includes(what));
  await expect.poll(() => told("server left; data")).toBe(true);
  await world.clock.advance(7 * DAY_MS);
  await world.bot.tick();
  await expect.poll(() => told("server data erased")).toBe(true);
});

it("notices at its next start which servers removed it meanwhile, and which invited it again", async () => {
  const { world: opened, databaseUrl } = await openWithDatabase();
  await using world = opened;
  const memberIds = [world.member("Ada").id];
  const gone = world.discord.addGuild({ name: "Gone", memberIds });
  const back = world.discord.addGuild({ name: "Back", memberIds });
  await world.bot.stop();
  await using database = await openBeside(databaseUrl, world);
  for (const { id } of [world.guild, gone, back]) {
    await database.boards.add(boardRecord({ id: `board-${id}`, guildId: id, nextSlotMs: 0 }));
  }
  const due = async () => (await database.boards.due(world.clock.now())).map(({ guildId }) => guildId);
  await database.leftGuilds.add(back.id, world.clock.now());
  expect(await due()).not.toContain(back.id);

  world.discord.removeGuild(gone);
  await world.bot.start();
  expect((await due()).toSorted()).toEqual([world.guild.id, back.id].toSorted());

  await world.bot.stop();
  await world.clock.advance(7 * DAY_MS);
  await world.bot.start();
  await expect
    .poll(async () => (await database.guildIds()).toSorted())
    .toEqual([world.guild.id, back.id].toSorted());
});

it("notices a removal even if its event was lost with the gateway session", async () => {
  // In its own process: two writers to one file in the same process would block each other forever.
  const { world: opened, databaseUrl } = await openWithDatabase({ bot: "process" });
  await using world = opened;
  const gone = world.discord.addGuild({ name: "Gone", memberIds: [world.member("Ada").id] });
  await using database = await openBeside(databaseUrl, world);
  await database.boards.add(boardRecord({ guildId: gone.id }));
  gone.members.delete(world.discord.applicationId);
  world.discord.gateway.invalidate(false);
  await expect.poll(() => database.leftGuilds.leftBefore(world.clock.now())).toEqual([gone.id]);
});

it("erases nothing of a shard before it knows which servers of the shard have returned", async () => {
  const { world: opened, databaseUrl } = await openWithDatabase({
    settings: { shards: 2 },
    startsBot: false,
  });
  await using world = opened;
  await using database = await openBeside(databaseUrl, world);
  // The second shard becomes ready after the first.
  const madeAtMs = SECOND_SHARD_MADE_AT_MS;
  const memberIds = [world.member("Ada").id];
  const back = world.discord.addGuild({ name: "Back", memberIds, madeAtMs });
  await database.boards.add(boardRecord({ guildId: back.id }));
  await database.leftGuilds.add(back.id, world.clock.now() - 8 * DAY_MS);
  await world.bot.start();
  expect(await database.leftGuilds.leftBefore(world.clock.now())).toEqual([]);
  expect(await database.boards.ofGuild(back.id)).toHaveLength(1);
});

it("starts, handles events and stops while the video service does not answer about a server to be erased", async () => {
  const { world: opened, databaseUrl } = await openWithDatabase({ startsBot: false });
  await using world = opened;
  const memberIds = [world.member("Ada").id];
  const nowMs = world.clock.now();
  const back = world.discord.addGuild({ name: "Back", memberIds });
  const gone = world.discord.addGuild({ name: "Gone", memberIds });
  world.discord.removeGuild(gone);
  await using database = await openBeside(databaseUrl, world);
  const waiting = { state: "scheduled", videoId: "5", publishAtMs: nowMs + 20 * DAY_MS } as const;
  const { revision: _first, ...record } = publicationRecord({ ...waiting, guildId: gone.id });
  await database.publications.add(record);
  await database.leftGuilds.add(gone.id, nowMs - 8 * DAY_MS);
  const hanging = world.video.faults.add({ method: "DELETE", path: /^\/5$/, do: "hang" });
  await world.bot.start();
  await expect.poll(() => hanging.hits).toBe(1);
  world.discord.removeGuild(back);
  await expect.poll(() => database.leftGuilds.leftBefore(nowMs + DAY_MS)).toEqual([gone.id, back.id]);
  await world.bot.stop();
  expect(await database.publications.get(record.id)).toBeDefined();
  expect(world.bot.log.filter((line) => line.includes("erasure of servers failed"))).toEqual([]);

  await world.bot.start();
  await expect.poll(() => database.leftGuilds.leftBefore(nowMs + DAY_MS)).toEqual([back.id]);
  expect(await database.publications.get(record.id)).toBeUndefined();
});
