// Faults on demand. This folder defines, by subject, the JSON between the sandbox's own routes below /_sandbox and its
// page. The page is compiled without Node's types and imports only types. Times (`atMs`) are by the sandbox's clock;
// durations (`…Ms`) are real.
import { z } from "zod";

export type Target = "discord" | "gateway" | "transport" | "rail-data" | "tfl" | "style" | "video";

export interface FaultSwitch {
  /** e.g. `transport:Plan used up`. */
  readonly id: string;
  readonly target: Target;
  readonly label: string;
  readonly description: string;
  /** `lasting`: on until it is turned off or has affected a number of calls. `once`: happens once, immediately. */
  readonly kind: "lasting" | "once";
}

export interface ActiveFault {
  readonly switchId: string;
  /** How many calls it has affected. */
  readonly hits: number;
  /** How many calls it affects in all; null: every call until it is turned off. */
  readonly times: number | null;
}

/** `GET /faults`; also the answer to `POST /faults`, `DELETE /faults/:switchId` and `DELETE /faults` (turns all off). */
export interface FaultState {
  readonly switches: readonly FaultSwitch[];
  readonly active: readonly ActiveFault[];
}

/** `POST /faults`: turns a lasting fault on, or triggers the other kind. */
export const faultOrder = z.object({
  switchId: z.string(),
  /** How many calls a lasting fault affects. Absent: every call until it is turned off. */
  times: z.int().positive().exactOptional(),
});

export type FaultOrder = z.output<typeof faultOrder>;
