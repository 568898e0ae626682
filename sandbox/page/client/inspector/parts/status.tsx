// How a call ended: its status, or that none came.
import { formatTook, toneOf } from "./words.ts";

interface StatusProps {
  /** Null while open, and where the answer was lost. */
  readonly status: number | null;
  readonly tookMs: number | null;
}

export function Status({ status, tookMs }: StatusProps) {
  return (
    <>
      <span class={`status ${status === null ? (tookMs === null ? "open" : "alarm") : toneOf(status)}`}>
        {status ?? (tookMs === null ? "…" : "lost")}
        {status === null && tookMs === null && <span class="hidden">open</span>}
      </span>
      <span class="took mono soft">{tookMs === null ? "" : formatTook(tookMs)}</span>
    </>
  );
}
