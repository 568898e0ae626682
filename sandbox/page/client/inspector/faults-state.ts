// The faults that can be turned on, and which are.
import { signal } from "@preact/signals";
import type { FaultOrder, FaultState } from "../../../control/api/faults.ts";
import { send } from "../api/request.ts";

export const faults = signal<FaultState>({ switches: [], active: [] });

/** Turns one on, or lets it happen. Throws ApiError, as do the others. */
export async function orderFault(order: FaultOrder): Promise<void> {
  faults.value = await send("faults", order);
}

export async function clearFaults(): Promise<void> {
  faults.value = await send("faults", {}, "DELETE");
}

export async function turnOff(switchId: string): Promise<void> {
  faults.value = await send(`faults/${encodeURIComponent(switchId)}`, {}, "DELETE");
}
