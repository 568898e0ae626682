// What this bot is and how it fares.
import type { Clock } from "../../core/clock.ts";
import type { Connection } from "../ports.ts";

export interface AboutFacts {
  readonly version: string;
  readonly upForMs: number;
  readonly latencyMs: number | undefined;
  readonly guildCount: number;
}

export interface About {
  facts(): AboutFacts;
}

export function createAbout({
  version,
  clock,
  connection,
}: {
  version: string;
  clock: Clock;
  connection: Connection;
}): About {
  const startedAtMs = clock.now();
  return {
    facts: () => ({
      version,
      upForMs: clock.now() - startedAtMs,
      latencyMs: connection.latencyMs(),
      guildCount: connection.guildCount(),
    }),
  };
}
