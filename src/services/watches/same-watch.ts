// Whether two watches are about the same, and tell the same place.
import type { WantedWatch } from "./watches.ts";

/** How late, how early or how loud each of them is does not matter. */
export function isSameWatch(one: WantedWatch, other: WantedWatch): boolean {
  return one.ownerId === other.ownerId && keyOf(one) === keyOf(other);
}

function keyOf({ target, settings: { what } }: WantedWatch): string {
  const place = target.kind === "dm" ? "dm" : target.channelId;
  return JSON.stringify(
    what.kind === "train"
      ? // Its times may have changed since; without a name there is nothing else to tell it by.
        [place, what.station, what.to, what.trainUid ?? [what.aimedMs, what.place], what.startDate]
      : [place, what.station, what.to, what.hours.from, what.hours.to, what.days],
  );
}
