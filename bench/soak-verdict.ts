// The results of bench/soak.ts: the record of a minute, the row for a quarter of an hour, and the verdict.
import { median, rounded } from "./row.ts";
import type { LeftMemory } from "./watch-memory.ts";

export const QUARTER = 15;
/** The last quarter is compared with these minutes. */
const BASE = { from: 11, to: 20 } as const;
const MAX_GROWTH = 0.05;

/** The record of a minute. Memory in megabytes; times in milliseconds from the event to the acknowledgement. */
export interface SoakMinute {
  readonly minute: number;
  /** The median of a minute's samples, as for `files`. */
  readonly resident: number;
  /**
   * Including its child, which decodes pictures. Pages that they share count twice: if they were divided by all
   * processes that share them, the figure would depend on other programs on the machine.
   */
  readonly tree: number;
  readonly heapAfterGc: number | null;
  readonly externalAfterGc: number | null;
  readonly resourcesAfterGc: LeftMemory["resources"] | null;
  readonly heap: number;
  /** Open file descriptors. */
  readonly files: number;
  readonly handles: number;
  readonly resources: number;
  readonly asked: number;
  readonly unanswered: number;
  /** Acts that failed from a member's view: late answers, errors of the sandbox, missing buttons. */
  readonly broken: number;
  readonly p50: number;
  readonly p99: number;
  readonly boards: number;
  readonly refused: number;
  readonly botShare: number;
  readonly driverBusy: number;
  readonly driverResident: number;
  readonly lines: number;
}

/**
 * How each figure is calculated from some minutes. Counts of a few dozen are averaged, because the median of whole
 * numbers changes by more than 5 % or not at all.
 */
const FIGURES = {
  "resident memory, MB": (minutes) => median(minutes.map(({ resident }) => resident)),
  "memory with children, MB": (minutes) => median(minutes.map(({ tree }) => tree)),
  "heap after collection, MB": (minutes) =>
    median(minutes.flatMap(({ heapAfterGc }) => (heapAfterGc === null ? [] : [heapAfterGc]))),
  "open files": (minutes) => mean(minutes.map(({ files }) => files)),
  handles: (minutes) => mean(minutes.map(({ handles }) => handles)),
} as const satisfies Readonly<Record<string, (minutes: readonly SoakMinute[]) => number>>;

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Prints a row of the given minutes for people to read. */
export function printQuarter(minutes: readonly SoakMinute[]): void {
  const sum = (of: (minute: SoakMinute) => number) => minutes.reduce((total, each) => total + of(each), 0);
  console.log(
    [
      `minutes ${minutes.at(0)?.minute} to ${minutes.at(-1)?.minute}`,
      ...Object.entries(FIGURES).map(([name, of]) => `${name}: ${rounded(of(minutes))}`),
      `asked: ${sum(({ asked }) => asked)}`,
      `unanswered: ${sum(({ unanswered }) => unanswered)}`,
      `broken: ${sum(({ broken }) => broken)}`,
      `p50: ${median(minutes.map(({ p50 }) => p50))} ms`,
      `p99: ${median(minutes.map(({ p99 }) => p99))} ms`,
      `boards: ${sum(({ boards }) => boards)}`,
    ].join(" | "),
  );
}

/** Whether every interaction was answered and nothing grew; prints why. */
export function judgeSoak(minutes: readonly SoakMinute[]): boolean {
  const badMinutes = minutes.filter(({ unanswered, broken }) => unanswered + broken > 0).length;
  console.log(`minutes in which somebody did not get an answer: ${badMinutes}`);
  const base = minutes.filter(({ minute }) => minute >= BASE.from && minute <= BASE.to);
  const last = minutes.slice(-QUARTER);
  if (minutes.length < BASE.to + QUARTER) {
    console.log("too short to judge growth");
    return badMinutes === 0;
  }
  const growths = Object.entries(FIGURES).map(([name, of]) => {
    const [before, after] = [of(base), of(last)];
    const growth = after / before - 1;
    console.log(
      `${name}: ${rounded(before)} in minutes ${BASE.from} to ${BASE.to}, ${rounded(after)} in the last ${QUARTER}: ${(growth * 100).toFixed(1)} % more, at most ${MAX_GROWTH * 100} %`,
    );
    return growth;
  });
  return badMinutes === 0 && growths.every((growth) => growth <= MAX_GROWTH);
}
