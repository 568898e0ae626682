// A fleet that divides its shards automatically, started as an operator does, while members use commands on every shard
// all the time. Checked against what Discord has seen.
import { performance } from "node:perf_hooks";
import type { Channel } from "../../sandbox/discord/entities.ts";
import { openWorld, type World } from "../../sandbox/world.ts";
import { findPostgres } from "./databases.ts";
import { startProgram, type Program } from "./program.ts";

/**
 * A server created at this time is on shard 0, whatever the number of shards; one created a millisecond later is on the
 * next shard.
 */
const FIRST_SHARD_MADE_AT_MS = 1_420_070_400_000 + 720_720 * 240_000;
/** As at Discord. */
const IDENTIFY_WINDOW_MS = 5_000;

/** Several commands may be due in one interval. */
const ASK_EVERY_MS = 5;

interface Asked {
  readonly shard: number;
  readonly atMs: number;
  readonly outcome: "answered" | "unanswered";
}

/** Opens a fleet without processes. `concurrency`: Discord's max_concurrency. */
export async function openShardFleet({
  shards,
  concurrency,
}: {
  readonly shards: number;
  readonly concurrency: number;
}) {
  const postgres = await findPostgres();
  const database = await postgres.create();
  const world = await openWorld({
    bot: "none",
    clock: "running",
    at: new Date().toISOString(),
    settings: { shards, identifyWindowMs: IDENTIFY_WINDOW_MS, identifyConcurrency: concurrency },
    env: { DATABASE_URL: database.url },
  });
  const channels = addServers(world, shards);
  const identifies = watchIdentifies(world, concurrency);
  const programs: Program[] = [];
  const asked: Asked[] = [];
  const asking = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  async function ask(shard: number, channel: Channel): Promise<void> {
    const atMs = performance.now();
    try {
      await world.member("Ada").slash(channel, "help");
      asked.push({ shard, atMs, outcome: "answered" });
    } catch {
      asked.push({ shard, atMs, outcome: "unanswered" });
    }
  }

  return {
    world,
    channels,
    identifies,
    /** Starts a process; settles when it is ready. */
    async start(): Promise<Program> {
      const program = await startProgram(world.env);
      programs.push(program);
      return program;
    },
    programs: (): readonly Program[] => programs,
    /** Starts sending this many commands a second, on one shard after the other. */
    askAll(perSecond: number): void {
      const startMs = performance.now();
      let next = 0;
      timer = setInterval(() => {
        const due = ((performance.now() - startMs) * perSecond) / 1_000;
        for (; next < due; next += 1) {
          const shard = next % shards;
          const tracked = ask(shard, channels[shard] ?? channels[0] ?? world.channels.general).finally(() =>
            asking.delete(tracked),
          );
          asking.add(tracked);
        }
      }, ASK_EVERY_MS);
    },
    /** Stops the commands; settles when each has been answered or will never be. */
    async fallSilent(): Promise<void> {
      clearInterval(timer);
      await Promise.all(asking);
    },
    /** The results of commands between two values of `performance.now()`. */
    judge(fromMs = -Infinity, toMs = Infinity) {
      const within = asked.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      const unanswered = within.filter(({ outcome }) => outcome === "unanswered");
      const times = within.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
      return {
        asked: within.length,
        perSecond: Math.round((1_000 * within.length) / ((times.at(-1) ?? 0) - (times[0] ?? 0))),
        unanswered: unanswered.length,
        /** Shards with an unanswered command. */
        silentShards: [...new Set(unanswered.map(({ shard }) => shard))].toSorted((a, b) => a - b),
        longestSilenceMs: Math.round(longestSilence(within)),
      };
    },
    /** Interactions that two processes answered. A process may repeat its own answer. */
    answeredTwice: () =>
      programs.reduce(
        (sum, program) => sum + program.written().split("another process answered").length - 1,
        0,
      ),
    /** The shard of each connected session. */
    sessions: () =>
      [...world.discord.gateway.sessions.values()]
        .filter(({ isConnected }) => isConnected)
        .map(({ shard }) => shard.id)
        .toSorted((one, other) => one - other),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()));
      await world[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Adds a server on each shard. Returns a channel of each. */
function addServers({ discord }: World, shards: number): readonly Channel[] {
  const memberIds = [discord.member("Ada").id];
  return Array.from({ length: shards }, (_, shard) => {
    const guild = discord.addGuild({
      name: `Server ${shard}`,
      memberIds,
      madeAtMs: FIRST_SHARD_MADE_AT_MS + shard,
    });
    return discord.addChannel(guild, "general");
  });
}

/** Records IDENTIFYs as they arrive. */
function watchIdentifies({ discord }: World, concurrency: number) {
  const arrivals: { readonly bucket: number; readonly atMs: number }[] = [];
  discord.traffic.listen((note) => {
    if (note.kind === "gateway" && note.name === "IDENTIFY") {
      const [id] = (note.data as { readonly shard: readonly [number, number] }).shard;
      arrivals.push({ bucket: id % concurrency, atMs: performance.now() });
    }
  });
  return {
    count: () => arrivals.length,
    /** The most IDENTIFYs of one bucket in any five seconds. */
    mostInWindow: () =>
      Math.max(
        0,
        ...arrivals.map(
          ({ bucket, atMs }) =>
            arrivals.filter(
              (each) => each.bucket === bucket && each.atMs >= atMs && each.atMs < atMs + IDENTIFY_WINDOW_MS,
            ).length,
        ),
      ),
  };
}

function longestSilence(asked: readonly Asked[]): number {
  let longestMs = 0;
  for (const ofShard of Map.groupBy(asked, ({ shard }) => shard).values()) {
    const sorted = ofShard.toSorted((one, other) => one.atMs - other.atMs);
    let lastMs = sorted[0]?.atMs ?? 0;
    for (const { atMs } of sorted.filter(({ outcome }) => outcome === "answered")) {
      longestMs = Math.max(longestMs, atMs - lastMs);
      lastMs = atMs;
    }
  }
  return longestMs;
}
