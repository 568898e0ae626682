// One bad day: a switch, or a button for what happens once and at once.
import type { ActiveFault, FaultSwitch } from "../../../../control/api/faults.ts";
import { tell, tellTrouble } from "../../state/toast.ts";
import { Switch } from "../parts/switch.tsx";
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
      <div class="setting row">
        <span class="stack rest">
          <strong>{label}</strong>
          <span class="subtext">{description}</span>
        </span>
        <button
          type="button"
          class="button"
          aria-label={`${label}, now`}
          onClick={() => void tellTrouble(happen())}
        >
          Now
        </button>
      </div>
    );
  }
  const turn = (isOn: boolean) =>
    isOn ? orderFault({ switchId: id, ...(times === undefined ? {} : { times }) }) : takeOff(id);
  return (
    <Switch label={label} isOn={active.length > 0} onTurn={(isOn) => void tellTrouble(turn(isOn))}>
      {description} <span class="alarm">{active.map(metWords).join("; ")}</span>
    </Switch>
  );
}
