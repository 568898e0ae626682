// The interface that both ways of running the bot share.
import type { AppOptions } from "../../src/app.ts";
import type { SandboxClock } from "../clock/clock.ts";

export interface BotSurroundings {
  /** The bot's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: SandboxClock;
  /** Default: the bot's own commands. */
  readonly commandsDir?: URL | undefined;
  /** Wraps every database statement of a bot inside this process. */
  readonly intercept?: AppOptions["intercept"];
  /** The initial content of a database in memory, of a bot inside this process. Default: none. */
  readonly content?: AppOptions["content"];
  /** Replaces the start of the picture process of a bot inside this process. */
  readonly startPictureChild?: AppOptions["startPictureChild"];
  /**
   * Whether a bot in its own process collects the garbage of its start, as in production. Default true. Takes 0.2 s of
   * processor time.
   */
  readonly collectsGarbage?: boolean | undefined;
  /** Aborts a start that is no longer wanted. */
  readonly signal?: AbortSignal;
  readonly onLine: (line: string) => void;
  /** The descriptor of a file for the log of a bot in its own process. Default: the log goes to `onLine`. */
  readonly logFile?: number | undefined;
}

export interface RunningBot {
  /** `undefined` for a bot inside this process. */
  readonly pid: number | undefined;
  /** Runs the bot's next tick now. Resolves when the tick is done or the bot has ended. */
  tick(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the bot like a crash, without a clean stop. A bot inside this process is stopped instead. */
  kill(): Promise<void>;
  /** Settles when the bot ends unexpectedly; if it has its own process, also after `stop` and `kill`. */
  readonly ended: Promise<unknown>;
}
