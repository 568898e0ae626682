// Numbers as charts write them: short enough for an axis.

// British English has no letter for a billion.
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const SMALL = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3, useGrouping: false });

/** At most three digits and a letter, e.g. `0.25`, `950`, `1.2k`, `34M`; the unit stands after it: `40%`. */
export function formatChartNumber(value: number, unit: string | undefined): string {
  const size = Math.abs(value);
  // What a scale's arithmetic leaves of zero.
  const exact = size < 1e-9 ? 0 : value;
  const number = size < 999.5 ? SMALL.format(exact) : COMPACT.format(exact).replace("K", "k");
  return `${number}${unit ?? ""}`;
}
