// Boards of two bots on one PostgreSQL: each slot is posted once, whichever bot runs the jobs and whichever is killed.
import { expect, it } from "vitest";
import type { BotControl } from "../../sandbox/bot/control.ts";
import { openBoardFleet, type BoardFleet } from "../support/board-fleet.ts";
import { subscribeBoard, watchBoardPosts } from "../support/board-posts.ts";
import { findPostgres } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import { until, watchSettled } from "../support/until.ts";

reportChecks();

const TICK_MS = 10_000;
/** How far the clocks of two processes may differ. */
const SKEW_MS = 5_000;
const MINUTE_MS = 60_000;
const postgres = await findPostgres();

/**
 * Advances the clock to the next tick. One bot learns of it slightly before the other, and both also tick by the
 * machine's time, possibly just then. So each step is no longer than their clocks may differ.
 */
async function advanceToTick({ world }: BoardFleet): Promise<void> {
  for (let turnedMs = 0; turnedMs < TICK_MS; turnedMs += SKEW_MS) {
    await world.clock.advance(SKEW_MS);
  }
}

/** Advances the clock by this time, and lets all running bots tick together every ten seconds. */
async function tickBoth(fleet: BoardFleet, durationMs: number): Promise<void> {
  const { world, bots } = fleet;
  for (const endMs = world.clock.now() + durationMs; world.clock.now() < endMs;) {
    await advanceToTick(fleet);
    await Promise.all(bots.filter(({ isRunning }) => isRunning).map((bot) => bot.tick()));
  }
}

/** Lets a bot tick until Discord has received a message from it without answering, then kills the bot. */
async function killInTick(fleet: BoardFleet, bot: BotControl): Promise<void> {
  const { world } = fleet;
  const held = world.discord.faults.add({ method: "POST", path: "/channels/:c/messages", do: "hang-after" });
  // Only ticks advance the clock. If it advanced before a busy machine had sent the message, the slot would be missed.
  let ticking = Promise.resolve();
  while (held.hits === 0) {
    await advanceToTick(fleet);
    ticking = bot.tick();
    const isOver = watchSettled(ticking);
    await until(() => isOver() || held.hits > 0);
  }
  await bot.kill();
  await ticking;
  held.remove();
}

it.skipIf(postgres.missing !== undefined)(
  "two bots post each slot of all servers once, whichever of them is killed",
  { timeout: 300_000 },
  async () => {
    await using database = await postgres.create();
    await using fleet = await openBoardFleet(database.url);
    const { world, elsewhere } = fleet;
    const posts = watchBoardPosts(world);
    const options = { station: "York", mode: "post", every: "2 minutes", view: "text" };
    const boards = [
      await subscribeBoard(world, world.channels.trains, options),
      await subscribeBoard(world, elsewhere, options),
    ];
    const startMs = world.clock.now();

    await tickBoth(fleet, 3 * MINUTE_MS + 50_000);
    const killed = new Set<BotControl>();
    for (let round = 0; round < 2; round += 1) {
      const { runner, other } = fleet.roles();
      killed.add(runner);
      await killInTick(fleet, runner);
      await tickBoth(fleet, 2 * TICK_MS);
      expect(fleet.roles().runner).toBe(other);
      await tickBoth(fleet, 3 * TICK_MS);
      await fleet.restart(runner);
      await tickBoth(fleet, 3 * MINUTE_MS);
      expect(fleet.roles().runner).toBe(other);
    }
    // Each of them has run the jobs and was killed while it did.
    expect(killed.size).toBe(2);

    const wanted = Array.from(
      { length: Math.floor((world.clock.now() - startMs) / (2 * MINUTE_MS)) + 1 },
      (_, index) => startMs + index * 2 * MINUTE_MS,
    );
    for (const id of boards) {
      const own = posts.ever.filter(({ boardId }) => boardId === id);
      // The bots' log lines are compared too, so that a failure shows them.
      const said = fleet.bots.flatMap(({ log }) => log.filter((line) => line.includes(id)));
      expect({ slots: own.map(({ slotMs }) => slotMs), said }).toEqual({ slots: wanted, said });
      const lateMs = own.map(({ atMs, slotMs }) => atMs - slotMs);
      // The other bot waits until the claim expires, and perhaps for the data's next turn.
      expect(Math.max(...lateMs)).toBeLessThan(2 * MINUTE_MS);
      // The first one was posted with the first tick after the board was saved.
      expect(lateMs.slice(1).filter((each) => each >= TICK_MS).length).toBeLessThanOrEqual(killed.size);
    }

    // Answers to members in both servers share one rate limit.
    world.discord.limits.forgetCounts();
    const guilds = [...world.discord.state.guilds.values()].filter(({ id }) =>
      [world.guild.id, elsewhere.guildId].includes(id),
    );
    expect(guilds).toHaveLength(2);
    const channels = guilds.flatMap((guild) =>
      Array.from({ length: 40 }, (_, index) => world.discord.addChannel(guild, `asked-${index}`)),
    );
    await Promise.all(
      channels.map(async (channel) => {
        const asked = await world.member("Ada").mention(channel, "York");
        await world.member("Ada").waitForMessage(channel, ({ repliesTo }) => repliesTo === asked.id);
      }),
    );
    expect(world.discord.limits.busiestSecond).toBeLessThanOrEqual(50);
    expect(world.discord.limits.refused).toEqual({ user: 0, global: 0, shared: 0, ban: 0 });
  },
);
