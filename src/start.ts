// `npm start`: runs the bot with the machine's clock and the environment's settings.
import { accessSync, constants, existsSync } from "node:fs";
import type { App } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { listSecrets, readConfig } from "./core/config.ts";
import { findMisspelt, isSet, isStartedByNpm } from "./core/environment.ts";
import { EXIT_FAILURE } from "./core/errors.ts";
import { DEFAULT_FILE } from "./core/variables.ts";
import { type Log, createLog } from "./core/log.ts";
import { exitCodeOf, explainFailure, listUnset } from "./program.ts";
import manifest from "../package.json" with { type: "json" };

/** Shorter than the ten seconds that container runtimes wait before they kill a process. */
const STOP_GRACE_MS = 8_000;
/** Counted from the signal. If the stop has not finished by then, it never will. */
const STOP_DEADLINE_MS = 9_000;
const SHELL_CHECK_MS = 1_000;
const SETTINGS_FILE = ".env";

/** Starts the bot. Resolves when it is ready. If it cannot start, prints why and ends the process. */
export async function start(commandsDir: URL): Promise<void> {
  // On a full disk, lines are lost. Without a listener, the error would end the process.
  process.stderr.on("error", () => undefined);
  const shell = isStartedByNpm() ? process.ppid : undefined;
  await askForSettings();
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
    // The app is loaded only now: loading takes five times as long as everything needed to report a wrong setting.
    const { startApp } = await import("./app.ts");
    log.info({ version: manifest.version, node: process.version, notSetUp }, "bot starting");
    // Our own code handles all rejections. One from a library must not stop the bot for every server.
    process.on("unhandledRejection", (error) => log.error({ error }, "unhandled rejection"));
    let app: App | undefined = undefined;
    const end = (exitCode: number): void => {
      removeSignalListener();
      stopShellCheck();
      endCode = exitCode;
      stopping.abort();
      endProcess(app, exitCode, log);
    };
    const stop = (signal: string): void => {
      log.info({ signal }, "stopping");
      end(0);
    };
    const removeSignalListener = onSignal(stop);
    const stopShellCheck = onShellGone(shell, () => stop("none: `npm start` has ended"));
    app = await startApp({
      config,
      clock: systemClock,
      log,
      formerFile: DEFAULT_FILE,
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

/** Whether `.env` can be written. In the image it cannot, because settings come from the environment there. */
function mayWriteHere(): boolean {
  try {
    accessSync(".", constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function askForSettings(): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (
    input.isTTY &&
    output.isTTY &&
    !isSet("DISCORD_TOKEN") &&
    !existsSync(SETTINGS_FILE) &&
    mayWriteHere()
  ) {
    const { writeSettings } = await import("./first-settings.ts");
    if (await writeSettings(SETTINGS_FILE, { input, output })) {
      process.loadEnvFile(SETTINGS_FILE);
    }
  }
}

/** Ends the process once the app has stopped, or has failed to stop in time. Without an app, `start` ends the process. */
function endProcess(app: App | undefined, exitCode: number, log: Log): void {
  const earlyExitCode = exitCode === 0 ? EXIT_FAILURE : exitCode;
  // A second signal ends the process immediately. Without a listener, a container's first process would ignore it.
  onSignal(() => process.exit(earlyExitCode));
  systemClock.after(STOP_DEADLINE_MS, () => {
    log.error({ deadlineMs: STOP_DEADLINE_MS }, "stop not finished in time");
    process.exit(earlyExitCode);
  });
  app?.stop({ graceMs: STOP_GRACE_MS }).then(
    () => process.exit(exitCode),
    (error: unknown) => {
      log.error({ error }, "stop failed");
      process.exit(earlyExitCode);
    },
  );
}

/** Calls `act` once, at the next SIGTERM or SIGINT. Returns a function that stops listening. */
function onSignal(act: (signal: string) => void): () => void {
  const stopListening = (): void => void process.off("SIGTERM", once).off("SIGINT", once);
  const once = (signal: string): void => {
    stopListening();
    act(signal);
  };
  process.on("SIGTERM", once).on("SIGINT", once);
  return stopListening;
}

/**
 * Calls `act` once, when npm's shell has ended. Returns a function that stops checking. npm passes a SIGTERM to its shell,
 * but the shell does not pass it on: without this, the bot would continue unseen, beside the next one that is started.
 */
function onShellGone(shell: number | undefined, act: () => void): () => void {
  const check = (): void => {
    if (shell !== undefined && process.ppid !== shell) {
      clearInterval(timer);
      act();
    }
  };
  const timer = setInterval(check, SHELL_CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** Prints a line for a person, to the standard error, because the standard output is for the log. */
function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
