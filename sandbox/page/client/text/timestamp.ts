// Formats Discord's `<t:seconds:style>`, relative to the sandbox's clock. Pure, except that it uses the reader's time zone.

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
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
const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "always" });
/** Formatters by style and zone. Creating one takes far longer than using it, and a channel may show a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `style` is one of Discord's letters; unknown ones count as `f`. `timeZone` defaults to the reader's. */
export function formatTimestamp(seconds: number, style: string, nowMs: number, timeZone?: string): string {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) {
    return "Invalid date";
  }
  return style === "R" ? formatRelative(seconds - nowMs / 1000) : formatOf(style, timeZone).format(at);
}

function formatOf(style: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${timeZone ?? ""}`;
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat("en-GB", { ...(STYLES[style] ?? STYLES["f"]), timeZone });
  formats.set(key, known);
  return known;
}

/** `deltaSeconds` is positive in the future. */
function formatRelative(deltaSeconds: number): string {
  const [unit, sizeSeconds] = UNITS.find(([, size]) => Math.abs(deltaSeconds) >= size) ?? UNITS[5];
  return RELATIVE.format(Math.trunc(deltaSeconds / sizeSeconds), unit);
}
