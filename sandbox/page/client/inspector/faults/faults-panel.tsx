// Switches for bad days, by what they befall.
import { signal } from "@preact/signals";
import type { Target } from "../../../../control/api/faults.ts";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { Segments } from "../../kit/segments.tsx";
import { tellTrouble } from "../../state/toast.ts";
import { Block } from "../parts/block.tsx";
import { count } from "../parts/words.ts";
import { FaultRow } from "./fault-row.tsx";
import { clearFaults, faultCount, faults } from "./faults-state.ts";

/** In the order of the panel. */
const TARGETS: readonly { readonly target: Target; readonly title: string; readonly icon: IconName }[] = [
  { target: "discord", title: "Discord’s REST API", icon: "hash" },
  { target: "gateway", title: "Discord’s gateway", icon: "pulse" },
  { target: "transport", title: "Transport service", icon: "train" },
  { target: "rail-data", title: "Rail data", icon: "train" },
  { target: "tfl", title: "London", icon: "train" },
  { target: "style", title: "Style service", icon: "picture" },
  { target: "video", title: "Video service", icon: "film" },
];

const LASTS = [
  { value: "1", words: "Once" },
  { value: "3", words: "3 times" },
  { value: "", words: "Until off" },
] as const;

/** How many calls are to meet what is turned on next; empty: all until it is turned off. */
const times = signal<(typeof LASTS)[number]["value"]>("1");

export function FaultsPanel() {
  const { switches = [], active = [] } = faults.value ?? {};
  return (
    <div class="panel">
      {faultCount.value === 0 ? (
        <p class="notice good">All clear: no faults are on.</p>
      ) : (
        <p class="notice alarm row">
          <span class="rest">{count(faultCount.value, "fault")} on.</span>
          <button type="button" class="button" onClick={() => void tellTrouble(clearFaults())}>
            All off
          </button>
        </p>
      )}
      <Segments
        title="How often each fault strikes"
        chosen={times.value}
        choices={LASTS}
        onChoose={(one) => {
          times.value = one;
        }}
      />
      {TARGETS.map(({ target, title, icon }) => (
        <Block
          key={target}
          title={
            <>
              <Icon name={icon} /> {title}
            </>
          }
        >
          <div class="lines">
            {switches
              .filter((one) => one.target === target)
              .map((one) => (
                <FaultRow
                  key={one.id}
                  fault={one}
                  active={active.filter(({ switchId }) => switchId === one.id)}
                  times={times.value === "" ? undefined : Number(times.value)}
                />
              ))}
          </div>
        </Block>
      ))}
    </div>
  );
}
