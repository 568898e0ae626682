// What the bot and the local Discord say to each other, and what of it is shown.
import { computed, signal } from "@preact/signals";
import type { InspectorEvent } from "../../../control/api/events.ts";
import type { Traffic, TrafficEntry } from "../../../control/api/traffic.ts";
import { ask, send } from "../api/request.ts";
import { openInspector } from "./inspector-state.ts";
import { filterTraffic, mergeTraffic } from "./traffic-entries.ts";

/** What comes within this many milliseconds is drawn at once. */
const GATHER_MS = 80;

const entries = signal<readonly TrafficEntry[]>([]);

/** What is searched for. */
export const trafficWords = signal("");

export const shownTraffic = computed(() => filterTraffic(entries.value, trafficWords.value));

/** Opens the inspector at what belongs to an interaction. */
export function showInteraction(interactionId: string): void {
  trafficWords.value = interactionId;
  openInspector("traffic");
}

let heard: TrafficEntry[] = [];
let timer: number | undefined;

export function hearTraffic({ entry }: InspectorEvent): void {
  heard.push(entry);
  timer ??= setTimeout(drawHeard, GATHER_MS);
}

function drawHeard(): void {
  entries.value = mergeTraffic(entries.value, heard);
  heard = [];
  timer = undefined;
}

/** Fetches all that is kept; what is heard meanwhile counts for more. */
export async function loadTraffic(): Promise<void> {
  const before = new Set(entries.value);
  const told = await ask<Traffic>("traffic");
  entries.value = mergeTraffic(
    told.entries,
    entries.value.filter((entry) => !before.has(entry)),
  );
}

export async function forgetTraffic(): Promise<void> {
  entries.value = (await send<Traffic>("traffic", {}, "DELETE")).entries;
}
