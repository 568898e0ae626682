// Starts, stops, kills and restarts the bot of a world, in this process or in its own.
import { listSecrets, readConfig } from "../../src/core/config.ts";
import { pushBounded } from "../http/push-bounded.ts";
import { runBotInside } from "./inside.ts";
import { runBotInProcess } from "./process.ts";
import type { BotSurroundings, RunningBot } from "./running-bot.ts";

/** `inside`: in this process. `process`: in a child process. `none`: any client may log in. */
export type BotPlace = "inside" | "process" | "none";

export interface BotStatus {
  readonly phase: "starting" | "ready" | "stopped";
  readonly starts: number;
  /** `stopped`: why the bot could not start, or that it ended unexpectedly; `undefined` if it was stopped. */
  readonly problem: string | undefined;
  /** `stopped`: the bot had started and then ended without being told to. */
  readonly isUnexpected: boolean;
}

export type BotControl = ReturnType<typeof createBotControl>;

const RUN = { inside: runBotInside, process: runBotInProcess } as const;

const KEPT_LINES = 100_000;

const NEVER_STARTED: BotStatus = { phase: "stopped", starts: 0, problem: undefined, isUnexpected: false };

export function createBotControl(
  place: BotPlace,
  surroundings: Omit<BotSurroundings, "onLine">,
  onLine: (line: string) => void = () => undefined,
) {
  const log: string[] = [];
  const listeners = new Set<(status: BotStatus) => void>();
  let running: RunningBot | undefined;
  let starting: AbortController | undefined;
  let launched: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let status = NEVER_STARTED;

  function setPhase(phase: BotStatus["phase"], more: Partial<BotStatus> = {}): void {
    status = { ...status, problem: undefined, isUnexpected: false, ...more, phase };
    for (const listener of listeners) {
      listener(status);
    }
  }

  async function launch(from: keyof typeof RUN, signal: AbortSignal): Promise<void> {
    setPhase("starting", { starts: status.starts + 1 });
    try {
      const started = await RUN[from]({
        ...surroundings,
        signal,
        onLine(line) {
          pushBounded(log, line.trimEnd(), KEPT_LINES);
          onLine(line.trimEnd());
        },
      });
      if (signal.aborted) {
        await started.kill();
        throw new Error("the bot was stopped while it started");
      }
      running = started;
    } catch (error) {
      setPhase("stopped", { problem: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      starting = undefined;
    }
    setPhase("ready");
    void watchForEnd(running);
  }

  async function end(how: "stop" | "kill"): Promise<void> {
    if (starting !== undefined) {
      starting.abort();
      // A start in this process cannot be aborted: the bot ends once it has started.
      await (place === "process" ? launched?.catch(() => undefined) : undefined);
    }
    const bot = running;
    running = undefined;
    if (bot !== undefined) {
      ending = bot[how]()
        .then(() => setPhase("stopped"))
        .finally(() => (ending = undefined));
    }
    await ending;
  }

  async function watchForEnd(started: RunningBot): Promise<void> {
    await started.ended;
    if (running === started) {
      running = undefined;
      const problem = "It stopped unexpectedly. Its last lines are in the terminal.";
      setPhase("stopped", { isUnexpected: true, problem });
    }
  }

  return {
    place,
    /** The lines that the bot wrote, mostly log lines in JSON; at most the last 200,000. */
    log,
    get secrets() {
      return listSecrets(readConfig(surroundings.env));
    },
    get status() {
      return status;
    },
    get isRunning() {
      return running !== undefined;
    },
    get pid() {
      return running?.pid;
    },
    onChange(listener: (status: BotStatus) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /**
     * Starts the bot and resolves when it is ready. First waits for a bot that is stopping. Throws if the bot cannot
     * start, or if it is running or starting already.
     */
    async start() {
      if (place === "none") {
        return;
      }
      if (ending !== undefined) {
        await ending;
      }
      if (running !== undefined || starting !== undefined) {
        throw new Error("the bot is already running");
      }
      starting = new AbortController();
      launched = launch(place, starting.signal);
      await launched;
    },
    /** Runs the bot's next tick now. Throws if the bot is not running. */
    async tick() {
      if (running === undefined) {
        throw new Error("the bot is not running");
      }
      await running.tick();
    },
    /** Stops the bot, even while it is starting; `start` then throws. */
    stop: () => end("stop"),
    kill: () => end("kill"),
  };
}
