// Kills a bot that runs in its own process, at one of its requests or after a delay, and counts how many kills
// interrupted work.
import * as fc from "fast-check";
import type { AddedFault } from "../../sandbox/faults/list.ts";
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import type { World } from "../../sandbox/world.ts";
import { untilAllAnswered } from "./until.ts";

/** A kind of request that the bot sends. */
export interface RequestKind {
  /** The service that receives it; Discord by default. */
  readonly of?: "transport" | "video";
  readonly method: string;
  readonly path: RegExp;
}

/** The time at which a process is killed. */
export interface KillMoment {
  /** The number of the request among those of its kind, from 1. */
  readonly nth: number;
  /**
   * Before the request is carried out; after that but before its answer; after the answer; or after a delay, regardless
   * of requests.
   */
  readonly when: "before" | "after" | "answered" | "moment";
  /** For `moment`: the delay in real milliseconds. */
  readonly delayMs: number;
}

/** Kills, mostly before a request is answered. */
export const killMoments: fc.Arbitrary<KillMoment> = fc.record({
  nth: fc.constantFrom(1, 1, 1, 2),
  when: fc.constantFrom("before", "after", "after", "answered", "moment"),
  delayMs: fc.integer({ min: 0, max: 60 }),
});

export interface Trap {
  isSprung(): boolean;
  remove(): void;
}

/** Sets a trap; call it before the action that sends the request. */
export function setTrap(world: World, request: RequestKind, { nth, when, delayMs }: KillMoment): Trap {
  if (when === "moment") {
    const untilMs = performance.now() + delayMs;
    return { isSprung: () => performance.now() >= untilMs, remove: () => undefined };
  }
  if (when === "answered") {
    const before = countAnswered(world, request);
    return { isSprung: () => countAnswered(world, request) >= before + nth, remove: () => undefined };
  }
  // The earlier requests pass.
  const passed = nth > 1 ? [addFault(world, request, "slow", nth - 1)] : [];
  const last = addFault(world, request, when === "before" ? "hang" : "hang-after", 1);
  return {
    isSprung: () => last.hits > 0,
    remove() {
      for (const fault of [...passed, last]) {
        fault.remove();
      }
    },
  };
}

/** Injects a fault that every server supports into the next requests of a kind. */
export function addFault(
  { discord, transport, video }: World,
  { of, method, path }: RequestKind,
  kind: FaultKind,
  times: number,
): AddedFault {
  const fault = { method, path, do: kind, times, delayMs: 0 };
  return of === "video"
    ? video.faults.add(fault)
    : of === "transport"
      ? transport.faults.add(fault)
      : discord.faults.add(fault);
}

function countAnswered({ discord, transport, video }: World, { of, method, path }: RequestKind): number {
  const list: readonly { method: string; path: string; status: number | undefined }[] =
    of === undefined ? discord.requests : { transport, video }[of].ledger;
  return list.filter((each) => each.method === method && path.test(each.path) && each.status !== undefined)
    .length;
}

/** The counts of a campaign. */
export interface KillCounts {
  /** Kills of a bot that was ready. */
  readonly kills: number;
  /** Kills while the bot waited for an answer of Discord or a service, or a member waited for the bot. */
  readonly underWay: number;
}

/** Kills a world's bot and counts the kills. */
export function createKiller(world: World) {
  const counts = { kills: 0, underWay: 0 };
  /** Interactions that an earlier process left unanswered. */
  const abandoned = new Set<string>();

  function unanswered(): readonly string[] {
    return world.discord.platform.state.interactions
      .values()
      .filter(
        ({ id, callbackKind, isLoading }) => (callbackKind === undefined || isLoading) && !abandoned.has(id),
      )
      .map(({ id }) => id)
      .toArray();
  }

  return {
    counts: counts as KillCounts,
    abandoned: abandoned as ReadonlySet<string>,
    unanswered,
    async kill(): Promise<void> {
      const isReady = world.bot.status.phase === "ready";
      const left = unanswered();
      const isAwaited = world.isAnswerAwaited(Infinity);
      await world.bot.kill();
      // Otherwise a request that hangs at the trap would be carried out when the trap is removed, however late that is.
      await untilAllAnswered(world);
      counts.kills += isReady ? 1 : 0;
      counts.underWay += isReady && (isAwaited || left.length > 0) ? 1 : 0;
      left.forEach((id) => abandoned.add(id));
    },
  };
}
