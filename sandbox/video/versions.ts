// Which version answers: one that has ended is silently served by the oldest that lives.
/** By their end; the newest has none yet. */
const ENDS: readonly (readonly [string, number])[] = [
  ["v21.0", Date.UTC(2027, 0, 21)],
  ["v22.0", Date.UTC(2027, 4, 20)],
  ["v23.0", Date.UTC(2027, 9, 8)],
  ["v24.0", Date.UTC(2028, 1, 18)],
  ["v25.0", Date.UTC(2028, 6, 29)],
  ["v26.0", Number.POSITIVE_INFINITY],
];

/** The version that answers to `asked`, e.g. `v26.0`; `undefined` for one that there never was. */
export function servedVersion(asked: string, nowMs: number): string | undefined {
  const [, major = ""] = /^v(\d{1,2})\.\d$/.exec(asked) ?? [];
  const newest = ENDS.at(-1)?.[0] ?? asked;
  if (major === "" || Number(major) > Number(newest.slice(1, -2))) {
    return undefined;
  }
  const living = ENDS.filter(([, endsAtMs]) => endsAtMs > nowMs).map(([version]) => version);
  return living.includes(asked) ? asked : living[0];
}
