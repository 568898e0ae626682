// How often a fault was met. Pure.
import type { ActiveFault } from "../../../../control/api/faults.ts";
import { count } from "../parts/words.ts";

/** E.g. `1 of 3 calls affected.` */
export function metWords({ met, times }: Pick<ActiveFault, "met" | "times">): string {
  if (times === null) {
    return met === 0 ? "On until turned off." : `On. ${count(met, "call")} affected.`;
  }
  return met === 0 ? `Waiting for ${count(times, "call")}.` : `${met} of ${count(times, "call")} affected.`;
}
