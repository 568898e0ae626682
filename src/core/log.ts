// What the program writes about itself: one JSON object a line, without secrets. The only module that imports pino.
import { writeSync } from "node:fs";
import { pino, stdTimeFunctions } from "pino";
import { currentTrace } from "./asker.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Writes lines. An error goes in as a field, e.g. `log.error({ error }, "the board was not posted")`. What is logged
 * while an interaction is answered has its id.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, in whatever form. */
  readonly secrets: readonly string[];
  readonly destination?: LogOutput;
}

const STANDARD_OUTPUT = 1;

export function createLog({ level, secrets, destination }: LogOptions): Log {
  const redact = createRedactor(secrets);
  const target = destination ?? createLogOutput(STANDARD_OUTPUT);
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      mixin: () => ({ interaction: currentTrace()?.id }),
      formatters: { level: (label) => ({ level: label }), log: formatFields },
      serializers: { err: (error: unknown) => error },
    },
    { write: (line: string) => target.write(redact(line)) },
  );
}

/** An error is cut down whatever its field is called. */
function formatFields(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(fields).some((value) => value instanceof Error)) {
    return fields;
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? formatError(value) : value,
    ]),
  );
}

/** What of an error's own fields is worth a line; others may hold bodies and URLs, e.g. discord.js's `requestBody`. */
const FIELDS = ["kind", "service", "status", "code", "retryAfterMs", "requestId", "problems"] as const;

/** A chain longer than this goes round in a circle or adds nothing new. */
const MAX_DEPTH = 8;

/** Turns an error into plain data: its stack, the few fields we trust, and its causes the same way. */
function formatError(error: Error, depth = 0): Record<string, unknown> {
  const formatted: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const field of FIELDS) {
    // An Error may carry any field; it is only copied, and the redactor sees it.
    const value = (error as unknown as Record<string, unknown>)[field];
    if (value !== undefined) {
      formatted[field] = value;
    }
  }
  if (depth < MAX_DEPTH) {
    if (error.cause !== undefined) {
      formatted["cause"] = formatCause(error.cause, depth);
    }
    if (error instanceof AggregateError) {
      formatted["errors"] = error.errors.map((each: unknown) => formatCause(each, depth));
    }
  }
  return formatted;
}

function formatCause(cause: unknown, depth: number): unknown {
  return cause instanceof Error ? formatError(cause, depth + 1) : String(cause);
}

// Where log lines go: a file, a pipe or a terminal. One that takes nothing costs lines, never the process.

interface LogOutput {
  write(line: string): unknown;
}

/** How long to wait for the reader of a pipe that is full. */
const PIPE_RETRY_MS = 50;

/**
 * Writes lines to an open file at once, so that a crash loses none. A line that cannot be written, e.g. on a full disk,
 * is dropped, perhaps after its beginning was written; before the next one that can, a line says how many were.
 */
export function createLogOutput(file: number): LogOutput {
  let lost = 0;
  return {
    write(line) {
      lost = writeWhole(file, Buffer.from(formatLoss(lost) + line)) ? 0 : lost + 1;
    },
  };
}

/** Begins with a new line: a part of the last one may have been written. */
function formatLoss(lines: number): string {
  return lines === 0
    ? ""
    : `\n{"level":"warn"${stdTimeFunctions.isoTime()},"lines":${lines},"msg":"log lines lost"}\n`;
}

/** False where it could not be written. */
function writeWhole(file: number, bytes: Buffer): boolean {
  for (let left = bytes; left.length > 0;) {
    try {
      left = left.subarray(writeSync(file, left));
    } catch (error) {
      if (!isPipeFull(error)) {
        return false;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_RETRY_MS);
    }
  }
  return true;
}

function isPipeFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

// Takes secrets out of log lines.

const MASK = "[redacted]";

/** Shorter values are not looked for: they are part of every other word. No service gives out such keys. */
const MIN_SECRET_LENGTH = 4;

/** Fields that hold a credential whatever its value, and the names of such parameters in a URL. */
const SECRET_NAMES =
  "token|access_token|authorization|app_id|app_key|app_secret|api_key|x-app-id|x-app-key|x-api-key|apikey|appkey|secret|secret_key|password|cookie|set-cookie|signature";
const SECRET_FIELD = new RegExp(`^(?:${SECRET_NAMES})$`, "i");
const SECRET_PARAMETER = new RegExp(`\\b(${SECRET_NAMES})=[^&\\s"'<>]+`, "gi");

/** A line without any of this, in lower case, has neither escapes nor names of credentials. */
const SUSPECT = new RegExp(String.raw`[%\\+]|(?:${SECRET_NAMES})["=]|/(?:webhooks|interactions)/`);
const IS_ASCII = /^[\x20-\x7e]*$/;

/** Discord's URLs carry an interaction's or a webhook's token: /webhooks/{id}/{token}, /interactions/{id}/{token}. */
const TOKEN_IN_PATH = /\/(webhooks|interactions)\/(\d+)\/[\w-]+/g;

/**
 * Makes what cleans a line of JSON: the given values disappear from every text and number in it, also where they
 * are percent-encoded or escaped, and fields that are named like credentials lose their value.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const hidden = secrets
    // No key begins or ends with a backslash, and to look for one would mean to try a run of them at each of its places.
    .map((secret) => secret.replaceAll(/^\\+|\\+$/g, ""))
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    // The longest first: one may begin with another.
    .toSorted((a, b) => b.length - a.length);
  const patterns = hidden.map(patternOf);
  const lowerSecrets = hidden.map((secret) => secret.toLowerCase());
  const isAscii = IS_ASCII.test(lowerSecrets.join(""));
  const pattern = patterns.length > 0 ? new RegExp(patterns.join("|"), "gi") : undefined;

  return (line) => (mayHide(line) ? `${JSON.stringify(JSON.parse(line), redactValue)}\n` : line);

  /** Quick, for lines such as the one of each interaction: without escapes, a secret can only stand there as it is. */
  function mayHide(line: string): boolean {
    const lower = line.toLowerCase();
    return !isAscii || SUSPECT.test(lower) || lowerSecrets.some((secret) => lower.includes(secret));
  }

  function redactText(text: string): string {
    const known = pattern ? text.replace(pattern, MASK) : text;
    return known.replace(SECRET_PARAMETER, `$1=${MASK}`).replace(TOKEN_IN_PATH, `/$1/$2/${MASK}`);
  }

  /** For JSON.stringify, which calls it for each field. */
  function redactValue(name: string, value: unknown): unknown {
    if (SECRET_FIELD.test(name)) {
      return MASK;
    }
    if (typeof value === "string" || typeof value === "number") {
      const text = redactText(String(value));
      return text === String(value) ? value : text;
    }
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [redactText(key), inner]))
      : value;
  }
}

/** A backslash before an escaped character, itself percent-encoded where a whole text is. */
const ESCAPE = String.raw`(?:\\|%(?:25)*5c)`;

/**
 * Matches a secret with any of its characters as itself, percent-encoded (once or more), or escaped as in JSON (once or
 * more).
 *
 * A long run of backslashes is read once for each attempt at a match, and no attempt begins with one: so the work grows
 * with the length of the text, and not with its square. For this, as many backslashes as there are count as one.
 */
function patternOf(secret: string): string {
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  return parts
    .map((part, index) => {
      if (part.startsWith("\\")) {
        return String.raw`(?:\\u005c|${ESCAPE})+`;
      }
      const isAfterBackslashes = index === 0 || parts[index - 1]?.startsWith("\\");
      return `${isAfterBackslashes ? "" : `${ESCAPE}*`}${characterPattern(part)}`;
    })
    .join("");
}

function characterPattern(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)*${hexPattern(byte, 2)}`);
  const units = Array.from(
    { length: character.length },
    (_, index) => `u${hexPattern(character.charCodeAt(index), 4)}`,
  );
  // Percent-encoded first: a percent sign by itself is also the beginning of one that is encoded.
  const forms = [bytes.join(""), RegExp.escape(character), units.join(`${ESCAPE}+`)];
  // Forms write a space as +.
  return `(?:${forms.join("|")}${character === " " ? String.raw`|\+` : ""})`;
}

function hexPattern(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
