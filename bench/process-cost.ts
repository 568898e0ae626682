// What a process on this machine costs, by Linux's own account.
import { readFileSync } from "node:fs";

/** Resident memory, in megabytes. */
export function residentMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, "VmRSS");
}

/** The most that it ever was, in megabytes. */
export function peakMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, "VmHWM");
}

/** Processor time of all its threads so far, in milliseconds. */
export function processorMs(pid: number | undefined): number {
  // The name of the program may have spaces in it; what counts comes after its bracket. 14 and 15 in proc(5).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const MS_PER_TICK = 10;

function megabytesOf(pid: number | undefined, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
}

/** The memory of a process and its children; each page that several share is divided between them. */
export function processTreeMegabytes(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return [String(pid), ...children].filter(Boolean).reduce((sum, id) => sum + proportionOf(id), 0);
}

function proportionOf(pid: string): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024;
  } catch {
    return 0; // it ended in between
  }
}
