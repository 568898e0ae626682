// Paging through a board.
import { Temporal } from "temporal-polyfill";
import type { BoardRow } from "./departures.ts";

/**
 * Where a next page begins: at the first row left out, or where the answer was cut. Rows of one minute may stand on
 * both pages; only where a whole page is of one minute does the next one begin after it, or nobody would get further.
 */
export function laterFrom(
  fitting: readonly BoardRow[],
  shown: readonly BoardRow[],
  cutAt: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  const first = shown[0];
  const candidates = [
    ...fitting.slice(shown.length).map(({ aimedAt }) => aimedAt),
    ...(cutAt ? [cutAt] : []),
  ];
  return candidates.find(
    (candidate) => first !== undefined && Temporal.Instant.compare(first.aimedAt, candidate) < 0,
  );
}
