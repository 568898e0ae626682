// Requests of a bot that publishes, and what can befall them: it is killed there, or an answer is lost.
import type { AddedFault } from "../../sandbox/faults/list.ts";
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import type { VideoFaultKind } from "../../sandbox/video/faults.ts";
import type { World } from "../../sandbox/world.ts";

/** By what they are for. Those below `file` are asked of the video service, the others of Discord. */
export const REQUESTS = {
  callback: { method: "POST", path: /^\/interactions\/[^/]+\/[^/]+\/callback$/ },
  post: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  edit: { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ },
  read: { method: "GET", path: /^\/channels\/\d+\/messages$/ },
  file: { method: "GET", path: /^\/attachments\// },
  simple: { method: "POST", path: /\/videos\/simple$/ },
  start: { method: "POST", path: /\/videos\/start$/ },
  transfer: { method: "POST", path: /\/videos\/transfer$/ },
  finish: { method: "POST", path: /\/videos\/finish$/ },
  cancel: { method: "POST", path: /\/videos\/cancel$/ },
  status: { method: "GET", path: /^\/\d+$/ },
  list: { method: "GET", path: /\/videos$/ },
} as const;

export type Request = keyof typeof REQUESTS;

const OF_DISCORD: ReadonlySet<Request> = new Set(["callback", "post", "edit", "read", "file"]);

/** When a process is killed: at a request, or at some moment. */
export interface Kill {
  readonly request: Request;
  /** At which of these requests. */
  readonly nth: number;
  /** Before it is done, when it is done but not answered, when it is answered, or whatever is going on. */
  readonly when: "before" | "after" | "answered" | "moment";
  /** For a moment: after so many real milliseconds. */
  readonly delayMs: number;
  /** How long nobody starts it again, in milliseconds of the clock. */
  readonly downMs: number;
}

/** Something that goes wrong with the next requests of a kind. */
export interface Trouble {
  readonly request: Request;
  readonly do: FaultKind | VideoFaultKind;
  readonly times: number;
}

export interface Trap {
  isSprung(): boolean;
  remove(): void;
}

/** What Discord can do as well as the video service. */
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

/** Lets the next requests of a kind meet trouble. */
export function addTrouble(world: World, { request, do: kind, times }: Trouble): AddedFault {
  const rule = { ...REQUESTS[request], times, delayMs: 0 };
  if (!OF_DISCORD.has(request)) {
    return world.video.faults.add({ ...rule, do: kind });
  }
  const common = COMMON.find((one) => one === kind);
  if (common === undefined) {
    throw new Error(`Discord does not know the trouble ${kind}`);
  }
  return world.discord.faults.add({ ...rule, do: common });
}

/** Set before what is to be caught begins. */
export function setTrap(world: World, { request, nth, when, delayMs }: Kill): Trap {
  if (when === "moment") {
    const untilMs = performance.now() + delayMs;
    return { isSprung: () => performance.now() >= untilMs, remove: () => undefined };
  }
  if (when === "answered") {
    const before = answered(world, request);
    return { isSprung: () => answered(world, request) >= before + nth, remove: () => undefined };
  }
  // Those before it pass.
  const passed = nth > 1 ? [addTrouble(world, { request, do: "slow", times: nth - 1 })] : [];
  const last = addTrouble(world, { request, do: when === "before" ? "hang" : "hang-after", times: 1 });
  return {
    isSprung: () => last.met > 0,
    remove() {
      for (const fault of [...passed, last]) {
        fault.remove();
      }
    },
  };
}

function answered({ discord, video }: World, request: Request): number {
  const { method, path } = REQUESTS[request];
  const list: readonly { method: string; path: string; status: number | undefined }[] = OF_DISCORD.has(
    request,
  )
    ? discord.requests
    : video.ledger;
  return list.filter((each) => each.method === method && path.test(each.path) && each.status !== undefined)
    .length;
}
