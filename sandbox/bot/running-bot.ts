// The input and output of both ways to run the bot.
import type { AppOptions } from "../../src/app.ts";
import type { SandboxClock } from "../clock/clock.ts";

export interface BotSurroundings {
  /** The bot's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: SandboxClock;
  /** Default: the bot's own commands. */
  readonly commandsDir?: URL | undefined;
  /** Wraps every database statement of a bot that runs inside. */
  readonly intercept?: AppOptions["intercept"];
  /**
   * Whether a bot in a process of its own gives back what its start leaves behind, as in production (default): 0.2 s of
   * a processor.
   */
  readonly collectsGarbage?: boolean | undefined;
  /** Aborts a start that is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Called with each line that the bot writes. */
  readonly onLine: (line: string) => void;
  /** An open file that takes the log of a bot in a process of its own. Default: `onLine` gets it. */
  readonly logFile?: number | undefined;
}

/** A bot that is ready. */
export interface RunningBot {
  /** `undefined` for a bot inside this process. */
  readonly pid: number | undefined;
  /** Runs what its next tick would do, now; settles when that is done or the bot has ended. */
  tick(): Promise<void>;
  stop(): Promise<void>;
  /** Like a crash, without a clean stop. For a bot inside, the same as `stop`. */
  kill(): Promise<void>;
  /** Settles when the bot ends by itself. */
  readonly ended: Promise<unknown>;
}
