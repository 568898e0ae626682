import { z } from "zod";

/** `GET /bot`; also the answer to `POST /bot`, which waits until the old process ends, not until a new one is ready. */
export interface BotState {
  /** `none`: this sandbox does not run the bot. */
  readonly state: "starting" | "ready" | "stopped" | "none";
  readonly pid: number | null;
  readonly starts: number;
  /** If `stopped`: why the bot could not start, or that it ended without being asked to. */
  readonly problem: string | null;
}

/** `POST /bot`. `restart` kills the bot as a crash would and starts it again, with the same database. */
export const botOrder = z.object({ do: z.enum(["restart", "kill", "start"]) });

export type BotOrder = z.output<typeof botOrder>;
