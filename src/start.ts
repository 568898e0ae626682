// `npm start`: the bot on this machine's clock, set up by the environment.
import { startApp } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { isStartedByNpm, listSecrets, readConfig } from "./core/config.ts";
import { createLog } from "./core/log.ts";
import { explainStart, listUnset } from "./explain-start.ts";
import manifest from "../package.json" with { type: "json" };

/** Shorter than the ten seconds that container runtimes wait before they kill. */
const STOP_GRACE_MS = 8_000;
const SHELL_CHECK_MS = 1_000;

/** Settles when the bot is ready, or when it has said why it cannot be. */
export async function start(): Promise<void> {
  const shell = isStartedByNpm() ? process.ppid : undefined;
  try {
    const config = readConfig();
    const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
    const notSetUp = listUnset(config);
    log.info({ version: manifest.version, node: process.version, notSetUp }, "the bot starts");
    // Nothing of ours leaves a rejection unhandled; a library that does must not take every server's bot down.
    process.on("unhandledRejection", (error) => log.error({ error }, "a rejection nobody handled"));
    // Hardly anything is under way yet, and the database takes back what was not written to its end.
    const forget = onSignal((signal) => {
      log.info({ signal }, "stopping");
      process.exit(0);
    });
    const app = await startApp({ config, clock: systemClock, log, announce: printLine });
    forget();
    const stop = (signal: string): void => {
      forgetShell();
      log.info({ signal }, "stopping");
      // The first process of a container would ignore a signal that nobody listens for.
      onSignal(() => process.exit(1));
      app.stop({ graceMs: STOP_GRACE_MS }).catch((error: unknown) => {
        log.error({ error }, "the bot did not stop cleanly");
        process.exitCode = 1;
      });
    };
    const forgetSignals = onSignal(stop);
    const forgetShell = onShellGone(shell, () => {
      forgetSignals();
      stop("none: `npm start` has ended");
    });
    if (notSetUp.length > 0) {
      printLine(`Not set up: ${notSetUp.join(", ")}.`);
    }
  } catch (error) {
    printLine(explainStart(error));
    process.exitCode = 1;
  }
}

/** Calls back at the next signal to end, once. Returns what ends the waiting. */
function onSignal(act: (signal: string) => void): () => void {
  const forget = (): void => void process.off("SIGTERM", once).off("SIGINT", once);
  const once = (signal: string): void => {
    forget();
    act(signal);
  };
  process.on("SIGTERM", once).on("SIGINT", once);
  return forget;
}

/**
 * npm gives a SIGTERM to its shell, and that does not hand it on: the bot would run on unseen, beside the next one that is
 * started. Calls back when the shell has gone, once. Returns what ends the waiting.
 */
function onShellGone(shell: number | undefined, act: () => void): () => void {
  const look = (): void => {
    if (shell !== undefined && process.ppid !== shell) {
      clearInterval(timer);
      act();
    }
  };
  const timer = setInterval(look, SHELL_CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** Lines for a person go to the standard error: the standard output is the log's. */
function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
