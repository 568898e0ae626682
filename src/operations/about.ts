import type { Clock } from "../core/clock.ts";
import type { ServiceErrorKind } from "../core/errors.ts";
import type { BudgetState, PlannedService } from "../plan/budget.ts";
import type { Connection } from "../core/ports.ts";

export interface AboutFacts {
  readonly version: string;
  readonly upForMs: number;
  readonly latencyMs: number | undefined;
  readonly guildCount: number;
  readonly plans: readonly PlanStatus[];
}

export interface PlanStatus {
  readonly service: PlannedService;
  readonly state: BudgetState;
  /** The operator's wording of the service's credit, as Markdown; `undefined` for the default in `source-words.ts`. */
  readonly credit?: string | undefined;
  /** The last failure since the start; `undefined` if there was none. */
  readonly lastFailure?: { readonly kind: ServiceErrorKind; readonly atMs: number } | undefined;
}

export type About = ReturnType<typeof createAbout>;

export function createAbout(deps: {
  version: string;
  clock: Clock;
  connection: Connection;
  readPlans: () => Promise<readonly PlanStatus[]>;
}) {
  const { version, clock, connection, readPlans } = deps;
  const startedAtMs = clock.elapsed();
  return {
    facts: async (): Promise<AboutFacts> => ({
      version,
      upForMs: clock.elapsed() - startedAtMs,
      latencyMs: connection.latencyMs(),
      guildCount: connection.guildCount(),
      plans: await readPlans(),
    }),
  };
}
