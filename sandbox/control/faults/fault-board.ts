// All fault switches of a sandbox, and which are on.
import type { AddedFault } from "../../faults/list.ts";
import type { ActiveFault, FaultOrder, FaultState } from "../api/faults.ts";
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
import { faultSwitches, type LastingSwitch, type Switch } from "./switch.ts";

export interface FaultBoard {
  readonly state: () => FaultState;
  /** Throws for a switch that there is not. */
  readonly order: (order: FaultOrder) => void;
  /** Takes one off; one that is off already is let be. */
  readonly remove: (id: number) => void;
  readonly clear: () => void;
}

interface TurnedOn {
  readonly id: number;
  readonly of: LastingSwitch;
  readonly times: number;
  readonly sinceMs: number;
  readonly added: AddedFault;
}

export function createFaultBoard({
  discord,
  clock,
  transport,
  railData,
  tfl,
  style,
  video,
}: ControlParts): FaultBoard {
  const switches: readonly Switch[] = [
    ...faultSwitches("discord", discord),
    ...gatewaySwitches(discord),
    ...faultSwitches("transport", transport, TRANSPORT_SWITCHES),
    ...faultSwitches("rail-data", railData, RAIL_DATA_SWITCHES),
    ...railDataMoments(railData),
    ...faultSwitches("tfl", tfl, TFL_SWITCHES),
    ...tflMoments(tfl),
    ...faultSwitches("style", style, STYLE_SWITCHES),
    ...faultSwitches("video", video, VIDEO_SWITCHES),
  ];
  let turnedOn: readonly TurnedOn[] = [];
  let lastId = 0;

  function active(): ActiveFault[] {
    return turnedOn
      .filter(({ times, added }) => added.met < times)
      .map(({ id, of, times, sinceMs, added }) => ({
        id,
        switchId: of.id,
        target: of.target,
        label: of.label,
        sinceMs,
        met: added.met,
        times: times === Infinity ? null : times,
      }));
  }

  return {
    state: () => ({
      switches: switches.map(({ id, target, label, description, kind }) => ({
        id,
        target,
        label,
        description,
        kind,
      })),
      active: active(),
    }),
    order({ switchId, times = Infinity }) {
      const found = switches.find(({ id }) => id === switchId);
      if (found === undefined) {
        throw new Error(`There is no fault ${switchId}.`);
      }
      if (found.kind === "moment") {
        found.happen();
        return;
      }
      lastId += 1;
      const added = found.turnOn(times);
      turnedOn = [...turnedOn, { id: lastId, of: found, times, sinceMs: clock.now(), added }];
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
