import { type LogLevel, createLog } from "../../src/core/log.ts";

/** A log whose lines, each with JSON, the test reads. */
export function collectLog(level: LogLevel = "info", secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({ level, secrets, destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}
