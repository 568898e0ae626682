// Bad days that can be had, and which are on.
import { computed, signal } from "@preact/signals";
import type { InspectorEvent } from "../../../../control/api/events.ts";
import type { FaultOrder, FaultState } from "../../../../control/api/faults.ts";
import { ask, send } from "../../api/request.ts";
import { useLive } from "../parts/use-live.ts";

export const faults = signal<FaultState>({ switches: [], active: [] });

/** How many are on, as far as was heard. */
export const faultCount = computed(() => faults.value.active.length);

/** Keeps them up to date while the component is there. */
export function useFaults(): void {
  useLive(loadFaults, hearFaults);
}

async function loadFaults(): Promise<void> {
  faults.value = await ask<FaultState>("faults");
}

function hearFaults(event: InspectorEvent): void {
  if (event.type === "faults") {
    faults.value = { ...faults.value, active: event.active };
  }
}

/** Throws ApiError, as do the others. */
export async function orderFault(order: FaultOrder): Promise<void> {
  faults.value = await send<FaultState>("faults", order);
}

export async function clearFaults(): Promise<void> {
  faults.value = await send<FaultState>("faults", {}, "DELETE");
}

/** Takes every one off that this switch has turned on. */
export async function takeOff(switchId: string): Promise<void> {
  const ids = faults.value.active.filter((one) => one.switchId === switchId).map(({ id }) => id);
  for (const id of ids) {
    faults.value = await send<FaultState>(`faults/${id}`, {}, "DELETE");
  }
}
