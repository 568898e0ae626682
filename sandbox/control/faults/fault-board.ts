// All fault switches of a sandbox, and which are on.
import type { AddedFault } from "../../faults/list.ts";
import type { ActiveFault, FaultOrder, FaultState, Target } from "../api/faults.ts";
import type { ControlParts } from "../parts.ts";
import { gatewaySwitches } from "./gateway-switches.ts";
import {
  RAIL_DATA_SWITCHES,
  STYLE_SWITCHES,
  TFL_SWITCHES,
  railDataMoments,
  tflMoments,
  TRANSPORT_SWITCHES,
  VIDEO_SWITCHES,
} from "./service-switches.ts";
import { faultSwitches, type SwitchPlan } from "./switch.ts";

export interface FaultBoard {
  readonly state: () => FaultState;
  /** Throws for a switch that there is not. */
  readonly order: (order: FaultOrder) => void;
  /** Takes one off; one that is off already is let be. */
  readonly remove: (id: number) => void;
  readonly clear: () => void;
}

interface TurnedOn extends Omit<ActiveFault, "met"> {
  readonly added: AddedFault;
}

export function createFaultBoard(parts: ControlParts): FaultBoard {
  const { discord, clock, transport, railData, tfl, style, video } = parts;
  const plans: Readonly<Record<Target, readonly SwitchPlan[]>> = {
    discord: faultSwitches(discord),
    gateway: gatewaySwitches(discord),
    transport: faultSwitches(transport, TRANSPORT_SWITCHES),
    "rail-data": [...faultSwitches(railData, RAIL_DATA_SWITCHES), ...railDataMoments(railData)],
    tfl: [...faultSwitches(tfl, TFL_SWITCHES), ...tflMoments(tfl)],
    style: faultSwitches(style, STYLE_SWITCHES),
    video: faultSwitches(video, VIDEO_SWITCHES),
  };
  // The names of the object above are the targets.
  const switches = (Object.keys(plans) as Target[]).flatMap((target) =>
    plans[target].map((plan) => ({ id: `${target}:${plan.name}`, target, plan })),
  );
  let turnedOn: readonly TurnedOn[] = [];
  let lastId = 0;

  return {
    state: () => ({
      switches: switches.map(({ id, target, plan: { label, description, ...plan } }) => ({
        id,
        target,
        label,
        description,
        kind: "happen" in plan ? "moment" : "lasting",
      })),
      active: turnedOn
        .map(({ added, ...one }) => ({ ...one, met: added.met }))
        .filter(({ met, times }) => times === null || met < times),
    }),
    order({ switchId, times }) {
      const found = switches.find(({ id }) => id === switchId);
      if (found === undefined) {
        throw new Error(`There is no fault ${switchId}.`);
      }
      const { target, plan } = found;
      if ("happen" in plan) {
        plan.happen();
        return;
      }
      lastId += 1;
      turnedOn = [
        ...turnedOn,
        {
          id: lastId,
          switchId,
          target,
          label: plan.label,
          sinceMs: clock.now(),
          times: times ?? null,
          added: plan.turnOn(times ?? Infinity),
        },
      ];
    },
    remove(id) {
      turnedOn.find((one) => one.id === id)?.added.remove();
      turnedOn = turnedOn.filter((one) => one.id !== id);
    },
    clear() {
      for (const { added } of turnedOn) {
        added.remove();
      }
      turnedOn = [];
    },
  };
}
