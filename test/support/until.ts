// Waiting for the effects of an action.
import type { World } from "../../sandbox/world.ts";

const DEADLINE_MS = 30_000;
/** Polls quickly at first, then without keeping a core busy. */
const QUICK_LOOKS = 200;
const LOOK_EVERY_MS = 2;
/**
 * The longest wait for an answer after a step of the clock, in real milliseconds. Some tests leave requests hanging on
 * purpose.
 */
const MAX_PATIENCE_MS = 2_000;

/** Waits, in real time, until a condition is met. Throws if it is not met in time. */
export async function until(
  isMet: () => boolean | Promise<boolean>,
  deadlineMs: number = DEADLINE_MS,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  for (let looks = 0; !(await isMet()); looks += 1) {
    if (performance.now() > endMs) {
      throw new Error(`not true after ${deadlineMs} ms: ${String(isMet)}`);
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

/** Returns a function that says whether a promise has settled. A rejection is left to those who await it. */
export function watchSettled(waiting: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  waiting.then(settle, settle);
  return () => isSettled;
}

/**
 * Advances the clock in steps until `waiting` settles: the bot's waits follow the clock, and nothing else moves it. After
 * each step, the services have time to answer, so that requests do not time out just because the machine is busy.
 */
export async function advanceUntil<T>(world: World, waiting: Promise<T>, stepMs = 20): Promise<T> {
  const isSettled = watchSettled(waiting);
  const patienceMs = Math.min(stepMs, MAX_PATIENCE_MS);
  while (!isSettled()) {
    await world.clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
    await until(() => isSettled() || !world.isAnswerAwaited(patienceMs));
  }
  return waiting;
}

/** Waits until all requests of the bot have been answered. Those of a bot that was killed may still be arriving. */
export async function untilAllAnswered(world: World): Promise<void> {
  // Requests that are still arriving are read within the next few turns of the event loop.
  await turnEventLoop();
  await until(() => !world.isAnswerAwaited(Infinity));
}

/** Advances the clock once all the bot's requests have been answered: otherwise the jump would count as their wait. */
export async function advanceWhenIdle(world: World, durationMs: number): Promise<void> {
  await untilAllAnswered(world);
  // Answers reach a bot in this process within the next turns of the event loop, and a bot in another process before
  // the clock does.
  await turnEventLoop();
  await world.clock.advance(durationMs);
}

async function turnEventLoop(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
