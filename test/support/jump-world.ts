// A bot whose machine has its own clock, which jumps and is right afterwards.
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import type { WorldOptions } from "../../sandbox/world.ts";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { advanceWhenIdle } from "./until.ts";

/** The length of a step: in between, one side may have to answer what the other started. */
const STEP_MS = 10_000;

export interface JumpWorldOptions extends Omit<WorldOptions, "bot" | "clock"> {
  /**
   * How far the bot's clock will jump. Ahead: like a machine that was paused while time passed everywhere else. Back:
   * the clock is too far ahead from the beginning and is then corrected.
   */
  readonly jumpMs: number;
}

/** Opens a world and starts the bot, which ends with it. */
export async function openJumpWorld({ jumpMs, ...options }: JumpWorldOptions) {
  const world = await openCheckedWorld({ ...options, bot: "none" });
  const clock = createSandboxClock({ atMs: world.clock.now() - Math.min(0, jumpMs), mode: "still" });
  const log = createLog({ level: "silent", secrets: [] });
  const app = await startApp({ config: readConfig(world.env), clock, log });

  /** Lets time pass everywhere, with a tick of the bot's jobs at the end of each step. */
  async function pass(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= STEP_MS) {
      const stepMs = Math.min(leftMs, STEP_MS);
      await advanceWhenIdle(world, stepMs);
      await clock.advance(stepMs);
      await app.tick();
    }
  }

  /** Makes the clock jump: no time passes for the bot. */
  async function jump(): Promise<void> {
    await clock.jump(jumpMs);
    await world.clock.jump(Math.max(0, jumpMs));
  }

  /** Lets time pass until a message in a channel matches, for ten minutes at most. */
  async function passUntil(member: Member, channel: Channel, text: RegExp): Promise<SeenMessage> {
    for (let steps = 0; steps < 600; steps += 1) {
      const found = member.messages(channel).findLast((message) => text.test(message.text));
      if (found !== undefined) {
        return found;
      }
      await pass(1_000);
    }
    throw new Error(`no message matches ${text}; the last: ${member.messages(channel).at(-1)?.text}`);
  }

  return {
    world,
    pass,
    passUntil,
    jump,
    /** Makes only the bot's clock wrong by this much. */
    setWrong: (byMs: number) => clock.jump(byMs),
    tick: () => app.tick(),
    async [Symbol.asyncDispose]() {
      await app.stop();
      clock.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
