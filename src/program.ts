// Shared by the bot's programs: how they read their settings, report failures and end.
import { systemClock } from "./core/clock.ts";
import { type Config, readStorage } from "./core/config.ts";
import { ConfigError, EXIT_CONFIG, EXIT_FAILURE, type FailureCode, ServiceError } from "./core/errors.ts";
import { type LogLevel, createLog } from "./core/log.ts";

/** Only an unexpected error is shown with its stack and those of its causes, so that it can be reported. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError) {
    return error.problems.join("\n");
  }
  const errors = withCauses(error);
  if (error instanceof ServiceError) {
    const reasons = errors.slice(1).flatMap(({ message }) => message || []);
    const why = reasons.length === 0 ? "" : ` The reason given: ${reasons.join("; ")}.`;
    return `A service that the bot needs is not available (${error.message}).${why} ${error.reason === "disk full" ? "Free some space" : "Try again later"}.`;
  }
  return `This failed for an unexpected reason; please report it. ${errors.map(({ stack }) => stack).join("\nCaused by: ")}`;
}

function withCauses(thrown: unknown): readonly Error[] {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...causes.filter((cause) => cause !== undefined).flatMap(withCauses)];
}

export function exitCodeOf(error: unknown): FailureCode {
  return error instanceof ConfigError && !error.isTransient ? EXIT_CONFIG : EXIT_FAILURE;
}

/** Prints the sentences that `work` returns, or why it failed. With `--help`, it only prints `usage`. */
export async function runProgram(
  usage: string,
  work: () => Promise<readonly string[] | void>,
): Promise<void> {
  if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    for (const sentence of (await work()) ?? []) {
      process.stdout.write(`${sentence}\n`);
    }
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** Runs a program as {@link runProgram} does. `work` gets only the database's settings, and the program's arguments. */
export function runOnDatabase(
  usage: string,
  work: (
    options: ReturnType<typeof readOptions>,
    args: readonly string[],
  ) => Promise<readonly string[] | void>,
  logLevel: LogLevel = "warn",
): Promise<void> {
  return runProgram(usage, () => work(readOptions(logLevel), process.argv.slice(2)));
}

function readOptions(level: LogLevel) {
  const { databaseUrl: url, ...others } = readStorage();
  return { url, ...others, clock: systemClock, log: createLog({ level, secrets: [] }) };
}

/** The features that are not set up, each with the variables that would set it up, e.g. `videos (SECRET_KEY)`. */
export function listUnset({ transport, railData, style, video }: Config): readonly string[] {
  const ofTransport = "TRANSPORT_APP_ID, TRANSPORT_APP_KEY and TRANSPORT_BUDGET";
  const trains = `trains (${ofTransport}, or RAIL_DATA_DEPARTURES_URL and RAIL_DATA_DEPARTURES_KEY)`;
  return [
    ...(transport ? [] : [railData ? `journeys, timetables, places and buses (${ofTransport})` : trains]),
    ...(style ? [] : ["pictures (STYLE_API_BASE_URL and STYLE_API_KEY)"]),
    ...(video ? [] : ["videos (VIDEO_ACCESS_TOKEN or SECRET_KEY)"]),
  ];
}
