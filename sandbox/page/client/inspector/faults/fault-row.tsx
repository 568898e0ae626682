// One bad day: a switch, or a button for what happens once and at once.
import type { ActiveFault, FaultSwitch } from "../../../../control/api/faults.ts";
import { tell } from "../../state/toast.ts";
import { Switch } from "../parts/switch.tsx";
import { tellTrouble } from "../parts/use-live.ts";
import { orderFault, takeOff } from "./faults-state.ts";
import { metWords } from "./met-words.ts";

interface FaultRowProps {
  readonly fault: FaultSwitch;
  /** What of it is on. */
  readonly active: readonly ActiveFault[];
  /** How many calls are to meet it when it is turned on; `undefined`: all. */
  readonly times: number | undefined;
}

export function FaultRow({ fault: { id, kind, label, description }, active, times }: FaultRowProps) {
  if (kind === "moment") {
    const happen = async () => {
      await orderFault({ switchId: id });
      tell(`Done: ${label.toLowerCase()}.`);
    };
    return (
      <div class="moment-row row">
        <span class="row-words stack">
          <span class="row-title">{label}</span>
          <span class="row-about soft">{description}</span>
        </span>
        <button
          type="button"
          class="button"
          aria-label={`${label}, now`}
          onClick={() => tellTrouble(happen())}
        >
          Now
        </button>
      </div>
    );
  }
  const isOn = active.length > 0;
  return (
    <Switch
      label={label}
      isOn={isOn}
      onTurn={(on) =>
        tellTrouble(
          on ? orderFault({ switchId: id, ...(times === undefined ? {} : { times }) }) : takeOff(id),
        )
      }
    >
      {description}
      {isOn && <strong class="met"> {active.map(metWords).join("; ")}</strong>}
    </Switch>
  );
}
