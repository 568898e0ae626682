// What this bot is and how it fares.
import type { Clock } from "../core/clock.ts";
import type { Budget, BudgetState } from "../plan/budget.ts";
import type { Connection } from "../core/ports.ts";

export interface AboutFacts {
  readonly version: string;
  readonly upForMs: number;
  readonly latencyMs: number | undefined;
  readonly guildCount: number;
  /** How the transport plan stands; absent without a transport service. */
  readonly budget?: BudgetState | undefined;
  /** How that of the style service stands; absent where the operator has set none. */
  readonly styleBudget?: BudgetState | undefined;
}

export type About = ReturnType<typeof createAbout>;

export function createAbout({
  version,
  clock,
  connection,
  budget,
  styleBudget,
}: {
  version: string;
  clock: Clock;
  connection: Connection;
  budget?: Budget | undefined;
  styleBudget?: Budget | undefined;
}) {
  const startedAtMs = clock.elapsed();
  return {
    facts: async (): Promise<AboutFacts> => ({
      version,
      upForMs: clock.elapsed() - startedAtMs,
      latencyMs: connection.latencyMs(),
      guildCount: connection.guildCount(),
      budget: await budget?.state(),
      styleBudget: await styleBudget?.state(),
    }),
  };
}
