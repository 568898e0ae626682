// The inspector's panels, in the order of their tabs.
import type { FunctionComponent } from "preact";
import { BotPanel } from "./bot/bot-panel.tsx";
import { ClockPanel } from "./clock/clock-panel.tsx";
import { FaultsPanel } from "./faults/faults-panel.tsx";
import type { PanelId } from "./inspector-state.ts";
import { ServicesPanel } from "./services/services-panel.tsx";
import { TrafficPanel } from "./traffic/traffic-panel.tsx";

interface Panel {
  readonly id: PanelId;
  readonly title: string;
  /** Mounted while its tab is open; its state is its own. */
  readonly Body: FunctionComponent;
}

export const PANELS: readonly Panel[] = [
  { id: "traffic", title: "Traffic", Body: TrafficPanel },
  { id: "services", title: "Services", Body: ServicesPanel },
  { id: "faults", title: "Faults", Body: FaultsPanel },
  { id: "clock", title: "Clock", Body: ClockPanel },
  { id: "bot", title: "Bot", Body: BotPanel },
];
