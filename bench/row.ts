// One figure of a bench run, as `npm run bench` prints it: one JSON object a line.

export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** The rival's figure in the same run; null where there is none. */
  readonly rival: number | null;
  /** value / rival, or rival's share where more is better; null without a rival. */
  readonly ratio: number | null;
  /** What DESIGN asks for, in words. */
  readonly goal: string;
  readonly holds: boolean;
}

/** A figure without a rival, which may be this high. Without a goal, it is only reported. */
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

/** The middle sample: what a noisy machine would most likely show again. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Three decimals are more than a noisy machine can promise. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
