// How a start ended, in words for the person who started the program.
import type { Config } from "./core/config.ts";
import { ConfigError, EXIT_CONFIG, EXIT_FAILURE, type FailureCode, ServiceError } from "./core/errors.ts";

/** A ConfigError's sentences, one a line; a service that is away by its name; anything else with its stack, to be reported. */
export function explainStart(error: unknown): string {
  if (error instanceof ConfigError) {
    return error.problems.join("\n");
  }
  if (error instanceof ServiceError) {
    return `A service that the bot needs is not available (${error.message}). Try again later.`;
  }
  return `The bot could not start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

export function exitCodeOf(error: unknown): FailureCode {
  return error instanceof ConfigError && !error.mayPass ? EXIT_CONFIG : EXIT_FAILURE;
}

/** Runs a program that ends by itself: prints the sentence that it gives, if any, or why it could not do its work. */
export async function runProgram(work: () => Promise<string | void>): Promise<void> {
  try {
    const sentence = await work();
    process.stdout.write(sentence ? `${sentence}\n` : "");
  } catch (error) {
    process.stderr.write(`${explainStart(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** What the bot does without, each with the variables that would change it, e.g. `videos (SECRET_KEY)`. */
export function listUnset({ transport, railData, style, video }: Config): readonly string[] {
  const ofTransport = "TRANSPORT_APP_ID, TRANSPORT_APP_KEY and TRANSPORT_BUDGET";
  const trains = `trains (${ofTransport}, or RAIL_DATA_DEPARTURES_URL and RAIL_DATA_DEPARTURES_KEY)`;
  return [
    ...(transport ? [] : [railData ? `journeys, timetables, places and buses (${ofTransport})` : trains]),
    ...(style ? [] : ["pictures (STYLE_API_BASE_URL and STYLE_API_KEY)"]),
    ...(video ? [] : ["videos (VIDEO_ACCESS_TOKEN or SECRET_KEY)"]),
  ];
}
