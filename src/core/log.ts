// The log: one JSON object a line, without secrets. The only module that imports pino.
import { writeSync } from "node:fs";
import { pino, stdTimeFunctions } from "pino";
import { currentTrace } from "./asker.ts";
import { codeOf } from "./errors.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Errors are a field: `log.error({ error }, "board not posted")`. Lines about an interaction contain its id. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, whatever their encoding. */
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

/** Replaces every error by plain data, whatever its field is called. */
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

/** The fields of an error that are logged. Others may contain bodies and URLs, e.g. discord.js's `requestBody`. */
const FIELDS = ["kind", "service", "status", "code", "retryAfterMs", "requestId", "problems"] as const;

/** A longer chain of causes is circular or adds nothing new. */
const MAX_DEPTH = 8;

/** Turns an error into plain data: its stack, the few fields that may be logged, and its causes in the same way. */
function formatError(error: Error, depth = 0): Record<string, unknown> {
  const formatted: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const field of FIELDS) {
    // An Error may have any field. The field is only copied, and the redactor processes it.
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

interface LogOutput {
  write(line: string): unknown;
}

/** How long to wait while the pipe is full. */
const PIPE_RETRY_MS = 50;

/**
 * Writes lines to an open file synchronously, so that a crash loses none. A line that cannot be written, e.g. on a full
 * disk, is dropped, perhaps after its beginning was written. Before the next line that can be written, a line reports
 * how many were lost.
 */
export function createLogOutput(file: number): LogOutput {
  let lost = 0;
  return {
    write(line) {
      lost = writeWhole(file, Buffer.from(formatLoss(lost) + line)) ? 0 : lost + 1;
    },
  };
}

/** Begins with a line break, because a part of the last line may have been written. */
function formatLoss(lines: number): string {
  return lines === 0
    ? ""
    : `\n{"level":"warn"${stdTimeFunctions.isoTime()},"lines":${lines},"msg":"log lines lost"}\n`;
}

/** Returns false if the bytes could not be written. */
function writeWhole(file: number, bytes: Buffer): boolean {
  for (let left = bytes; left.length > 0;) {
    try {
      left = left.subarray(writeSync(file, left));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") {
        return false;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_RETRY_MS);
    }
  }
  return true;
}

const MASK = "[redacted]";

/** Shorter values are not searched for, because they occur in ordinary words. No service issues such short keys. */
const MIN_SECRET_LENGTH = 4;

/** Names of fields that always contain a credential, and of such parameters in a URL. */
const SECRET_NAMES =
  "token|access_token|authorization|app_id|app_key|app_secret|api_key|x-app-id|x-app-key|x-api-key|apikey|appkey|secret|secret_key|password|cookie|set-cookie|signature";
const SECRET_FIELD = new RegExp(`^(?:${SECRET_NAMES})$`, "i");
const SECRET_PARAMETER = new RegExp(`\\b(${SECRET_NAMES})=[^&\\s"'<>]+`, "gi");

/** If a line in lower case does not match this, it has neither escapes nor names of credentials. */
const SUSPECT = new RegExp(String.raw`[%\\+]|(?:${SECRET_NAMES})["=]|/(?:webhooks|interactions)/`);
const IS_ASCII = /^[\x20-\x7e]*$/;

/** Discord's URLs contain the token of an interaction or webhook: /webhooks/{id}/{token}, /interactions/{id}/{token}. */
const TOKEN_IN_PATH = /\/(webhooks|interactions)\/(\d+)\/[\w-]+/g;

/**
 * Returns a function that redacts a line of JSON: the given values are removed from all texts and numbers, even if they
 * are percent-encoded or escaped, and fields that are named like credentials lose their value.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const hidden = secrets
    // No key begins or ends with a backslash. A pattern that began with one would be tried at every position of a run
    // of them.
    .map((secret) => secret.replaceAll(/^\\+|\\+$/g, ""))
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    // The longest come first, because one secret may begin with another.
    .toSorted((a, b) => b.length - a.length);
  const patterns = hidden.map(patternOf);
  const lowerSecrets = hidden.map((secret) => secret.toLowerCase());
  const isAscii = IS_ASCII.test(lowerSecrets.join(""));
  const pattern = patterns.length > 0 ? new RegExp(patterns.join("|"), "gi") : undefined;

  return (line) => (mayHide(line) ? `${JSON.stringify(JSON.parse(line), redactValue)}\n` : line);

  /** Fast for ordinary lines, e.g. that of each interaction: without escapes, a secret can only appear unchanged. */
  function mayHide(line: string): boolean {
    const lower = line.toLowerCase();
    return !isAscii || SUSPECT.test(lower) || lowerSecrets.some((secret) => lower.includes(secret));
  }

  function redactText(text: string): string {
    const known = pattern ? text.replace(pattern, MASK) : text;
    return known.replace(SECRET_PARAMETER, `$1=${MASK}`).replace(TOKEN_IN_PATH, `/$1/$2/${MASK}`);
  }

  /** A replacer for JSON.stringify, which calls it for every field. */
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

/** A backslash before an escaped character; the backslash itself is percent-encoded if the whole text is. */
const ESCAPE = String.raw`(?:\\|%(?:25)*5c)`;

/**
 * Matches a secret whose characters may each be percent-encoded or escaped as in JSON, once or more. Any number of
 * consecutive backslashes counts as one, and no match begins with one, so that long runs of them take linear time.
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
  // The percent-encoded form comes first, because an unencoded percent sign is also the beginning of an encoded one.
  const forms = [bytes.join(""), RegExp.escape(character), units.join(`${ESCAPE}+`)];
  // URL-encoded forms write a space as +.
  return `(?:${forms.join("|")}${character === " " ? String.raw`|\+` : ""})`;
}

function hexPattern(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
