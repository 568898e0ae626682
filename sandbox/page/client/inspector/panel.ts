// What a panel of the inspector is.
import type { FunctionComponent } from "preact";
import type { IconName } from "../kit/icon.tsx";

/** In the order of their tabs. */
export const PANEL_IDS = ["traffic", "services", "faults", "clock", "bot"] as const;

export type PanelId = (typeof PANEL_IDS)[number];

export interface Panel {
  readonly id: PanelId;
  readonly title: string;
  readonly icon: IconName;
  /** Mounted while its tab is open; its state is its own. */
  readonly Body: FunctionComponent;
}
