// The bot itself: how it is, and what can be done to it.
import { z } from "zod";

/** `GET /bot`; also the answer to `POST /bot`, which waits for an end, but not until the bot is ready. */
export interface BotState {
  /** `none`: this sandbox runs no bot of its own. */
  readonly state: "starting" | "ready" | "stopped" | "none";
  readonly pid: number | null;
  /** How often it was started. */
  readonly starts: number;
  /** `stopped`: why it could not start, or that it stopped by itself. */
  readonly problem: string | null;
}

/** `POST /bot`. `restart` kills it as a crash would and starts it again; what it keeps in its database stays. */
export const botOrder = z.object({ do: z.enum(["restart", "kill", "start"]) });

export type BotOrder = z.output<typeof botOrder>;
