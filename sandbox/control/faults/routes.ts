import { Hono } from "hono";
import type { AddedFault } from "../../faults/list.ts";
import { faultOrder, type FaultState, type Target } from "../api/faults.ts";
import type { ControlParts } from "../parts.ts";
import {
  discordSwitches,
  gatewaySwitches,
  RAIL_DATA_SWITCHES,
  STYLE_SWITCHES,
  TFL_SWITCHES,
  railDataMoments,
  tflMoments,
  TRANSPORT_SWITCHES,
  VIDEO_SWITCHES,
  faultSwitches,
  type SwitchDefinition,
} from "./switch.ts";

/** `GET`, `POST`, `DELETE /:switchId` and `DELETE`; all return the state afterwards. */
export function faultRoutes(parts: ControlParts): Hono {
  const { discord, transport, railData, tfl, style, video } = parts;
  const plans: Readonly<Record<Target, readonly SwitchDefinition[]>> = {
    discord: discordSwitches(discord),
    gateway: gatewaySwitches(discord),
    transport: faultSwitches(transport, TRANSPORT_SWITCHES),
    "rail-data": [...faultSwitches(railData, RAIL_DATA_SWITCHES), ...railDataMoments(railData)],
    tfl: [...faultSwitches(tfl, TFL_SWITCHES), ...tflMoments(tfl)],
    style: faultSwitches(style, STYLE_SWITCHES),
    video: faultSwitches(video, VIDEO_SWITCHES),
  };
  // The keys of the object above are exactly the targets.
  const switches = (Object.keys(plans) as Target[]).flatMap((target) =>
    plans[target].map((plan) => ({ id: `${target}:${plan.label}`, target, plan })),
  );
  const turnedOn = new Map<string, { readonly times: number | null; readonly added: AddedFault }>();

  const state = (): FaultState => ({
    switches: switches.map(({ id, target, plan: { label, description, ...plan } }) => ({
      id,
      target,
      label,
      description,
      kind: "trigger" in plan ? "once" : "lasting",
    })),
    active: [...turnedOn]
      .map(([switchId, { times, added }]) => ({ switchId, times, hits: added.hits }))
      .filter(({ hits, times }) => times === null || hits < times),
  });

  function remove(switchId: string): void {
    turnedOn.get(switchId)?.added.remove();
    turnedOn.delete(switchId);
  }

  return new Hono()
    .get("/", (context) => context.json(state()))
    .post("/", async (context) => {
      const { switchId, times = null } = faultOrder.parse(await context.req.json());
      const plan = switches.find(({ id }) => id === switchId)?.plan;
      if (plan === undefined) {
        throw new Error(`There is no fault ${switchId}.`);
      }
      if ("trigger" in plan) {
        plan.trigger();
      } else {
        remove(switchId);
        turnedOn.set(switchId, { times, added: plan.turnOn(times ?? Infinity) });
      }
      return context.json(state());
    })
    .delete("/", (context) => {
      [...turnedOn.keys()].forEach(remove);
      return context.json(state());
    })
    .delete("/:switchId", (context) => {
      remove(context.req.param("switchId"));
      return context.json(state());
    });
}
