// Runs a bot with boards through bad minutes, tick by tick.
import type { World } from "../../sandbox/world.ts";
import { REQUESTS, TAKE_OVER, TICKS, type BadMinute, type Kill, type Trouble } from "./board-bad-minutes.ts";
import { tickThrough, advanceUntil } from "./board-ticks.ts";
import { addFault, createKiller, setTrap } from "./kills.ts";
import { watchSettled } from "./until.ts";

const TICK_MS = 10_000;

/** The times and result of one tick. */
export interface Tick {
  readonly fromMs: number;
  /** Includes the time that it waited for answers. */
  readonly toMs: number;
  /** Whether nothing was killed and nothing failed. */
  readonly isCalm: boolean;
}

export interface BadDay {
  readonly ticks: readonly Tick[];
  readonly kills: number;
  /** Kills while the bot waited for an answer. */
  readonly underWay: number;
  /** Kills at the planned request. */
  readonly sprung: number;
  /** Requests that hit an injected fault. */
  readonly faultsMet: number;
  /** Plays a minute that begins at this time; a calm one by default. */
  playMinute(atMs: number, minute?: BadMinute): Promise<void>;
}

/** Plays bad days with at most this many kills, in a world whose bot runs in its own process. */
export function createBadDay(world: World, mostKills: number): BadDay {
  const ticks: Tick[] = [];
  const counts = { sprung: 0, faultsMet: 0 };
  const killer = createKiller(world);

  async function tickAndKill(kill: Kill): Promise<void> {
    const trap = setTrap(world, REQUESTS[kill.request], kill);
    const ticking = world.tick();
    const isTicked = watchSettled(ticking);
    await advanceUntil(world, () => isTicked() || trap.isSprung());
    counts.sprung += trap.isSprung() ? 1 : 0;
    await killer.kill();
    await ticking;
    trap.remove();
  }

  async function liveTick(kill: Kill | undefined, troubles: readonly Trouble[]): Promise<void> {
    const fromMs = world.clock.now();
    const added = troubles.map(({ request, do: kind, times }) =>
      addFault(world, REQUESTS[request], kind, times),
    );
    await (kill === undefined ? tickThrough(world) : tickAndKill(kill));
    const met = added.reduce((sum, fault) => sum + fault.hits, 0);
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
      return killer.counts.kills;
    },
    get underWay() {
      return killer.counts.underWay;
    },
    get sprung() {
      return counts.sprung;
    },
    get faultsMet() {
      return counts.faultsMet;
    },
    async playMinute(atMs, minute) {
      for (let index = 0; index < TICKS; index += 1) {
        // Waiting for an answer may have taken longer than a tick.
        await world.clock.set(Math.max(world.clock.now(), atMs + index * TICK_MS));
        const kill = killer.counts.kills < mostKills ? killAt(minute, index) : undefined;
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
