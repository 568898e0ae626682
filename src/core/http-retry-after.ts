// When a service says how long to leave it alone.

/** As HTTP writes dates, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Older forms are obsolete. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header, in seconds or as a date, as milliseconds from `nowMs`; a date gone by is 0.
 * `undefined` where there is none or it cannot be read. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
