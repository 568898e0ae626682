// The traffic between the bot and the local Discord, and the filter for it.
import { computed, signal } from "@preact/signals";
import type { InspectorEvent } from "../../../control/api/events.ts";
import type { Traffic, TrafficEntry } from "../../../control/api/traffic.ts";
import { ask, send } from "../api/request.ts";
import { openInspector } from "./inspector-state.ts";
import { filterTraffic, mergeTraffic } from "./traffic-entries.ts";

const entries = signal<readonly TrafficEntry[]>([]);

/** The words in the filter field. */
export const trafficFilter = signal("");

export const shownTraffic = computed(() => filterTraffic(entries.value, trafficFilter.value));

/** Opens the inspector and filters for the traffic of an interaction. */
export function showInteraction(interactionId: string): void {
  trafficFilter.value = interactionId;
  openInspector("traffic");
}

export function handleTraffic({ entry }: InspectorEvent): void {
  entries.value = mergeTraffic(entries.value, [entry]);
}

/** Fetches all entries that the sandbox has stored. */
export async function loadTraffic(): Promise<void> {
  entries.value = mergeTraffic(entries.value, (await ask<Traffic>("traffic")).entries);
}

export async function clearTraffic(): Promise<void> {
  entries.value = (await send<Traffic>("traffic", {}, "DELETE")).entries;
}
