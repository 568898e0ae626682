// An error as a log field.

/** What of an error's own fields is worth a line; others may hold bodies and URLs, e.g. discord.js's `requestBody`. */
const FIELDS = ["kind", "service", "status", "code", "retryAfterMs", "requestId", "problems"] as const;

/** A chain longer than this goes round in a circle or tells nothing new. */
const MAX_DEPTH = 8;

/** Turns an error into plain data: its stack, the few fields we trust, and its causes the same way. */
export function formatError(error: Error, depth = 0): Record<string, unknown> {
  const formatted: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const field of FIELDS) {
    // An Error may carry any field; it is only copied, and the redactor sees it.
    const value = (error as unknown as Record<string, unknown>)[field];
    if (value !== undefined) {
      formatted[field] = value;
    }
  }
  if (depth < MAX_DEPTH) {
    if (error.cause !== undefined) {
      formatted["cause"] = formatCause(error.cause, depth);
    }
    if (error instanceof AggregateError) {
      formatted["errors"] = error.errors.map((each: unknown) => formatCause(each, depth));
    }
  }
  return formatted;
}

function formatCause(cause: unknown, depth: number): unknown {
  return cause instanceof Error ? formatError(cause, depth + 1) : String(cause);
}
