// How often a fault was met. Pure.
import type { ActiveFault } from "../../../../control/api/faults.ts";
import { count } from "../parts/words.ts";

/** E.g. `Met by 1 of 3 calls.` */
export function metWords({ met, times }: Pick<ActiveFault, "met" | "times">): string {
  if (times === null) {
    return met === 0 ? "On until turned off." : `On until turned off; met by ${count(met, "call")}.`;
  }
  return met === 0 ? `Waits for ${count(times, "call")}.` : `Met by ${met} of ${count(times, "call")}.`;
}
