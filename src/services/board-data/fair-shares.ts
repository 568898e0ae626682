// Shares what is scarce among those who want it.

/** Somebody who wants some of it. */
export interface Demand {
  /** The most that is of use; not negative. */
  readonly most: number;
  /** How much louder than others it counts; above 0. */
  readonly weight: number;
}

/**
 * Weighted max-min fairness, in the order of `demands`: who wants little gets all of it; what is left is shared by
 * weight among those who want more. Adds up to `amount`, or to all that is wanted where that is less.
 */
export function fairShares(demands: readonly Demand[], amount: number): readonly number[] {
  // Who is satisfied most easily comes first: then all who come after want at least their part of what is left.
  const inOrder = demands
    .map((demand, index) => ({ ...demand, index }))
    .toSorted((a, b) => a.most / a.weight - b.most / b.weight);
  const shares = demands.map(() => 0);
  let left = amount;
  let weightLeft = inOrder.reduceRight((sum, { weight }) => sum + weight, 0);
  for (const { most, weight, index } of inOrder) {
    const share = Math.min(most, left, (left * weight) / Math.max(weight, weightLeft));
    shares[index] = share;
    left -= share;
    weightLeft -= weight;
  }
  return shares;
}
