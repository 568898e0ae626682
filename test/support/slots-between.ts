import { nextSlot } from "../../src/time/slots.ts";
import type { Schedule } from "../../src/time/schedule.ts";

/** Every slot strictly after `fromMs` and at or before `toMs`, in order. */
export function slotsBetween(schedule: Schedule, fromMs: number, toMs: number): readonly number[] {
  const slots: number[] = [];
  for (
    let slot = nextSlot(schedule, fromMs);
    slot !== undefined && slot <= toMs;
    slot = nextSlot(schedule, slot)
  ) {
    slots.push(slot);
  }
  return slots;
}
