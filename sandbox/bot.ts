// The bot of a world, wherever it lives: started, stopped, killed and started again.
import { runBotInside } from "./bot-inside.ts";
import { runBotInProcess } from "./bot-process.ts";
import type { BotSurroundings, RunningBot } from "./running-bot.ts";

/** `inside`: in this process. `process`: a child of its own. `none`: whoever wants logs in. */
export type BotPlace = "inside" | "process" | "none";

export interface BotControl {
  readonly isRunning: boolean;
  readonly pid: number | undefined;
  /** Every line that it wrote: JSON, as its log is. */
  readonly log: readonly string[];
  /** Settles when it is ready. Throws what kept it from starting, or where it runs already. */
  start(): Promise<void>;
  /** Lets it do what its next tick would do, now. Throws where it does not run. */
  tick(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const RUN = { inside: runBotInside, process: runBotInProcess } as const;

export function createBotControl(place: BotPlace, surroundings: Omit<BotSurroundings, "onLine">): BotControl {
  const log: string[] = [];
  let running: RunningBot | undefined;

  async function end(how: "stop" | "kill"): Promise<void> {
    const ending = running;
    running = undefined;
    await ending?.[how]();
  }

  async function forgetOnceEnded(started: RunningBot): Promise<void> {
    await started.ended;
    running = running === started ? undefined : running;
  }

  return {
    log,
    get isRunning() {
      return running !== undefined;
    },
    get pid() {
      return running?.pid;
    },
    async start() {
      if (place === "none") {
        return;
      }
      if (running !== undefined) {
        throw new Error("the bot runs already");
      }
      const started = await RUN[place]({ ...surroundings, onLine: (line) => log.push(line.trimEnd()) });
      running = started;
      void forgetOnceEnded(started);
    },
    async tick() {
      if (running === undefined) {
        throw new Error("the bot does not run");
      }
      await running.tick();
    },
    stop: () => end("stop"),
    kill: () => end("kill"),
  };
}
