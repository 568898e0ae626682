// Discord takes null for most fields that may be absent, and means the same by both.

/** Whether a field stands in the form with a value. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
