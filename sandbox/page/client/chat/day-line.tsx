// Between two days.
import { formatTimestamp } from "../text/timestamp.ts";

export function DayLine({ atMs }: { readonly atMs: number }) {
  return (
    <li class="day-line">
      <span>{formatTimestamp(atMs / 1000, "D", 0)}</span>
    </li>
  );
}
