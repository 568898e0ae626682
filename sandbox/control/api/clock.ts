import { z } from "zod";

const jumpId = z.enum(["now", "rush-hour", "night", "spring-change", "autumn-change"]);

export type JumpId = z.output<typeof jumpId>;

/** `GET /clock`; also the answer to `POST /clock`. */
export interface ClockState {
  readonly nowMs: number;
  /** `still` occurs only in tests. */
  readonly mode: "still" | "running";
  /** The target of the next jump of each kind; `now` leads back to the machine's time. */
  readonly jumps: readonly {
    readonly id: JumpId;
    readonly label: string;
    readonly description: string;
    readonly atMs: number;
  }[];
}

/** `POST /clock`. Afterwards the bot does everything that has become due. */
export const clockOrder = z.union([
  z.object({ advanceMs: z.number().nonnegative() }),
  /** Moves the clock in small steps; each step waits until no member is waiting for an answer. */
  z.object({ passMs: z.number().positive().max(60_000) }),
  z.object({ jump: jumpId }),
]);

export type ClockOrder = z.output<typeof clockOrder>;
