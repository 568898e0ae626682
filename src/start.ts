// `npm start`: the bot on this machine's clock, set up by the environment.
import { accessSync, constants, existsSync } from "node:fs";
import type { App } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { findMisspelt, isStartedByNpm, isTokenUnset, listSecrets, readConfig } from "./core/config.ts";
import { EXIT_FAILURE } from "./core/errors.ts";
import { type Log, createLog } from "./core/log.ts";
import { exitCodeOf, explainFailure, listUnset } from "./program.ts";
import manifest from "../package.json" with { type: "json" };

/** Shorter than the ten seconds that container runtimes wait before they kill. */
const STOP_GRACE_MS = 8_000;
/** Counted from the signal. What has not ended by then hangs for good. */
const STOP_DEADLINE_MS = 9_000;
const SHELL_CHECK_MS = 1_000;
/** Where `npm start` reads the settings. */
const SETTINGS_FILE = ".env";

/** Settles when the bot is ready, or when it has said why it cannot be. */
export async function start(commandsDir: URL): Promise<void> {
  // On a full disk its lines are lost. Without a listener, the error would end the process.
  process.stderr.on("error", () => undefined);
  const shell = isStartedByNpm() ? process.ppid : undefined;
  await offerSettings();
  const misspelt = findMisspelt();
  misspelt.forEach(printLine);
  const stopping = new AbortController();
  /** Set once the start must not continue. */
  let endCode: number | undefined;
  try {
    const config = readConfig();
    const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
    misspelt.forEach((sentence) => log.warn({ sentence }, "variable without effect"));
    const notSetUp = listUnset(config);
    // Loaded only now, since it takes five times as long as all that a wrong setting needs.
    const { startApp } = await import("./app.ts");
    log.info({ version: manifest.version, node: process.version, notSetUp }, "bot starting");
    // Nothing of ours leaves a rejection unhandled; a library that does must not take every server's bot down.
    process.on("unhandledRejection", (error) => log.error({ error }, "unhandled rejection"));
    let app: App | undefined = undefined;
    const end = (exitCode: number): void => {
      forgetSignals();
      forgetShell();
      endCode = exitCode;
      stopping.abort();
      endProcess(app, exitCode, log);
    };
    const stop = (signal: string): void => {
      log.info({ signal }, "stopping");
      end(0);
    };
    const forgetSignals = onSignal(stop);
    const forgetShell = onShellGone(shell, () => stop("none: `npm start` has ended"));
    app = await startApp({
      config,
      clock: systemClock,
      log,
      commandsDir,
      announce: printLine,
      signal: stopping.signal,
      stopGraceMs: STOP_GRACE_MS,
      onFatal: (_, exitCode) => end(exitCode),
    });
    if (notSetUp.length > 0) {
      printLine(`Not set up: ${notSetUp.join(", ")}.`);
    }
  } catch (error) {
    if (endCode !== undefined) {
      process.exit(endCode);
    }
    printLine(explainFailure(error));
    process.exit(exitCodeOf(error));
  }
}

/** Whether `.env` can be written. Not in the image: its settings come from the environment. */
function mayWriteHere(): boolean {
  try {
    accessSync(".", constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Asks a person at a terminal for the settings, where there are none yet. */
async function offerSettings(): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (input.isTTY && output.isTTY && isTokenUnset() && !existsSync(SETTINGS_FILE) && mayWriteHere()) {
    const { writeSettings } = await import("./first-settings.ts");
    if (await writeSettings(SETTINGS_FILE, { input, output })) {
      process.loadEnvFile(SETTINGS_FILE);
    }
  }
}

/** Ends the process once the app has stopped, or could not in time. Without an app, the start ends it. */
function endProcess(app: App | undefined, exitCode: number, log: Log): void {
  const codeOfHaste = exitCode === 0 ? EXIT_FAILURE : exitCode;
  // The first process of a container would ignore a signal that nobody listens for.
  onSignal(() => process.exit(codeOfHaste));
  systemClock.after(STOP_DEADLINE_MS, () => {
    log.error({ deadlineMs: STOP_DEADLINE_MS }, "stop not finished in time");
    process.exit(codeOfHaste);
  });
  // Without an app, the start is still under way and ends by itself.
  app?.stop({ graceMs: STOP_GRACE_MS }).then(
    () => process.exit(exitCode),
    (error: unknown) => {
      log.error({ error }, "stop failed");
      process.exit(codeOfHaste);
    },
  );
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
 * npm passes a SIGTERM to its shell, and the shell does not pass it on: the bot would run on unseen, beside the next one
 * that is started. Calls back when the shell has gone, once. Returns what ends the waiting.
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
