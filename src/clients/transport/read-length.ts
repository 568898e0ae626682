/** Whole minutes of a length of time: a number of minutes, or "HH:MM:SS"; `undefined` for anything else. */
export function readMinutes(value: unknown): number | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  }
  if (typeof value !== "string") {
    return undefined;
  }
  const [, hours, minutes, seconds = "0"] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(value.trim()) ?? [];
  if (hours === undefined) {
    return /^\d{1,5}(\.\d+)?$/.test(value.trim()) ? Math.round(Number(value)) : undefined;
  }
  return Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}
