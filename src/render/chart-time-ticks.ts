// Chooses the ticks of a time axis: round times on a zone's clocks, even when these change to or from summer time.

export interface ChartTick {
  readonly x: number;
  readonly label: string;
}

interface Step {
  readonly unit: "minutes" | "hours" | "days" | "months" | "years";
  readonly count: number;
}

const MS = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  months: 2_629_800_000,
  years: 31_557_600_000,
};

const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 30].map((count) => ({ unit: "minutes", count }) as const),
  ...[1, 2, 3, 6, 12].map((count) => ({ unit: "hours", count }) as const),
  ...[1, 2, 4, 7, 14].map((count) => ({ unit: "days", count }) as const),
  ...[1, 2, 3, 6].map((count) => ({ unit: "months", count }) as const),
  ...[1, 2, 5, 10, 50].map((count) => ({ unit: "years", count }) as const),
];

/** At most `most` ticks, or half as many again if labels are short; at least one for 10 minutes to 200 years. */
export function listTimeTicks(
  fromMs: number,
  toMs: number,
  zone: string,
  most: number,
): readonly ChartTick[] {
  const step = STEPS.find(({ unit, count }) => {
    const isShort = unit === "months" || unit === "years";
    return (toMs - fromMs) / (MS[unit] * count) <= (isShort ? most * 1.5 : most) - 1;
  });
  if (step === undefined) {
    return [];
  }
  const start = Temporal.Instant.fromEpochMilliseconds(Math.floor(fromMs))
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  const ticks: ChartTick[] = [];
  for (let local = floorTo(start, step); ; local = local.add({ [step.unit]: step.count })) {
    const x = local.toZonedDateTime(zone).epochMilliseconds;
    if (x > toMs) {
      return ticks;
    }
    if (x >= fromMs) {
      ticks.push({ x, label: labelOf(local, step) });
    }
  }
}

/** The last round time at or before `local`. */
function floorTo(local: Temporal.PlainDateTime, { unit, count }: Step): Temporal.PlainDateTime {
  const day = local.with({ hour: 0, minute: 0, second: 0, millisecond: 0 });
  switch (unit) {
    case "minutes":
      return day.with({ hour: local.hour, minute: local.minute - (local.minute % count) });
    case "hours":
      return day.with({ hour: local.hour - (local.hour % count) });
    case "days":
      return day;
    case "months":
      return day.with({ day: 1, month: local.month - ((local.month - 1) % count) });
    case "years":
      return day.with({ day: 1, month: 1, year: local.year - (local.year % count) });
  }
}

function labelOf(local: Temporal.PlainDateTime, { unit }: Step): string {
  const isMidnight = local.hour === 0 && local.minute === 0;
  switch (unit) {
    case "minutes":
    case "hours":
      return isMidnight ? formatDay(local) : local.toPlainTime().toString({ smallestUnit: "minute" });
    case "days":
      return formatDay(local);
    case "months":
      return local.month === 1 ? String(local.year) : local.toLocaleString("en-GB", { month: "short" });
    case "years":
      return String(local.year);
  }
}

function formatDay(local: Temporal.PlainDateTime): string {
  return local.toLocaleString("en-GB", { day: "numeric", month: "short" });
}
