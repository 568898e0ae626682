// Two real bots on one PostgreSQL, each with a server of its own. One of them runs the jobs of both.
import { createBotControl, type BotControl } from "../../sandbox/bot/control.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { World, WorldOptions } from "../../sandbox/world.ts";
import { openJudgedWorld } from "./judged-world.ts";
import { SECOND_SHARD_MADE_AT_MS } from "./second-shard.ts";

const RUNS = "this process runs the jobs now";
const RUNS_NOT = "another process runs the jobs now";

/** A world whose own bot has shard 0, and one beside it with shard 1. */
export interface BoardFleet extends AsyncDisposable {
  readonly world: World;
  readonly bots: readonly [first: BotControl, second: BotControl];
  /** A channel of the second bot's server; Grace and the others are there too, and Grace owns it. */
  readonly elsewhere: Channel;
  /** The bot that runs the jobs, by its own word, and the other. Throws unless it is one. */
  roles(): { readonly runner: BotControl; readonly other: BotControl };
  /** Starts a bot again that was killed. */
  restart(bot: BotControl): Promise<void>;
}

/** Starts both; `options` lie over those of the world. */
export async function openBoardFleet(databaseUrl: string, options: WorldOptions = {}): Promise<BoardFleet> {
  const envOf = (shard: number) => ({
    ...options.env,
    DATABASE_URL: databaseUrl,
    SHARDS: String(shard),
    SHARD_COUNT: "2",
  });
  const settings = { ...options.settings, shards: 2 };
  const world = await openJudgedWorld({ ...options, bot: "process", env: envOf(0), settings });
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
  /** Where in its log a bot's present life begins. */
  const births = new Map<BotControl, number>();

  function isRunner(bot: BotControl): boolean {
    const said = bot.log
      .slice(births.get(bot))
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
        throw new Error(`${runner === undefined ? "none" : "both"} of two bots run the jobs`);
      }
      return { runner, other };
    },
    async restart(bot) {
      births.set(bot, bot.log.length);
      await bot.start();
    },
    async [Symbol.asyncDispose]() {
      await second.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
