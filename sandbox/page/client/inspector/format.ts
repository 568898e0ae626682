import { formatTimestamp } from "../text/timestamp.ts";

/** The time zone in which the sandbox's clock is shown, because the trains use it. */
export const UK = "Europe/London";

/** E.g. `17:20:05`. */
export const formatTime = (atMs: number) => formatTimestamp(atMs / 1000, "T", 0, UK);

/** E.g. `20 November 2026 at 17:20`. */
export const formatMoment = (atMs: number) => formatTimestamp(atMs / 1000, "f", 0, UK);

/** E.g. `Friday, 20 November 2026`. */
export const formatDay = (atMs: number) => formatTimestamp(atMs / 1000, "F", 0, UK).replace(/ at .*$/, "");

/** E.g. `12 ms`, `2.4 s`. */
export function formatTook(tookMs: number): string {
  return tookMs < 1000 ? `${Math.round(tookMs)} ms` : `${(tookMs / 1000).toFixed(1)} s`;
}

/** E.g. `1 call`, `3 calls`. */
export function count(many: number, what: string): string {
  return `${many.toLocaleString("en-GB")} ${what}${many === 1 ? "" : "s"}`;
}

type Tone = "good" | "plain" | "warning" | "alarm";

export function toneOf(status: number): Tone {
  if (status >= 500) {
    return "alarm";
  }
  return status >= 400 ? "warning" : status >= 300 ? "plain" : "good";
}
