// What the bot and the local Discord say to each other, and what of it is looked at.
import { computed, signal } from "@preact/signals";
import type { InspectorEvent } from "../../../../control/api/events.ts";
import type { Traffic, TrafficEntry } from "../../../../control/api/traffic.ts";
import { ask, send } from "../../api/request.ts";
import { remembered } from "../../state/remembered.ts";
import { openInspector } from "../inspector-state.ts";
import { filterTraffic, TRAFFIC_KINDS } from "./filter-traffic.ts";
import { mergeTraffic } from "./merge-traffic.ts";

/** What comes within this many milliseconds is drawn at once. */
const GATHER_MS = 80;

const entries = signal<readonly TrafficEntry[]>([]);

export const trafficKind = remembered("traffic-kind", TRAFFIC_KINDS);

export const trafficWords = signal("");

/** The interaction that is looked at alone. */
export const lookedAt = signal<string | undefined>(undefined);

export const shownTraffic = computed(() =>
  filterTraffic(entries.value, {
    kind: trafficKind.value,
    words: trafficWords.value,
    interactionId: lookedAt.value,
  }),
);

export const hasTraffic = computed(() => entries.value.length > 0);

/** Opens the inspector at what belongs to an interaction. */
export function showInteraction(interactionId: string): void {
  trafficKind.value = "all";
  trafficWords.value = "";
  lookedAt.value = interactionId;
  openInspector("traffic");
}

let heard: TrafficEntry[] = [];
let timer: number | undefined;

export function hearTraffic(event: InspectorEvent): void {
  heard.push(event.entry);
  timer ??= setTimeout(drawHeard, GATHER_MS);
}

function drawHeard(): void {
  const news = heard;
  heard = [];
  timer = undefined;
  entries.value = mergeTraffic(entries.value, news);
}

/** Fetches all that is kept; what is heard meanwhile counts for more. */
export async function loadTraffic(): Promise<void> {
  const before = entries.value;
  const told = await ask<Traffic>("traffic");
  const known = new Set(before);
  entries.value = mergeTraffic(
    told.entries,
    entries.value.filter((entry) => !known.has(entry)),
  );
}

export async function forgetTraffic(): Promise<void> {
  entries.value = (await send<Traffic>("traffic", {}, "DELETE")).entries;
}
