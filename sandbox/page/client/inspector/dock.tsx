// The inspector beside the chat, which shows one panel at a time.
import type { FunctionComponent } from "preact";
import { IconButton } from "../kit/icon-button.tsx";
import { Drawer } from "../layout/drawer.tsx";
import { BotPanel } from "./bot-panel.tsx";
import { ClockPanel } from "./clock-panel.tsx";
import { faults, FaultsPanel } from "./faults-panel.tsx";
import { closeInspector, isInspectorOpen, openedPanel, type PanelId } from "./inspector-state.ts";
import { ServicesPanel } from "./services-panel.tsx";
import { TrafficPanel } from "./traffic-panel.tsx";
import { usePolled } from "./parts.tsx";

/** A panel is mounted only while its tab is open. */
const PANELS: readonly { readonly id: PanelId; readonly title: string; readonly Body: FunctionComponent }[] =
  [
    { id: "traffic", title: "Traffic", Body: TrafficPanel },
    { id: "services", title: "Services", Body: ServicesPanel },
    { id: "faults", title: "Faults", Body: FaultsPanel },
    { id: "clock", title: "Clock", Body: ClockPanel },
    { id: "bot", title: "Bot", Body: BotPanel },
  ];

export function InspectorDock() {
  return isInspectorOpen.value ? <OpenDock /> : null;
}

function OpenDock() {
  // The faults' tab shows how many are on, whichever panel is open, so that nobody forgets one.
  const { active } = usePolled("faults", faults);
  const at = PANELS.findIndex((one) => one.id === openedPanel.value);
  const Body = PANELS[at]?.Body;
  return (
    <Drawer side="inspector">
      <aside class="inspector" aria-label="Inspector">
        <div class="head row">
          <div
            role="tablist"
            aria-label="Inspector"
            class="tabs row rest"
            onKeyDown={({ key, currentTarget }) => {
              const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
              const next = PANELS.at((at + step) % PANELS.length);
              if (step !== 0 && next !== undefined) {
                openedPanel.value = next.id;
                currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
              }
            }}
          >
            {PANELS.map((one, index) => (
              <button
                key={one.id}
                id={`tab-${one.id}`}
                type="button"
                role="tab"
                class="row"
                aria-selected={index === at}
                aria-controls="tab-panel"
                tabIndex={index === at ? 0 : -1}
                onClick={() => {
                  openedPanel.value = one.id;
                }}
              >
                {one.title}
                {one.id === "faults" && active.length > 0 && (
                  <span class="count danger">
                    {active.length}
                    <span class="hidden"> on</span>
                  </span>
                )}
              </button>
            ))}
          </div>
          <IconButton icon="close" label="Close the inspector" onClick={closeInspector} />
        </div>
        <div
          key={openedPanel.value}
          id="tab-panel"
          class="inspector-body"
          role="tabpanel"
          aria-labelledby={`tab-${openedPanel.value}`}
          tabIndex={0}
        >
          {Body !== undefined && <Body />}
        </div>
      </aside>
    </Drawer>
  );
}
