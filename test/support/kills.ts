// Kills of a bot in a process of its own: at one of its requests, or at some moment; and how many came amid work.
import * as fc from "fast-check";
import type { AddedFault } from "../../sandbox/faults/list.ts";
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import type { World } from "../../sandbox/world.ts";
import { untilAllAnswered } from "./until.ts";

/** A kind of request that a bot makes. */
export interface RequestKind {
  /** Default Discord. */
  readonly of?: "transport" | "video";
  readonly method: string;
  readonly path: RegExp;
}

/** When a process is killed. */
export interface KillMoment {
  /** At which of the requests of a kind. */
  readonly nth: number;
  /** Before it is done, when it is done but not answered, when it is answered, or whatever is going on. */
  readonly when: "before" | "after" | "answered" | "moment";
  /** For a moment: after so many real milliseconds. */
  readonly delayMs: number;
}

/** Mostly before a request is answered. */
export const killMoments: fc.Arbitrary<KillMoment> = fc.record({
  nth: fc.constantFrom(1, 1, 1, 2),
  when: fc.constantFrom("before", "after", "after", "answered", "moment"),
  delayMs: fc.integer({ min: 0, max: 60 }),
});

export interface Trap {
  isSprung(): boolean;
  remove(): void;
}

/** Set before what is to be caught begins. */
export function setTrap(world: World, request: RequestKind, { nth, when, delayMs }: KillMoment): Trap {
  if (when === "moment") {
    const untilMs = performance.now() + delayMs;
    return { isSprung: () => performance.now() >= untilMs, remove: () => undefined };
  }
  if (when === "answered") {
    const before = countAnswered(world, request);
    return { isSprung: () => countAnswered(world, request) >= before + nth, remove: () => undefined };
  }
  // Those before it pass.
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

/** Lets the next requests of a kind meet a fault that every server knows. */
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

/** What campaigns count. */
export interface KillCounts {
  /** Each at a bot that was ready. */
  readonly kills: number;
  /** Kills while the bot waited for an answer of Discord or of a service, or a member for one of the bot. */
  readonly underWay: number;
}

/** Kills a world's bot, and counts. */
export function createKiller(world: World) {
  const counts = { kills: 0, underWay: 0 };
  /** Interactions that an earlier life left unanswered. */
  const forsaken = new Set<string>();

  function unanswered(): readonly string[] {
    return world.discord.platform.state.interactions
      .values()
      .filter(
        ({ id, callbackKind, isLoading }) => (callbackKind === undefined || isLoading) && !forsaken.has(id),
      )
      .map(({ id }) => id)
      .toArray();
  }

  return {
    counts: counts as KillCounts,
    forsaken: forsaken as ReadonlySet<string>,
    unanswered,
    async kill(): Promise<void> {
      const isReady = world.bot.status.phase === "ready";
      const left = unanswered();
      const isAwaited = world.isAnswerAwaited(Infinity);
      await world.bot.kill();
      // Otherwise a request that hangs at the trap would be carried out once the trap is removed, however late that is.
      await untilAllAnswered(world);
      counts.kills += isReady ? 1 : 0;
      counts.underWay += isReady && (isAwaited || left.length > 0) ? 1 : 0;
      left.forEach((id) => forsaken.add(id));
    },
  };
}
