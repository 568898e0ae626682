// Debian's libfaketime: shows a process a different time of day, while its timers run normally.
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";

/** The library's path; `undefined` if it is not installed (Debian's package `libfaketime`). */
export const FAKETIME = globSync("/usr/lib/{*/,}faketime/libfaketime.so.1")[0];

/** The environment for a process. `file` contains by how many seconds its clock is wrong. */
export function faketimeEnv(file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: FAKETIME ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** Makes the process's clock wrong by this much. */
export function setClock(file: string, wrongByMs: number): Promise<void> {
  const seconds = Math.round(wrongByMs / 1_000);
  return writeFile(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
}
