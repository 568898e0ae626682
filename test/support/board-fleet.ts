// Two real bots on one PostgreSQL database, each with its own server. One of them runs the jobs of both.
import { createBotControl, type BotControl } from "../../sandbox/bot/control.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { SECOND_SHARD_MADE_AT_MS } from "./second-shard.ts";

const RUNS = "this process runs the jobs now";
const RUNS_NOT = "another process runs the jobs now";

/** A world whose own bot runs shard 0, and a second bot that runs shard 1. */
export interface BoardFleet extends AsyncDisposable {
  readonly world: World;
  readonly bots: readonly [first: BotControl, second: BotControl];
  /** A channel of the second bot's server. Grace owns that server, and the other members are in it too. */
  readonly elsewhere: Channel;
  /**
   * Returns the bot that runs the jobs and the other one, according to their logs. Throws unless exactly one runs them.
   */
  roles(): { readonly runner: BotControl; readonly other: BotControl };
  /** Restarts a bot that was killed. */
  restart(bot: BotControl): Promise<void>;
}

/** Starts both bots; `options` override those of the world. */
export async function openBoardFleet(databaseUrl: string, options: WorldOptions = {}): Promise<BoardFleet> {
  const envOf = (shard: number) => ({
    ...options.env,
    DATABASE_URL: databaseUrl,
    SHARDS: String(shard),
    SHARD_COUNT: "2",
  });
  const settings = { ...options.settings, shards: 2 };
  const world = await openCheckedWorld({ ...options, bot: "process", env: envOf(0), settings });
  const second = createBotControl("process", {
    env: { ...world.env, ...envOf(1) },
    clock: world.clock,
    collectsGarbage: false,
  });
  const memberIds = ["Grace", "Ada", "Alan", "Mary"].map((name) => world.member(name).id);
  const guild = world.discord.addGuild({ name: "Elsewhere", memberIds, madeAtMs: SECOND_SHARD_MADE_AT_MS });
  const elsewhere = world.discord.addChannel(guild, "trains");
  await second.start();
  const bots = [world.bot, second] as const;
  /** The index in a bot's log at which its current process starts. */
  const logStarts = new Map<BotControl, number>();

  function isRunner(bot: BotControl): boolean {
    const said = bot.log
      .slice(logStarts.get(bot))
      .filter((line) => line.includes(RUNS) || line.includes(RUNS_NOT));
    return bot.isRunning && said.at(-1)?.includes(RUNS) === true;
  }

  return {
    world,
    bots,
    elsewhere,
    roles() {
      const [runner, ...others] = bots.filter(isRunner);
      const other = bots.find((bot) => bot !== runner);
      if (runner === undefined || other === undefined || others.length > 0) {
        throw new Error(`${runner === undefined ? "neither" : "each"} of the two bots runs the jobs`);
      }
      return { runner, other };
    },
    async restart(bot) {
      logStarts.set(bot, bot.log.length);
      await bot.start();
    },
    async [Symbol.asyncDispose]() {
      await second.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
