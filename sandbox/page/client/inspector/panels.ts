// The inspector's panels, in the order of their tabs.
import { BotPanel } from "./bot/bot-panel.tsx";
import { ClockPanel } from "./clock/clock-panel.tsx";
import { FaultsPanel } from "./faults/faults-panel.tsx";
import type { Panel } from "./panel.ts";
import { ServicesPanel } from "./services/services-panel.tsx";
import { TrafficPanel } from "./traffic/traffic-panel.tsx";

export const PANELS: readonly Panel[] = [
  { id: "traffic", title: "Traffic", icon: "pulse", Body: TrafficPanel },
  { id: "services", title: "Services", icon: "layers", Body: ServicesPanel },
  { id: "faults", title: "Faults", icon: "bolt", Body: FaultsPanel },
  { id: "clock", title: "Clock", icon: "clock", Body: ClockPanel },
  { id: "bot", title: "Bot", icon: "bot", Body: BotPanel },
];
