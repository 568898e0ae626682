/** A span in its two largest units, e.g. `3 days 4 h`, `17 min`; `less than a minute` below one. */
export function formatDuration(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  const parts = [
    { count: Math.floor(minutes / 1_440), unit: minutes < 2_880 ? "day" : "days" },
    { count: Math.floor(minutes / 60) % 24, unit: "h" },
    { count: minutes % 60, unit: "min" },
  ];
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) {
    return "less than a minute";
  }
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(" ");
}

/** Discord counts it down, or up, for each reader. */
export function relativeTime(ms: number): string {
  return `<t:${Math.floor(ms / 1_000)}:R>`;
}
