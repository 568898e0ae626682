// Discord's <t:seconds:style> in words, against the sandbox's clock. Pure but for the reader's own zone.

/** @type {Readonly<Record<string, Intl.DateTimeFormatOptions>>} */
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

/** Largest first, in seconds. */
const UNITS = /** @type {const} */ ([
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
]);

/**
 * @param {number} seconds since the Unix epoch
 * @param {string} style one of Discord's letters; an unknown one reads as `f`
 * @param {number} nowMs milliseconds since the Unix epoch
 * @param {string} [timeZone] default: the reader's own
 */
export function formatTimestamp(seconds, style, nowMs, timeZone) {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) {
    return "Invalid date";
  }
  return style === "R"
    ? formatRelative(seconds - nowMs / 1000)
    : new Intl.DateTimeFormat("en-GB", { ...(STYLES[style] ?? STYLES["f"]), timeZone }).format(at);
}

/** @param {number} deltaSeconds positive in the future */
function formatRelative(deltaSeconds) {
  const [unit, sizeSeconds] = UNITS.find(([, size]) => Math.abs(deltaSeconds) >= size) ?? UNITS[5];
  return new Intl.RelativeTimeFormat("en-GB", { numeric: "always" }).format(
    Math.trunc(deltaSeconds / sizeSeconds),
    unit,
  );
}
