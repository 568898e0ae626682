// Four processes share sixteen shards at Discord's pace, while members send commands on all of them. Everything that
// can happen to a process happens to one of them; then all of them are restarted one by one.
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import type { Program } from "../support/program.ts";
import { openShardFleet } from "../support/shard-fleet.ts";

const SHARDS = 16;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, shard) => shard);
const ALL = upTo(SHARDS);
/** The shards that Discord recommends at first, and later. */
const FEW = upTo(8);
const MORE = upTo(11);
const ASKED_PER_SECOND = Number(process.env["ASKED_PER_SECOND"] ?? 40);
/** Sixteen sessions start one after the other. */
const PATIENCE = { timeout: 240_000 };
/** A command that was sent shortly before a process ends may have reached it. */
const BEFORE_MS = 3_000;
/** A lease, the next reading of the leases, and a RESUME. */
const MAX_SILENCE_MS = 20_000;
const PAUSED_MS = 30_000;
/** A shard that waits for its turn to identify gets it sooner than this. */
const QUIET_MS = 8_000;

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined)(
  "four processes share sixteen shards whatever happens to one of them",
  { timeout: 1_500_000 },
  async () => {
    await using fleet = await openShardFleet({ shards: SHARDS, concurrency: 1 });
    const report: Record<string, unknown> = {};

    /** Waits until every shard has one session, of the process that runs it. */
    async function untilAllSessionsExist(): Promise<void> {
      await expect.poll(() => fleet.sessions(), PATIENCE).toEqual(ALL);
    }
    /** Waits until no shard waits for its turn to identify any more. */
    async function untilNobodyIdentifies(): Promise<void> {
      for (let before = -1; before !== fleet.identifies.count();) {
        before = fleet.identifies.count();
        await wait(QUIET_MS);
      }
      await untilAllSessionsExist();
    }
    /** The number of shards that each process runs, according to its log. */
    const shares = (programs: readonly Program[]) => programs.map((program) => shardsRunBy(program).size);
    async function untilEvenlyShared(programs: readonly Program[]): Promise<void> {
      await expect
        .poll(() => shares(programs), PATIENCE)
        .toEqual(programs.map(() => SHARDS / programs.length));
    }

    async function during(name: string, act: () => Promise<void>): Promise<ReturnType<typeof fleet.judge>> {
      const fromMs = performance.now() - BEFORE_MS;
      const before = performance.eventLoopUtilization();
      await act();
      // Discord waits three seconds for an answer.
      await wait(BEFORE_MS + 500);
      const { utilization } = performance.eventLoopUtilization(before);
      const judged = {
        ...fleet.judge(fromMs, performance.now() - BEFORE_MS - 500),
        // If this process, which plays Discord and the members, is nearly always busy, it limits the rate itself.
        generatorShare: Number(utilization.toFixed(2)),
      };
      report[name] = judged;
      process.stdout.write(`${name}: ${JSON.stringify(judged)}\n`);
      return judged;
    }

    const startedAtMs = performance.now();
    const starting = [fleet.start(), fleet.start(), fleet.start(), fleet.start()];
    const [first, second, third, fourth] = await Promise.all(starting);
    if (!first || !second || !third || !fourth) {
      throw new Error("there must be four");
    }
    await untilAllSessionsExist();
    await untilEvenlyShared([first, second, third, fourth]);
    process.stdout.write(`started in ${Math.round(performance.now() - startedAtMs)} ms\n`);
    fleet.askAll(ASKED_PER_SECOND);
    await wait(5_000);

    const lost = shardsRunBy(first);
    const killed = await during("killed", async () => {
      first.child.kill("SIGKILL");
      await expect.poll(() => shares([second, third, fourth]).reduce((a, b) => a + b), PATIENCE).toBe(SHARDS);
      await untilNobodyIdentifies();
    });
    expect(killed.silentShards.filter((shard) => !lost.has(shard))).toEqual([]);
    expect(killed.longestSilenceMs).toBeLessThan(MAX_SILENCE_MS);

    const fifth = await fleet.start();
    const added = await during("added", async () => {
      await untilEvenlyShared([second, third, fourth, fifth]);
      await untilNobodyIdentifies();
    });
    expect(added.unanswered).toBe(0);

    const suspended = shardsRunBy(second);
    const paused = await during("paused", async () => {
      second.child.kill("SIGSTOP");
      await wait(PAUSED_MS);
      second.child.kill("SIGCONT");
      await untilEvenlyShared([second, third, fourth, fifth]);
      await untilNobodyIdentifies();
    });
    expect(paused.silentShards.filter((shard) => !suspended.has(shard))).toEqual([]);
    expect(paused.longestSilenceMs).toBeLessThan(MAX_SILENCE_MS);

    const sixth = await during("upgraded", async () => {
      const newer = await fleet.start();
      expect(await third.terminate()).toBe(0);
      await untilEvenlyShared([second, fourth, fifth, newer]);
      await untilNobodyIdentifies();
    });
    expect(sixth.unanswered).toBe(0);

    for (const [name, pause] of [
      ["rolling restart", () => Promise.resolve()],
      ["slow rolling restart", untilNobodyIdentifies],
    ] as const) {
      const rolled = await during(name, async () => {
        const all = fleet
          .programs()
          .filter(({ child }) => child.exitCode === null && child.signalCode === null);
        expect(all).toHaveLength(4);
        for (const program of all) {
          expect(await program.terminate()).toBe(0);
          await fleet.start();
          await pause();
        }
        await untilEvenlyShared(fleet.programs().slice(-4));
        await untilNobodyIdentifies();
      });
      expect(rolled.unanswered).toBe(0);
    }

    await fleet.fallSilent();
    const figures = {
      askedPerSecond: ASKED_PER_SECOND,
      ...report,
      identifies: fleet.identifies.count(),
      mostIdentifiesInWindow: fleet.identifies.mostInWindow(),
      answeredTwice: fleet.answeredTwice(),
      isWithinRequestLimit: fleet.world.discord.limits.busiestSecond <= 50,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({
      mostIdentifiesInWindow: 1,
      answeredTwice: 0,
      isWithinRequestLimit: true,
    });
    for (const program of fleet.programs()) {
      expect(program.written()).not.toContain('"level":"error"');
    }
  },
);

it.skipIf(postgres.missing !== undefined)(
  "four processes get more shards, and every command is answered",
  { timeout: 600_000 },
  async () => {
    await using fleet = await openShardFleet({ shards: FEW.length, concurrency: 1 });
    const [first] = await Promise.all([fleet.start(), fleet.start(), fleet.start(), fleet.start()]);
    await expect.poll(() => fleet.sessions(), PATIENCE).toEqual(FEW);
    fleet.askAll(ASKED_PER_SECOND);
    Object.assign(fleet.world.discord.settings, { shards: MORE.length });
    expect(await first?.terminate()).toBe(0);
    // It asks Discord for the recommended number of shards.
    const last = await fleet.start();
    await expect.poll(() => last.written(), PATIENCE).toContain("shard count growing");
    await expect.poll(() => fleet.sessions(), PATIENCE).toEqual(MORE);
    await wait(BEFORE_MS);
    await fleet.fallSilent();
    const grown = fleet.judge();
    process.stdout.write(`more shards: ${JSON.stringify(grown)}\n`);
    expect(grown.unanswered).toBe(0);
    expect([fleet.answeredTwice(), fleet.identifies.mostInWindow()]).toEqual([0, 1]);
    for (const program of fleet.programs()) {
      expect(program.written()).not.toContain('"level":"error"');
    }
  },
);

/** The shards that a process runs, according to its log. */
function shardsRunBy(program: Program): ReadonlySet<number> {
  const shards = new Set<number>();
  for (const line of program.written().split("\n")) {
    if (line.includes('"shards leased"')) {
      const { shards: leased } = JSON.parse(line) as { readonly shards: readonly number[] };
      leased.forEach((shard) => shards.add(shard));
    } else if (line.includes('"shard released"') || line.includes('"shard lease lost"')) {
      const { shard } = JSON.parse(line) as { readonly shard: number };
      shards.delete(shard);
    }
  }
  return shards;
}
