// A bad day for a bot that keeps boards, minute by minute, tick by tick.
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import type { World } from "../../sandbox/world.ts";
import {
  REQUESTS,
  TAKE_OVER,
  TICKS,
  type BadMinute,
  type Kill,
  type Request,
  type Trouble,
} from "./board-bad-minutes.ts";
import { tickThrough, turnUntil } from "./board-ticks.ts";

const TICK_MS = 10_000;

/** A tick as it went. */
export interface Tick {
  readonly fromMs: number;
  /** With what it waited for. */
  readonly toMs: number;
  /** Nobody was killed, and nothing failed. */
  readonly isCalm: boolean;
}

/** What has happened so far. */
export interface BadDay {
  readonly ticks: readonly Tick[];
  readonly kills: number;
  /** Kills at a request that came. */
  readonly sprung: number;
  /** Requests that met a fault. */
  readonly faultsMet: number;
  /** Lives through a minute that begins at this moment, or through a calm one. */
  live(atMs: number, minute?: BadMinute): Promise<void>;
}

/** Makes bad days, with at most so many kills, for a world whose bot runs in a process of its own. */
export function createBadDay(world: World, mostKills: number): BadDay {
  const ticks: Tick[] = [];
  const counts = { kills: 0, sprung: 0, faultsMet: 0 };

  async function tickAndKill(kill: Kill): Promise<void> {
    const trap = setTrap(world, kill);
    const state = { isOver: false };
    const ticking = world.tick().finally(() => (state.isOver = true));
    await turnUntil(world, () => state.isOver || trap.isSprung());
    counts.kills += 1;
    counts.sprung += trap.isSprung() ? 1 : 0;
    await world.bot.kill();
    await ticking;
    trap.remove();
  }

  async function liveTick(kill: Kill | undefined, troubles: readonly Trouble[]): Promise<void> {
    const fromMs = world.clock.now();
    const added = troubles.map(({ request, do: kind, times }) => addFault(world, request, kind, times));
    await (kill === undefined ? tickThrough(world) : tickAndKill(kill));
    const met = added.reduce((sum, fault) => sum + fault.met, 0);
    counts.faultsMet += met;
    for (const fault of added) {
      fault.remove();
    }
    ticks.push({ fromMs, toMs: world.clock.now(), isCalm: kill === undefined && met === 0 });
    if (kill !== undefined) {
      await world.bot.start();
    }
  }

  return {
    ticks,
    get kills() {
      return counts.kills;
    },
    get sprung() {
      return counts.sprung;
    },
    get faultsMet() {
      return counts.faultsMet;
    },
    async live(atMs, minute) {
      for (let index = 0; index < TICKS; index += 1) {
        // Whoever waited for an answer may have used up the time.
        await world.clock.set(Math.max(world.clock.now(), atMs + index * TICK_MS));
        const kill = counts.kills < mostKills ? killAt(minute, index) : undefined;
        await liveTick(kill, minute?.troubles.filter(({ at }) => at === index) ?? []);
      }
    },
  };
}

function killAt(minute: BadMinute | undefined, index: number): Kill | undefined {
  if (minute === undefined || index === minute.killedAt) {
    return minute?.kill;
  }
  return index === minute.killedAt + TAKE_OVER ? minute.again : undefined;
}

interface Trap {
  isSprung(): boolean;
  remove(): void;
}

/** Set before the tick begins. */
function setTrap(world: World, { request, nth, when, delayMs }: Kill): Trap {
  if (when === "moment") {
    const untilMs = performance.now() + delayMs;
    return { isSprung: () => performance.now() >= untilMs, remove: () => undefined };
  }
  if (when === "answered") {
    const before = answered(world, request);
    return { isSprung: () => answered(world, request) >= before + nth, remove: () => undefined };
  }
  // Those before it pass.
  const passed = nth > 1 ? [addFault(world, request, "slow", nth - 1)] : [];
  const last = addFault(world, request, when === "before" ? "hang" : "hang-after", 1);
  return {
    isSprung: () => last.met > 0,
    remove() {
      for (const fault of [...passed, last]) {
        fault.remove();
      }
    },
  };
}

function addFault({ discord, transport }: World, request: Request, kind: FaultKind, times: number) {
  const fault = { ...REQUESTS[request], do: kind, times, delayMs: 0 };
  return request === "data" ? transport.faults.add(fault) : discord.faults.add(fault);
}

function answered({ discord, transport }: World, request: Request): number {
  const { method, path } = REQUESTS[request];
  const list = request === "data" ? transport.ledger : discord.requests;
  return list.filter((each) => each.method === method && path.test(each.path) && each.status !== undefined)
    .length;
}
