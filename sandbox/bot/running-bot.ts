// What every way of running the bot is given and gives back.
import type { AppOptions } from "../../src/app.ts";
import type { TurnedClock } from "../clock/clock.ts";

/** What a bot needs to be started. */
export interface BotSurroundings {
  /** The bot's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: TurnedClock;
  /** Default the bot's own commands. */
  readonly commandsDir?: URL | undefined;
  /** Around every statement of the database of a bot inside. */
  readonly intercept?: AppOptions["intercept"];
  /** Aborted when a bot that starts is wanted no more. */
  readonly signal?: AbortSignal;
  /** Takes what the bot writes, line by line. */
  readonly onLine: (line: string) => void;
}

/** A bot that is ready. */
export interface RunningBot {
  /** Its process; `undefined` for one inside. */
  readonly pid: number | undefined;
  /** Lets it do what its next tick would do, now; settles when that is done, or the bot has ended. */
  tick(): Promise<void>;
  stop(): Promise<void>;
  /** As a crash: nothing is said goodbye to. Inside this is the same as `stop`. */
  kill(): Promise<void>;
  /** Settles when it ends by itself. */
  readonly ended: Promise<void>;
}
