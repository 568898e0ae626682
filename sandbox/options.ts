// What can be said to `npm run sandbox` on its command line.
import { parseArgs } from "node:util";

/**
 * Where the bot's trains come from. The stand-ins of all of them run in every world: the first two over the same trains, the
 * third for London.
 */
export const SOURCES = ["transport", "rail-data", "tfl"] as const;

export type SourceName = (typeof SOURCES)[number];

/** How the sandbox is to be opened. */
export interface SandboxOptions {
  readonly port: number;
  /** Where its clock begins, ISO 8601 in UTC; `undefined`: the machine's now. */
  readonly at: string | undefined;
  /** Where the bot's trains come from. */
  readonly sources: readonly SourceName[];
  /** Whether the bot is left to whoever wants to log in. */
  readonly isWithoutBot: boolean;
}

/** What a wrong or a curious command line is answered with. */
export const USAGE = `Usage: npm run sandbox -- [--port 8086] [--at 2026-11-20T17:20] [--sources ${SOURCES.join(",")}] [--without-bot]
  --port         where the page is served (default: 8086)
  --at           where the sandbox's clock begins, UK time (default: now)
  --sources      where the bot's trains come from, separated by commas (default: all of these)
  --without-bot  starts no bot, and says how another one logs in
  --help         shows this`;

const DEFAULT_PORT = 8086;

/** Reads the arguments after the script's name; a text is what to tell instead of starting. */
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

/** Whether few trains run at this moment, so that a newcomer would find empty boards. */
export function isNightInUk(atMs: number): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO("Europe/London");
  return hour < 5;
}
