// Why a program could not start, in words for the person who started it.
import { ConfigError } from "./core/errors.ts";

/** A ConfigError's sentences, one a line; anything else with its stack, to be reported. */
export function explainStart(error: unknown): string {
  if (error instanceof ConfigError) {
    return error.problems.join("\n");
  }
  return `The bot could not start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
