// The cost of a process on this machine, as Linux counts it.
import { readFileSync } from "node:fs";

/** Resident memory, in megabytes. */
export function residentMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, "VmRSS");
}

/** Peak resident memory, in megabytes. */
export function peakMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, "VmHWM");
}

/** Processor time of all its threads so far, in milliseconds. */
export function processorMs(pid: number | undefined): number {
  // The program's name may contain spaces, so the fields after its closing bracket are read: 14 and 15 in proc(5).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Linux counts processor time in hundredths of a second on every machine. */
const MS_PER_TICK = 10;

function megabytesOf(pid: number | string | undefined, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
}

/**
 * The memory of a process and all its descendants, in megabytes; a page that several of them share is divided between
 * them. Dividing pages stops the processes for a time, so if they have no more than `above` undivided, that sum is
 * returned instead. `Pss_Anon` leaves out memory that was read from files, such as the program itself, which all other
 * processes that run Node share too.
 */
export function processTreeMegabytes(
  pid: number | undefined,
  above = 0,
  what: "Pss" | "Pss_Anon" = "Pss",
): number {
  const ids = treeOf(String(pid));
  const sumOf = (megabytes: (id: string) => number) =>
    ids.reduce((sum, id) => sum + unlessEnded(megabytes, id), 0);
  const undivided = sumOf((id) => megabytesOf(id, "VmRSS"));
  return undivided <= above ? undivided : sumOf((id) => proportionOf(id, what));
}

function treeOf(pid: string): readonly string[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return [pid, ...children.filter(Boolean).flatMap(treeOf)];
  } catch {
    return []; // it ended in between
  }
}

function proportionOf(pid: string, what: string): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0) / 1_024;
}

function unlessEnded(megabytes: (pid: string) => number, pid: string): number {
  try {
    return megabytes(pid);
  } catch {
    return 0; // it ended in between
  }
}
