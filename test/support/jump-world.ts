// A bot whose machine has a clock of its own, which jumps; afterwards it is right.
import { createTurnedClock } from "../../sandbox/clock/clock.ts";
import type { SeenMessage } from "../../sandbox/discord/actors/acts.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { WorldOptions } from "../../sandbox/world.ts";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { openJudgedWorld } from "./judged-world.ts";
import { advanceWhenIdle } from "./until.ts";

/** Time goes by in steps of so much, as what one side starts the other may have to answer. */
const STEP_MS = 10_000;

export interface JumpWorldOptions extends Omit<WorldOptions, "bot" | "clock"> {
  /**
   * How far the bot's clock will jump. Ahead: as that of a machine that was paused, while time went by everywhere else.
   * Back: it is too far ahead from the beginning, and is put right.
   */
  readonly jumpMs: number;
}

/** Opens one; the bot ends with it. */
export async function openJumpWorld({ jumpMs, ...options }: JumpWorldOptions) {
  const world = await openJudgedWorld({ ...options, bot: "none" });
  const clock = createTurnedClock({ atMs: world.clock.now() - Math.min(0, jumpMs), mode: "still" });
  const log = createLog({ level: "silent", secrets: [] });
  const app = await startApp({ config: readConfig(world.env), clock, log });

  /** Time goes by everywhere, with a tick of the bot's jobs at the end of each step. */
  async function pass(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= STEP_MS) {
      const stepMs = Math.min(leftMs, STEP_MS);
      await advanceWhenIdle(world, stepMs);
      await clock.advance(stepMs);
      await app.tick();
    }
  }

  /** The jump: no time passes for the bot. */
  async function jump(): Promise<void> {
    await clock.jump(jumpMs);
    await world.clock.jump(Math.max(0, jumpMs));
  }

  /** Lets time go by until a message in a channel says this, for ten minutes at most. */
  async function passUntil(member: Member, channel: Channel, text: RegExp): Promise<SeenMessage> {
    for (let steps = 0; steps < 600; steps += 1) {
      const found = member.messages(channel).findLast((message) => text.test(message.text));
      if (found !== undefined) {
        return found;
      }
      await pass(1_000);
    }
    throw new Error(`nothing says ${text}: ${member.messages(channel).at(-1)?.text}`);
  }

  return {
    world,
    pass,
    passUntil,
    jump,
    /** Sets the bot's clock alone, wrong by so much. */
    setWrong: (byMs: number) => clock.jump(byMs),
    tick: () => app.tick(),
    async [Symbol.asyncDispose]() {
      await app.stop();
      clock.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
