// Debian's libfaketime: it shows a process another time of day, and the process's timers go on as ever.
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";

/** The library; `undefined` where it is not installed (Debian's package `libfaketime`). */
export const FAKETIME = globSync("/usr/lib/{*/,}faketime/libfaketime.so.1")[0];

/** What a process must have in its environment. `file` holds by how many seconds its clock is wrong. */
export function faketimeEnv(file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: FAKETIME ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** Sets the clock of the process wrong by so much. */
export function setClock(file: string, wrongByMs: number): Promise<void> {
  const seconds = Math.round(wrongByMs / 1_000);
  return writeFile(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
}
