import { type LogLevel, createLog } from "../../src/core/log.ts";

/** Creates a log that collects its lines, each a JSON object, for the test to read. */
export function collectLog(level: LogLevel = "info", secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({ level, secrets, destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}
