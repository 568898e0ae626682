// What a fault switch is made of, and those that every server has.
import type { AddedFault } from "../../faults/list.ts";
import type { FaultKind, Faults } from "../../faults/faults.ts";

/** What is said of a switch. */
interface Words {
  /** Its name among those of its target. */
  readonly label: string;
  readonly description: string;
}

/** One that is on until it is taken off, or met this many times, or one that happens at once. */
export type SwitchPlan = Words &
  ({ readonly turnOn: (times: number) => AddedFault } | { readonly happen: () => void });

/** Turns on one of a server's faults. */
export interface FaultWords<Kind extends string = string> extends Words {
  readonly do: Kind;
  /** Default every call. */
  readonly path?: RegExp;
}

const ANYWHERE = /^/;
/** Slow enough to be noticed, and within the 3 seconds of an interaction. */
const SLOW_MS = 2_000;
/** What a 429 asks for. */
const RETRY_AFTER_MS = 1_000;

const SERVER_SWITCHES = [
  { label: "Slow answers", description: "Every call takes two seconds longer.", do: "slow" },
  {
    label: "Too many requests",
    description: "Calls get a 429 that asks the bot to wait a second.",
    do: "429",
  },
  { label: "Server errors", description: "Calls fail with a 500 and do nothing.", do: "500" },
  {
    label: "Dropped connections",
    description: "The connection breaks before the call is handled.",
    do: "drop",
  },
  {
    label: "Lost answers",
    description: "Calls take effect, but the connection breaks before the answer arrives.",
    do: "drop-after",
  },
  { label: "Garbled answers", description: "Calls take effect, but the answer isn't JSON.", do: "malformed" },
] as const satisfies readonly FaultWords[];

/** A server's switches: those that any server can have, and its own. */
export function faultSwitches<Kind extends string>(
  { faults }: { readonly faults: Pick<Faults<Kind>, "add"> },
  own: readonly FaultWords<FaultKind | NoInfer<Kind>>[] = [],
): SwitchPlan[] {
  const all: readonly FaultWords<FaultKind | Kind>[] = [...SERVER_SWITCHES, ...own];
  return all.map(({ do: kind, path = ANYWHERE, ...words }) => ({
    ...words,
    turnOn: (times) => faults.add({ path, do: kind, times, delayMs: SLOW_MS, retryAfterMs: RETRY_AFTER_MS }),
  }));
}
