// Asks a source for the state of its network, once for all watches together.
import { ServiceError } from "../core/errors.ts";
import type { Platform } from "../core/ports.ts";
import { type Answers, FRESH_MS } from "../sources/answers.ts";
import { LONG_COOLDOWN_MS, PERMANENT_KINDS } from "../sources/router.ts";
import { CREDITS } from "../sources/source-words.ts";
import {
  NETWORK_KEYS,
  type NetworkEntry,
  type SourceName,
  type TransportNetwork,
} from "../sources/transport-data.ts";

export interface KnownNetwork {
  readonly entries: readonly NetworkEntry[];
  readonly credit: string;
  /** When the source made it, milliseconds since the epoch. */
  readonly dataMs: number;
  readonly isOld: boolean;
}

export type NetworkStatus = ReturnType<typeof createNetworkStatus>;

/** An answer older than this is marked as old, because a new one is expected every minute. */
const OLD_MS = 5 * 60_000;

export function createNetworkStatus(
  deps: Pick<Platform, "clock" | "log"> & {
    readonly source: SourceName;
    /** Its calls count in the share of boards and watches. */
    readonly client: { network(): Promise<TransportNetwork> };
    /** The shortest time between two questions, if the plan does not allow one every minute. */
    readonly everyMs?: number;
    readonly answers: Pick<Answers, "ask" | "peek">;
  },
) {
  const { source, client, everyMs = 0, answers, clock, log } = deps;
  /** In elapsed time. Each attempt costs a call, so a source that fails is not asked at every tick. */
  let nextAskMs = -Infinity;

  return {
    /** Never throws. Asks at most once a minute, and once an hour if the source refused the bot itself. */
    async ask(): Promise<void> {
      if (clock.elapsed() < nextAskMs) {
        return;
      }
      nextAskMs = clock.elapsed() + everyMs;
      try {
        const { failure } = await answers.ask(NETWORK_KEYS[source], () => client.network(), "board");
        if (failure !== undefined) {
          throw failure;
        }
      } catch (error) {
        const isRefused = error instanceof ServiceError && PERMANENT_KINDS.has(error.kind);
        nextAskMs = clock.elapsed() + (isRefused ? LONG_COOLDOWN_MS : Math.max(everyMs, FRESH_MS));
        log.warn({ source, error }, "network status not read");
      }
    },

    /** `undefined` if it is too old to be of use. Sends nothing. */
    known(): KnownNetwork | undefined {
      const answer = answers.peek<TransportNetwork>(NETWORK_KEYS[source]);
      return (
        answer && {
          entries: answer.value.entries,
          credit: answer.value.credit ?? CREDITS[source],
          dataMs: answer.value.dataAt.epochMilliseconds,
          isOld: answer.ageMs > Math.max(OLD_MS, 2 * everyMs),
        }
      );
    },
  };
}
