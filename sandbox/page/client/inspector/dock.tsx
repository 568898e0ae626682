// Beside the chat: what goes on behind it, one panel at a time.
import { useId } from "preact/hooks";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Drawer } from "../layout/drawer.tsx";
import { closeInspector, isInspectorOpen, openedPanel } from "./inspector-state.ts";
import { faultCount, useFaults } from "./faults/faults-state.ts";
import { PANELS } from "./panels.ts";

export function InspectorDock() {
  return isInspectorOpen.value ? <OpenDock /> : null;
}

function OpenDock() {
  const id = useId();
  // While the dock is open, whichever panel is: a fault that is on must not be forgotten.
  useFaults();
  const panel = PANELS.find((one) => one.id === openedPanel.value) ?? PANELS[0];
  if (panel === undefined) {
    return null;
  }
  const go = (index: number) => {
    const next = PANELS.at(index);
    if (next !== undefined) {
      openedPanel.value = next.id;
      document.getElementById(`${id}-${next.id}`)?.focus();
    }
  };
  return (
    <Drawer side="inspector">
      <aside class="inspector" aria-label="Inspector">
        <div class="inspector-head row">
          <div
            role="tablist"
            aria-label="Inspector"
            class="tabs rest"
            onKeyDown={(event) => {
              const to = goalOf(event.key, PANELS.indexOf(panel));
              if (to !== undefined) {
                event.preventDefault();
                go(to);
              }
            }}
          >
            {PANELS.map((one) => (
              <button
                key={one.id}
                id={`${id}-${one.id}`}
                type="button"
                role="tab"
                aria-selected={one === panel}
                aria-controls={`${id}-panel`}
                tabIndex={one === panel ? 0 : -1}
                onClick={() => {
                  openedPanel.value = one.id;
                }}
              >
                <Icon name={one.icon} />
                {one.title}
                {one.id === "faults" && <FaultMark />}
              </button>
            ))}
          </div>
          <IconButton icon="close" label="Close the inspector" onClick={closeInspector} />
        </div>
        <div
          key={panel.id}
          id={`${id}-panel`}
          class="inspector-body"
          role="tabpanel"
          aria-labelledby={`${id}-${panel.id}`}
          tabIndex={0}
        >
          <panel.Body />
        </div>
      </aside>
    </Drawer>
  );
}

/** Where a key leads among the tabs, round and round. */
function goalOf(key: string, at: number): number | undefined {
  const goals: Readonly<Record<string, number>> = {
    ArrowRight: (at + 1) % PANELS.length,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  };
  return goals[key];
}

function FaultMark() {
  const count = faultCount.value;
  return count === 0 ? null : (
    <span class="tab-mark">
      {count}
      <span class="hidden"> on</span>
    </span>
  );
}
