import { signal } from "@preact/signals";
import type {
  ActiveFault,
  FaultOrder,
  FaultState,
  FaultSwitch,
  Target,
} from "../../../control/api/faults.ts";
import { send } from "../api/request.ts";
import { showToast, reportFailure } from "../state/toast.ts";
import { count } from "./format.ts";
import { Block, Switch } from "./parts.tsx";

const TARGETS: Readonly<Record<Target, string>> = {
  discord: "Discord’s REST API",
  gateway: "Discord’s gateway",
  transport: "Transport service",
  "rail-data": "Rail data",
  tfl: "London",
  style: "Style service",
  video: "Video service",
};

export const faults = signal<FaultState>({ switches: [], active: [] });

/** Turns a fault on, or triggers one that happens once. Throws ApiError, as do the next two functions. */
async function orderFault(order: FaultOrder): Promise<void> {
  faults.value = await send("faults", order);
}

async function clearFaults(): Promise<void> {
  faults.value = await send("faults", {}, "DELETE");
}

async function turnOff(switchId: string): Promise<void> {
  faults.value = await send(`faults/${encodeURIComponent(switchId)}`, {}, "DELETE");
}

/** Whether a fault that is turned on now affects only the next call. */
const isOnce = signal(true);

export function FaultsPanel() {
  const { switches, active } = faults.value;
  return (
    <div class="panel">
      {active.length === 0 ? (
        <p class="notice good">All clear: no faults are on.</p>
      ) : (
        <p class="notice alarm row">
          <span class="rest">{count(active.length, "fault")} on.</span>
          <button type="button" class="button" onClick={() => void reportFailure(clearFaults())}>
            All off
          </button>
        </p>
      )}
      <label class="row">
        <input
          type="checkbox"
          checked={isOnce.value}
          onChange={({ currentTarget }) => {
            isOnce.value = currentTarget.checked;
          }}
        />
        Turn each fault off after it has affected one call
      </label>
      {Object.entries(TARGETS).map(([target, title]) => (
        <Block key={target} title={title}>
          <div class="lines">
            {switches
              .filter((one) => one.target === target)
              .map((one) => (
                <FaultRow
                  key={one.id}
                  fault={one}
                  active={active.find(({ switchId }) => switchId === one.id)}
                />
              ))}
          </div>
        </Block>
      ))}
    </div>
  );
}

interface FaultRowProps {
  readonly fault: FaultSwitch;
  readonly active: ActiveFault | undefined;
}

function FaultRow({ fault: { id, kind, label, description }, active }: FaultRowProps) {
  if (kind === "once") {
    const trigger = async () => {
      await orderFault({ switchId: id });
      showToast(`Done: ${label.toLowerCase()}.`);
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
          onClick={() => void reportFailure(trigger())}
        >
          Now
        </button>
      </div>
    );
  }
  const turn = (isOn: boolean) =>
    isOn ? orderFault({ switchId: id, ...(isOnce.value ? { times: 1 } : {}) }) : turnOff(id);
  return (
    <Switch label={label} isOn={active !== undefined} onTurn={(isOn) => void reportFailure(turn(isOn))}>
      {description}{" "}
      {active !== undefined && <span class="alarm">{count(active.hits, "call")} affected.</span>}
    </Switch>
  );
}
