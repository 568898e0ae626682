// The sandbox's clock, told and turned.
import { z } from "zod";

/** A moment to jump to. */
const jumpId = z.enum(["now", "rush-hour", "night", "spring-change", "autumn-change"]);

export type JumpId = z.output<typeof jumpId>;

/** `GET /clock`; also the answer to `POST /clock`. */
export interface ClockState {
  readonly nowMs: number;
  /** `still`: only in tests. */
  readonly mode: "still" | "running";
  /** Where the next jump of each kind would lead; `now` back to the machine's time. */
  readonly jumps: readonly {
    readonly id: JumpId;
    readonly label: string;
    readonly description: string;
    readonly atMs: number;
  }[];
}

/** `POST /clock`. Afterwards the bot does what is due. */
export const clockOrder = z.union([
  z.object({ advanceMs: z.number().nonnegative() }),
  /** In small steps, each of which waits while somebody waits for an answer. */
  z.object({ passMs: z.number().positive().max(60_000) }),
  z.object({ jump: jumpId }),
]);

export type ClockOrder = z.output<typeof clockOrder>;
