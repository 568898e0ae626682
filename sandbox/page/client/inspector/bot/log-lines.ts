// The bot's log as a person reads it. Pure.

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error" | "said";
  /** UTC as it was written, ISO 8601; `undefined` for what is no line of the log. */
  readonly time: string | undefined;
  readonly words: string;
  /** Its other fields as JSON; empty where there are none. */
  readonly fields: string;
}

const LEVELS: Readonly<Record<string, LogLine["level"]>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  warn: "warn",
  error: "error",
  fatal: "error",
};

/** A line that is no JSON, e.g. of a crash, is taken as it is. */
export function parseLogLine(line: string): LogLine {
  const said = parseObject(line);
  if (said === undefined) {
    return { level: "said", time: undefined, words: line, fields: "" };
  }
  const { level, time, msg, ...fields } = said;
  return {
    level: LEVELS[String(level)] ?? "info",
    time: typeof time === "string" ? time : undefined,
    words: typeof msg === "string" ? msg : "",
    fields: Object.keys(fields).length === 0 ? "" : JSON.stringify(fields, null, 2),
  };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
