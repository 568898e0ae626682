// For a cache that is seldom full.

/**
 * Options of an LRUCache of up to so many entries that takes room as it fills. With `max` it takes all of it at once: the
 * caches of an idle bot held 3 MB, and took 13 ms of its start.
 */
export function growingTo(most: number) {
  return { maxSize: most, sizeCalculation: () => 1 };
}
