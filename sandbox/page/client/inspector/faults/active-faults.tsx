// What is on now, and one button that ends it all.
import type { ActiveFault } from "../../../../control/api/faults.ts";
import { Icon } from "../../kit/icon.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { tellTrouble } from "../parts/use-live.ts";
import { clearFaults, takeOff } from "./faults-state.ts";
import { metWords } from "./met-words.ts";

export function ActiveFaults({ active }: { readonly active: readonly ActiveFault[] }) {
  if (active.length === 0) {
    return (
      <p class="all-well row">
        <Icon name="check" /> All clear: no faults are on.
      </p>
    );
  }
  return (
    <section class="block active-faults" aria-labelledby="active-title">
      <header>
        <h3 id="active-title">On now</h3>
        <button type="button" class="button" onClick={() => tellTrouble(clearFaults())}>
          All off
        </button>
      </header>
      <ul>
        {active.map((fault) => (
          <li key={fault.id}>
            <span class="row-words stack">
              <span class="row-title">
                {fault.label} <span class="subtext">{fault.target}</span>
              </span>
              <span class="row-about soft">{metWords(fault)}</span>
            </span>
            <IconButton
              icon="close"
              label={`Turn off: ${fault.label} (${fault.target})`}
              onClick={() => tellTrouble(takeOff(fault.switchId))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
