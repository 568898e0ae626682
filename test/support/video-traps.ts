// The requests of a bot that publishes, and what can happen at them: a kill or a fault.
import type { AddedFault } from "../../sandbox/faults/list.ts";
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import type { VideoFaultKind } from "../../sandbox/video/faults.ts";
import type { World } from "../../sandbox/world.ts";
import { addFault, type KillMoment, type RequestKind } from "./kills.ts";

/** The requests by purpose. */
export const REQUESTS = {
  callback: { method: "POST", path: /^\/interactions\/[^/]+\/[^/]+\/callback$/ },
  post: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  edit: { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ },
  read: { method: "GET", path: /^\/channels\/\d+\/messages$/ },
  file: { method: "GET", path: /^\/attachments\// },
  simple: { of: "video", method: "POST", path: /\/videos\/simple$/ },
  start: { of: "video", method: "POST", path: /\/videos\/start$/ },
  transfer: { of: "video", method: "POST", path: /\/videos\/transfer$/ },
  finish: { of: "video", method: "POST", path: /\/videos\/finish$/ },
  cancel: { of: "video", method: "POST", path: /\/videos\/cancel$/ },
  status: { of: "video", method: "GET", path: /^\/\d+$/ },
  list: { of: "video", method: "GET", path: /\/videos$/ },
} as const satisfies Record<string, RequestKind>;

export type Request = keyof typeof REQUESTS;

/** A kill at a request of the bot. */
export interface Kill extends KillMoment {
  readonly request: Request;
  /** How long the bot stays stopped, in milliseconds of the clock. */
  readonly downMs: number;
}

/** A fault of the next requests of a kind. */
export interface Trouble {
  readonly request: Request;
  readonly do: FaultKind | VideoFaultKind;
  readonly times: number;
}

/** The faults that every server supports. */
const COMMON = [
  "500",
  "500-after",
  "drop",
  "drop-after",
  "hang",
  "hang-after",
  "slow",
  "429",
  "malformed",
  "truncated",
] as const satisfies readonly FaultKind[];

/** Injects a fault into the next requests of a kind. */
export function addTrouble(world: World, { request, do: kind, times }: Trouble): AddedFault {
  const common = COMMON.find((one) => one === kind);
  if (common !== undefined) {
    return addFault(world, REQUESTS[request], common, times);
  }
  if (!("of" in REQUESTS[request])) {
    throw new Error(`Discord has no fault ${kind}`);
  }
  return world.video.faults.add({ ...REQUESTS[request], do: kind, times, delayMs: 0 });
}
