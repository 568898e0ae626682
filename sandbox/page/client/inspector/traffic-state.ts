import { computed, signal } from "@preact/signals";
import type { InspectorEvent } from "../../../control/api/events.ts";
import type { Traffic, TrafficEntry } from "../../../control/api/traffic.ts";
import { ask, send } from "../api/request.ts";
import { openInspector } from "./inspector-state.ts";
import { filterTraffic, mergeTraffic } from "./traffic-entries.ts";

const entries = signal<readonly TrafficEntry[]>([]);

export const trafficFilter = signal("");

export const shownTraffic = computed(() => filterTraffic(entries.value, trafficFilter.value));

export function showInteraction(interactionId: string): void {
  trafficFilter.value = interactionId;
  openInspector("traffic");
}

export function handleTraffic({ entry }: InspectorEvent): void {
  entries.value = mergeTraffic(entries.value, [entry]);
}

export async function loadTraffic(): Promise<void> {
  entries.value = mergeTraffic(entries.value, (await ask<Traffic>("traffic")).entries);
}

export async function clearTraffic(): Promise<void> {
  entries.value = (await send<Traffic>("traffic", {}, "DELETE")).entries;
}
