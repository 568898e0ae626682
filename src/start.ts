// `npm start`: the bot on this machine's clock, set up by the environment.
import { startApp } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { listSecrets, readConfig } from "./core/config.ts";
import { createLog } from "./core/log.ts";
import { explainStart } from "./explain-start.ts";

/** Shorter than the ten seconds that container runtimes wait before they kill. */
const STOP_GRACE_MS = 8_000;

/** Settles when the bot is ready, or when it has said why it cannot be. */
export async function start(): Promise<void> {
  try {
    const config = readConfig();
    const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
    // Nothing of ours leaves a rejection unhandled; a library that does must not take every server's bot down.
    process.on("unhandledRejection", (error) => log.error({ error }, "a rejection nobody handled"));
    const app = await startApp({ config, clock: systemClock, log, announce: printLine });
    const stop = (signal: string): void => {
      log.info({ signal }, "stopping");
      app.stop({ graceMs: STOP_GRACE_MS }).catch((error: unknown) => {
        log.error({ error }, "the bot did not stop cleanly");
        process.exitCode = 1;
      });
    };
    // A second signal finds no listener any more and ends the process at once.
    process.once("SIGTERM", stop).once("SIGINT", stop);
  } catch (error) {
    printLine(explainStart(error));
    process.exitCode = 1;
  }
}

/** Lines for a person go to the standard error: the standard output is the log's. */
function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
