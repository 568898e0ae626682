// Bad days that can be had, and which are on.
import { computed, signal } from "@preact/signals";
import type { FaultOrder, FaultState } from "../../../../control/api/faults.ts";
import { send } from "../../api/request.ts";

export const faults = signal<FaultState | undefined>(undefined);

/** How many are on, as far as was told. */
export const faultCount = computed(() => faults.value?.active.length ?? 0);

/** Throws ApiError, as do the others. */
export async function orderFault(order: FaultOrder): Promise<void> {
  faults.value = await send<FaultState>("faults", order);
}

export async function clearFaults(): Promise<void> {
  faults.value = await send<FaultState>("faults", {}, "DELETE");
}

/** Takes every one off that this switch has turned on. */
export async function takeOff(switchId: string): Promise<void> {
  for (const one of faults.value?.active ?? []) {
    if (one.switchId === switchId) {
      faults.value = await send<FaultState>(`faults/${one.id}`, {}, "DELETE");
    }
  }
}
