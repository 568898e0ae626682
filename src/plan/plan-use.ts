// For whom calls of the plans were made today, so that the operator can see who uses them: in memory, and of this process
// alone.
import { currentAsker } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import type { Budget } from "./budget.ts";

export interface PlanUse {
  /** A server's id; `boards` for what boards and watches ask; `elsewhere` for people outside of servers that have the bot. */
  readonly by: string;
  /** Calls by service. */
  readonly calls: Readonly<Record<string, number>>;
}

const DAY_MS = 86_400_000;

export function createPlanUses(clock: Pick<Clock, "now">) {
  let day = -1;
  let uses = new Map<string, Record<string, number>>();
  const wanted = new Map<string, number>();

  /** Since midnight, UTC. */
  function ofToday(): Map<string, Record<string, number>> {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      uses = new Map();
    }
    return uses;
  }

  return {
    /** The same budget; what is taken of it is noted. */
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
    /** How many calls boards and watches want in a window of a plan; `undefined` until this process knows. */
    boardsWant: (service: string): number | undefined => wanted.get(service),
    /** Those with the most calls first. */
    today(): readonly PlanUse[] {
      const sum = ({ calls }: PlanUse) => Object.values(calls).reduce((total, count) => total + count, 0);
      return [...ofToday()].map(([by, calls]) => ({ by, calls })).toSorted((a, b) => sum(b) - sum(a));
    },
  };
}
