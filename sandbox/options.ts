// The command line of `npm run sandbox`.
import { parseArgs } from "node:util";

/**
 * The sources that the bot can use. The stand-ins for all of them run in every world. The first two have the same
 * trains; the third has London's.
 */
export const SOURCES = ["transport", "rail-data", "tfl"] as const;

export type SourceName = (typeof SOURCES)[number];

/** The seed of the invented trains. With this one, York's board is busy in the rush hour that the sandbox suggests. */
export const SEED = 38;

export interface SandboxOptions {
  readonly port: number;
  /** The initial time of the sandbox's clock, ISO 8601 in UTC; `undefined` means the machine's time. */
  readonly at: string | undefined;
  readonly sources: readonly SourceName[];
  /** Whether the sandbox starts no bot, so that another one can log in. */
  readonly isWithoutBot: boolean;
}

/** Printed for `--help`, and below the error for an invalid command line. */
export const USAGE = `Usage: npm run sandbox -- [--port 8086] [--at 2026-11-20T17:20] [--sources ${SOURCES.join(",")}] [--without-bot]
  --port         where the page is served (default: 8086)
  --at           where the sandbox's clock begins, UK time (default: now)
  --sources      where the bot's trains come from, separated by commas (default: all of these)
  --without-bot  starts no bot, and says how another one logs in
  --help         shows this`;

const DEFAULT_PORT = 8086;

/** Parses the arguments after the script's name. Returns a text to print instead of starting: the usage or an error. */
export function parseSandboxOptions(args: readonly string[]): SandboxOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        at: { type: "string" },
        sources: { type: "string" },
        "without-bot": { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    if (values.help === true) {
      return USAGE;
    }
    return {
      port: values.port === undefined ? DEFAULT_PORT : parsePort(values.port),
      at: values.at === undefined ? undefined : parseUkTime(values.at),
      sources: values.sources === undefined ? SOURCES : parseSources(values.sources),
      isWithoutBot: values["without-bot"] === true,
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new RangeError(`--port ${text} isn't a port: give a number from 0 to 65535.`);
  }
  return port;
}

function parseSources(text: string): readonly SourceName[] {
  return text.split(",").map((word) => {
    const source = SOURCES.find((known) => known === word.trim());
    if (source === undefined) {
      throw new RangeError(`--sources ${text} isn't a list of sources: choose from ${SOURCES.join(", ")}.`);
    }
    return source;
  });
}

function parseUkTime(text: string): string {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime("Europe/London").toInstant().toString();
  } catch (cause) {
    throw new RangeError(`--at ${text} isn't a date and time: write it like 2026-11-20T17:20.`, { cause });
  }
}

/** Whether it is night in the UK, when few trains run and a newcomer would find empty boards. */
export function isNightInUk(atMs: number): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO("Europe/London");
  return hour < 5;
}
