// What the program writes about itself: one JSON object a line, without secrets. The one door to pino.
import { pino, stdTimeFunctions } from "pino";
import { formatError } from "./log-error.ts";
import { createLogOutput, type LogOutput } from "./log-output.ts";
import { createRedactor } from "./log-redact.ts";

/** From the most to the least talkative. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes lines. An error goes in as a field, e.g. `log.error({ error }, "the board was not posted")`. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A log that adds these fields to every line. */
  child(fields: Readonly<Record<string, unknown>>): Log;
}

/** How a log is made. */
export interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, in whatever form; see `log-redact.ts`. */
  readonly secrets: readonly string[];
  /** Default the standard output. */
  readonly destination?: LogOutput;
}

const STANDARD_OUTPUT = 1;

/** Opens a log. */
export function createLog({ level, secrets, destination }: LogOptions): Log {
  const redact = createRedactor(secrets);
  const target = destination ?? createLogOutput(STANDARD_OUTPUT, formatLoss);
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: formatFields },
      serializers: { err: (error: unknown) => error },
    },
    { write: (line: string) => target.write(redact(line)) },
  );
}

function formatLoss(lines: number): string {
  return `{"level":"warn"${stdTimeFunctions.isoTime()},"lines":${lines},"msg":"log lines lost"}\n`;
}

function formatFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? formatError(value) : value,
    ]),
  );
}
