// Bad days on demand. This folder has what the sandbox's own routes below /_sandbox and its page say to each other, by
// subject. The page, which knows no Node, imports only the types. Moments (`atMs`) are on the sandbox's clock; durations
// (`…Ms`) are real.
import { z } from "zod";

/** What can be disturbed. */
export type Target = "discord" | "gateway" | "transport" | "rail-data" | "tfl" | "style" | "video";

/** A bad day that can be had. */
export interface FaultSwitch {
  /** e.g. `transport:Plan used up`. */
  readonly id: string;
  readonly target: Target;
  readonly label: string;
  readonly description: string;
  /** `lasting`: until it is taken off, or has been met this many times. `moment`: happens once, at once. */
  readonly kind: "lasting" | "moment";
}

/** A lasting one that is on. */
export interface ActiveFault {
  readonly switchId: string;
  /** How many calls have met it. */
  readonly hits: number;
  /** How many will meet it; null until it is taken off. */
  readonly times: number | null;
}

/** `GET /faults`; also the answer to `POST /faults`, `DELETE /faults/:switchId` and `DELETE /faults`, which takes all off. */
export interface FaultState {
  readonly switches: readonly FaultSwitch[];
  readonly active: readonly ActiveFault[];
}

/** `POST /faults`: turns one on, or lets a moment happen. */
export const faultOrder = z.object({
  switchId: z.string(),
  /** For lasting ones: how many calls meet it. Absent: all until it is taken off. */
  times: z.int().positive().exactOptional(),
});

export type FaultOrder = z.output<typeof faultOrder>;
