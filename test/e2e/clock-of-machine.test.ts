// The bot as an operator starts it, on a machine whose clock somebody sets.
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { FAKETIME, faketimeEnv, setClock } from "../support/faketime.ts";
import { freePort } from "../support/free-port.ts";
import { openCheckedWorld } from "../support/checked-world.ts";
import { startProgram } from "../support/program.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Longer than the interval between two runs of the most frequent job. */
const WATCHED_MS = 7_000;

if (FAKETIME === undefined) {
  process.stdout.write("skipped: no libfaketime (Debian's package of that name) to set a process's clock\n");
}

/**
 * Asks the bot for trains twice a second, as a member does. Throws if Discord would say that the bot did not respond.
 */
async function keepAsking(world: World, forMs: number): Promise<void> {
  const endMs = performance.now() + forMs;
  for (let asked = 0; asked < 5 || performance.now() < endMs; asked += 1) {
    const station = ["YRK", "LDS", "MAN"][asked % 3] ?? "YRK";
    await world.member("Ada").slash(world.channels.trains, "departures", { station, view: "text" });
    await pause(400);
  }
}

describe.skipIf(FAKETIME === undefined)("a machine whose clock is set", () => {
  it("ahead by a day, ahead by ten days and back by an hour still answers members, and runs its jobs as often as before", async () => {
    await using world = await openCheckedWorld({ bot: "none", clock: "running" });
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-clock-"));
    const file = join(folder.path, "clock");
    await setClock(file, 0);
    const port = await freePort();
    const env = { ...world.env, ...faketimeEnv(file), HTTP_PORT: String(port) };
    await using program = await startProgram(env);

    /** The number of a job's runs so far. */
    async function runs(job: string): Promise<number> {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(
        new RegExp(`job_runs_total\\{name="${job}",outcome="done"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
      );
    }

    await expect.poll(() => runs("publish")).toBeGreaterThan(0);
    const boards = await runs("boards");
    for (const wrongByMs of [DAY_MS, 10 * DAY_MS, -HOUR_MS]) {
      const before = await runs("publish");
      await setClock(file, wrongByMs);
      await keepAsking(world, WATCHED_MS);
      const ran = (await runs("publish")) - before;
      // One run that was due at the jump, and one in the time since.
      expect(ran).toBeGreaterThanOrEqual(1);
      expect(ran).toBeLessThanOrEqual(3);
    }
    const ran = (await runs("boards")) - boards;
    expect(ran).toBeGreaterThanOrEqual(2);
    expect(ran).toBeLessThanOrEqual(6);

    expect(await program.terminate()).toBe(0);
    expect(program.written()).not.toContain('"level":"error"');
  });

  it("while it sleeps for ten days answers members as soon as it is connected again", async () => {
    await using world = await openCheckedWorld({ bot: "none", clock: "running" });
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-clock-"));
    const file = join(folder.path, "clock");
    await setClock(file, 0);
    await using program = await startProgram({ ...world.env, ...faketimeEnv(file) });
    await keepAsking(world, 0);
    program.child.kill("SIGSTOP");
    await Promise.all([setClock(file, 10 * DAY_MS), world.clock.jump(10 * DAY_MS)]);
    world.discord.gateway.dropSockets();
    program.child.kill("SIGCONT");
    await expect.poll(() => world.discord.gateway.hasSession(undefined)).toBe(true);
    await keepAsking(world, WATCHED_MS);
    expect(await program.terminate()).toBe(0);
  });

  it("back by an hour answers as many members as before, even if their answers are deferred", async () => {
    // The sandbox's clock stands still, so Discord's three seconds never run out on a busy machine. A rate limit that
    // was kept by mistake would last for an hour.
    await using world = await openCheckedWorld({ bot: "none", clock: "still" });
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-clock-"));
    const file = join(folder.path, "clock");
    await setClock(file, 0);
    await using program = await startProgram({ ...world.env, ...faketimeEnv(file) });
    await setClock(file, -HOUR_MS);
    // The service is slow, so each of these answers is deferred and then edited, which takes another request.
    world.transport.faults.add({ path: /./, do: "slow", delayMs: 1_700, times: 9 });
    const { trains } = world.channels;
    const asking = Array.from({ length: 55 }, () =>
      world.member("Ada").slash(trains, "departures", { station: "YRK", view: "text" }),
    );
    const texts = (await Promise.all(asking)).map(({ text }) => text);
    expect(new Set(texts.map((text) => text.slice(0, 25)))).toEqual(new Set(["### Departures from York\n"]));
    expect(await program.terminate()).toBe(0);
  });
});
