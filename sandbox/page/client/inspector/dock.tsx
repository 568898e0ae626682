// Beside the chat: what goes on behind it, one panel at a time.
import { useId } from "preact/hooks";
import { IconButton } from "../kit/icon-button.tsx";
import { Drawer } from "../layout/drawer.tsx";
import { faultCount, faults } from "./faults/faults-state.ts";
import { closeInspector, isInspectorOpen, openedPanel } from "./inspector-state.ts";
import { PANELS } from "./panels.ts";
import { useTold } from "./parts/use-told.ts";

export function InspectorDock() {
  return isInspectorOpen.value ? <OpenDock /> : null;
}

function OpenDock() {
  const id = useId();
  // Whichever panel is open: a fault that is on must not be forgotten.
  useTold("faults", faults);
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
                currentTarget.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.id}`)}`)?.focus();
              }
            }}
          >
            {PANELS.map((one, index) => (
              <button
                key={one.id}
                id={`${id}-${one.id}`}
                type="button"
                role="tab"
                class="row"
                aria-selected={index === at}
                aria-controls={`${id}-panel`}
                tabIndex={index === at ? 0 : -1}
                onClick={() => {
                  openedPanel.value = one.id;
                }}
              >
                {one.title}
                {one.id === "faults" && faultCount.value > 0 && (
                  <span class="count alarm">
                    {faultCount.value}
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
          id={`${id}-panel`}
          class="inspector-body"
          role="tabpanel"
          aria-labelledby={`${id}-${openedPanel.value}`}
          tabIndex={0}
        >
          {Body !== undefined && <Body />}
        </div>
      </aside>
    </Drawer>
  );
}
