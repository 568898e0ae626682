// Runs more boards than Discord can take at once, on a simulated clock: the real runner and table, with a rate limiter
// between them and channels in memory.
import { MAX_PER_SECOND, createRateLimiter } from "../../src/discord/rate-limiter.ts";
import type { BoardSettings } from "../../src/boards/boards.ts";
import { MINUTE_MS, SETTINGS, START_MS, openBoardWorld } from "./board-world.ts";

const TICK_MS = 10_000;
/** One board's work takes a few turns of the event loop. */
const TURNS = 6;

export interface CrowdedBoard {
  readonly id: string;
  readonly guildId?: string;
  readonly changed?: Partial<BoardSettings>;
}

/** Boards that differ only in their station, which is taken from this list in turn. */
export const evenBoards = (count: number, stations: readonly string[]): readonly CrowdedBoard[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `even${index}`,
    changed: { station: stations[index % stations.length] ?? "YRK" },
  }));

/** This many boards at fixed times, and as many that post a new message. */
export const urgentBoards = (count: number): readonly CrowdedBoard[] => [
  ...Array.from({ length: count }, (_, index) => ({ id: `fixed${index}`, changed: FIXED })),
  ...Array.from({ length: count }, (_, index) => ({ id: `posted${index}`, changed: POSTED })),
];

/** The times at which each board was posted or edited. */
export type Shown = ReadonlyMap<string, readonly number[]>;

/**
 * Runs boards for some minutes. Boards that keep a message begin with one in their channel. `share`: requests a second
 * that this process may send. `usedGuilds`: servers where somebody has just used the bot.
 */
export async function crowd(
  boards: readonly CrowdedBoard[],
  {
    minutes,
    share = MAX_PER_SECOND,
    usedGuilds = [],
  }: {
    readonly minutes: number;
    readonly share?: number;
    readonly usedGuilds?: readonly string[];
  },
) {
  const world = await openBoardWorld();
  const { clock, discord, database, data } = world;
  const limiter = createRateLimiter(clock);
  limiter.setShare(() => share);
  const shown = new Map<string, number[]>();
  const note = (channelId: string): void => {
    const id = channelId.slice("c-".length);
    shown.set(id, [...(shown.get(id) ?? []), clock.now()]);
  };
  discord.replace((real) => ({
    post: (channelId, ...rest) =>
      limiter.run("bulk", async () => {
        note(channelId);
        return real.post(channelId, ...rest);
      }),
    edit: ({ channelId }) => limiter.run("bulk", async () => note(channelId)),
  }));
  for (const guildId of usedGuilds) {
    await database.guildRecords.noteUse(guildId, START_MS);
  }
  for (const { id, guildId = `g-${id}`, changed } of boards) {
    const isKept = changed?.mode === undefined || changed.mode === "edit";
    await world.add(id, { guildId, ...(changed && { changed }), ...(isKept && { messageId: `m-${id}` }) });
  }
  const life = world.begin();
  let ticking = Promise.resolve();
  let underWay = 0;
  for (let nextTickMs = START_MS; clock.now() < START_MS + minutes * MINUTE_MS;) {
    if (clock.now() >= nextTickMs) {
      nextTickMs += TICK_MS;
      // The content changes with every tick.
      data.version += 1;
      underWay += 1;
      ticking = life.tick().finally(() => (underWay -= 1));
    }
    for (let turns = 0; turns < TURNS; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    // While a tick is running, no time is skipped.
    const stepMs = underWay > 0 ? 1_000 / share : TICK_MS;
    clock.advance(
      Math.max(1, Math.ceil(Math.min(clock.waits()[0] ?? stepMs, stepMs, nextTickMs - clock.now()))),
    );
  }
  const missed = new Map<string, number>();
  for (const { id } of boards) {
    missed.set(id, (await database.boards.get(id))?.missed ?? 0);
  }
  life.end();
  await ticking;
  limiter.stop();
  await world.close();
  return { shown: shown as Shown, missed };
}

const FIXED: Partial<BoardSettings> = {
  schedule: { ...SETTINGS.schedule, timing: { at: ["17:30"] } },
};
const POSTED: Partial<BoardSettings> = { mode: "post" };

/** The most posts and edits within any second. */
export function busiestSecond(shown: Shown): number {
  const all = [...shown.values()].flat().toSorted((a, b) => a - b);
  let from = 0;
  return all.reduce((most, endMs, index) => {
    while ((all[from] ?? endMs) <= endMs - 1_000) {
      from += 1;
    }
    return Math.max(most, index - from + 1);
  }, 0);
}
