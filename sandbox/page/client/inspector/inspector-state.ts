import { computed, signal } from "@preact/signals";
import { drawer, isNarrow } from "../state/layers.ts";

const isWanted = signal(false);

export type PanelId = "traffic" | "services" | "faults" | "clock" | "bot";

export const openedPanel = signal<PanelId>("traffic");

export const isInspectorOpen = computed(
  () => isWanted.value && (!isNarrow.value || drawer.value === "inspector"),
);

/** By default, shows the panel that was open last. */
export function openInspector(panel: PanelId = openedPanel.value): void {
  openedPanel.value = panel;
  isWanted.value = true;
  if (isNarrow.value) {
    drawer.value = "inspector";
  }
}

export function closeInspector(): void {
  isWanted.value = false;
  if (drawer.value === "inspector") {
    drawer.value = undefined;
  }
}
