// Whether the inspector is open, and at which panel.
import { computed } from "@preact/signals";
import { drawer } from "../state/layers.ts";
import { isNarrow } from "../state/narrow.ts";
import { remembered } from "../state/remembered.ts";

const wanted = remembered("inspector", ["closed", "open"]);

/** Whose tab was chosen. */
export const openedPanel = remembered("inspector-panel", ["traffic", "services", "faults", "clock", "bot"]);

export type PanelId = (typeof openedPanel)["value"];

export const isInspectorOpen = computed(
  () => wanted.value === "open" && (!isNarrow.value || drawer.value === "inspector"),
);

/** On a phone it slides in as a drawer. */
export function openInspector(panel: PanelId = openedPanel.value): void {
  openedPanel.value = panel;
  wanted.value = "open";
  if (isNarrow.value) {
    drawer.value = "inspector";
  }
}

export function closeInspector(): void {
  wanted.value = "closed";
  if (drawer.value === "inspector") {
    drawer.value = undefined;
  }
}
