/**
 * Appends to a list that keeps at least its `kept` newest entries, and at most twice as many, because a sandbox may run
 * for days.
 */
export function pushBounded<T>(list: T[], entry: T, kept: number): void {
  list.push(entry);
  if (list.length > 2 * kept) {
    list.splice(0, kept);
  }
}
