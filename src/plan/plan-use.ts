// Shows the operator who uses the plans. Kept in memory, for this process only.
import { currentAsker } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import type { Budget } from "./budget.ts";
import { DAY_MS } from "../time/wall-clock.ts";

export interface PlanUse {
  /** A server's id; `boards` for boards and watches; `elsewhere` for people outside of servers that have the bot. */
  readonly by: string;
  readonly calls: Readonly<Record<string, number>>;
}

export function createPlanUses(clock: Pick<Clock, "now">) {
  let day = -1;
  let uses = new Map<string, Record<string, number>>();
  const wanted = new Map<string, number>();

  /** The uses since midnight UTC. */
  function ofToday(): Map<string, Record<string, number>> {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      uses = new Map();
    }
    return uses;
  }

  return {
    of: (service: string, budget: Budget): Budget => ({
      ...budget,
      async take(purpose, weight = 1) {
        await budget.take(purpose, weight);
        const by = purpose === "board" ? "boards" : (currentAsker()?.guildId ?? "elsewhere");
        const calls = ofToday().get(by) ?? {};
        calls[service] = (calls[service] ?? 0) + weight;
        ofToday().set(by, calls);
      },
      async reserveForBoards(calls) {
        wanted.set(service, calls);
        await budget.reserveForBoards(calls);
      },
    }),
    /** How many calls boards and watches want in a plan's window; `undefined` if this process does not know yet. */
    boardsWant: (service: string): number | undefined => wanted.get(service),
    /** Most calls first. */
    today(): readonly PlanUse[] {
      const sum = ({ calls }: PlanUse) => Object.values(calls).reduce((total, count) => total + count, 0);
      return [...ofToday()].map(([by, calls]) => ({ by, calls })).toSorted((a, b) => sum(b) - sum(a));
    },
  };
}
