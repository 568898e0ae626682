// Whether the inspector is open, at which panel, and how wide.
import { computed, effect } from "@preact/signals";
import { drawer } from "../state/layers.ts";
import { isNarrow } from "../state/narrow.ts";
import { remembered, rememberedNumber } from "../state/remembered.ts";
import { PANEL_IDS, type PanelId } from "./panel.ts";

const wanted = remembered("inspector", ["closed", "open"]);

/** Whose tab was chosen. */
export const openedPanel = remembered<PanelId>("inspector-panel", PANEL_IDS);

export const isInspectorOpen = computed(
  () => wanted.value === "open" && (!isNarrow.value || drawer.value === "inspector"),
);

/** On a phone it slides in as a drawer. */
export function toggleInspector(): void {
  if (isInspectorOpen.value) {
    closeInspector();
  } else {
    openInspector(openedPanel.value);
  }
}

export function openInspector(panel: PanelId): void {
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

/** Of the column, in rem; the window may not have room for all of it. */
export const WIDTH = { least: 20, first: 28, most: 60 } as const;

const width = rememberedNumber("inspector-width", WIDTH.first, WIDTH.least, WIDTH.most);

export const inspectorWidth = computed(() => width.value);

export function setInspectorWidth(rem: number): void {
  width.value = Math.min(WIDTH.most, Math.max(WIDTH.least, Math.round(rem * 4) / 4));
}

effect(() => {
  document.documentElement.style.setProperty("--inspector", `${width.value}rem`);
});
