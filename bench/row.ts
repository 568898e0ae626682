// A result of a benchmark, as `npm run bench` prints it: one JSON object a line.

export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** The rival's figure in the same run; null if there is no rival. */
  readonly rival: number | null;
  /** value / rival; null without a rival. */
  readonly ratio: number | null;
  /** The goal in words. */
  readonly goal: string;
  readonly holds: boolean;
}

/** A figure without a rival, with a maximum. Without a goal, it is only reported. */
export function rowWithin(name: string, unit: string, value: number, goal = Infinity): BenchRow {
  return {
    name,
    unit,
    value: rounded(value),
    rival: null,
    ratio: null,
    goal: goal === Infinity ? "none" : `≤ ${goal} ${unit}`.trimEnd(),
    holds: value <= goal,
  };
}

/** The value below which the given share of the samples lies; `share` is 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The middle sample, which a noisy machine changes least. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Three decimals: a noisy machine gives no more. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
