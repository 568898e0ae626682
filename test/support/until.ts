// Waiting for what follows from what was done.
import type { World } from "../../sandbox/world.ts";

const DEADLINE_MS = 30_000;
/** What comes at once is seen at once; what takes longer is looked for without keeping a core busy. */
const QUICK_LOOKS = 200;
const LOOK_EVERY_MS = 2;

/** Waits, in real time, until something is so. Throws where it never is. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  deadlineMs: number = DEADLINE_MS,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (performance.now() > endMs) {
      throw new Error(`waited for ${deadlineMs} ms in vain for ${String(isSo)}`);
    }
    await new Promise((resolve) => {
      if (looks < QUICK_LOOKS) {
        setImmediate(resolve);
      } else {
        setTimeout(resolve, LOOK_EVERY_MS);
      }
    });
  }
}

/**
 * Turns the clock on in small steps until something is done, at a pace that lets a living service be in time: waits of
 * the bot follow the clock, and nothing else would move it.
 */
export async function turnUntil<T>(
  { clock }: Pick<World, "clock">,
  waiting: Promise<T>,
  stepMs = 20,
): Promise<T> {
  const state = { settled: false };
  const settle = (): void => {
    state.settled = true;
  };
  waiting.then(settle, settle);
  while (!state.settled) {
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return waiting;
}

/** Waits until all requests of the bot have been answered. Those of a bot that was killed may still be arriving. */
export async function untilAllAnswered(world: World): Promise<void> {
  const { discord, style, transport, railData, tfl, video } = world;
  const servers = [discord.traffic, style, transport, railData, tfl, video];
  // They are read within the next turns of the event loop.
  await turnEventLoop();
  await until(() => servers.every(({ calls }) => !calls.isAwaited(Infinity)));
}

/** Turns the clock once the bot has been answered everything that it asked: time that leaps would be the answer's. */
export async function turnOn(world: World, durationMs: number): Promise<void> {
  await untilAllAnswered(world);
  // What was answered reaches a bot inside with the next turns of the event loop, and one in a process before the clock.
  await turnEventLoop();
  await world.clock.advance(durationMs);
}

async function turnEventLoop(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
