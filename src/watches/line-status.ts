// Asks for the state of London's lines once a minute, for all watches together.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Answers, FRESH_MS } from "../sources/answers.ts";
import { CREDITS } from "../sources/source-words.ts";
import { LINE_STATUS, type NetworkEntry, type TransportNetwork } from "../sources/transport-data.ts";

/** The source's last answer about all lines. */
export interface KnownLines {
  readonly entries: readonly NetworkEntry[];
  readonly credit: string;
  /** When the source made the answer, milliseconds since the epoch. */
  readonly dataMs: number;
  readonly askedAtMs: number;
}

export type LineStatus = ReturnType<typeof createLineStatus>;

export function createLineStatus({
  network,
  answers,
  clock,
  log,
}: {
  /** Asks within the share of boards and watches. */
  readonly network: () => Promise<TransportNetwork>;
  readonly answers: Pick<Answers, "ask" | "peek">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  /** Elapsed time of the last attempt. Each attempt costs a call, so a source that fails is not asked at every tick. */
  let restsUntilMs = -Infinity;

  return {
    /** Asks if the last answer is older than a minute. Never throws: after a failure the last answer stays. */
    async ask(): Promise<void> {
      if (clock.elapsed() < restsUntilMs) {
        return;
      }
      try {
        const { failure } = await answers.ask(LINE_STATUS, network, "board");
        if (failure !== undefined) {
          throw failure;
        }
      } catch (error) {
        restsUntilMs = clock.elapsed() + FRESH_MS;
        log.warn({ error }, "line status not read");
      }
    },

    /** The last answer; `undefined` if it is too old to be of use. Sends nothing. */
    known(): KnownLines | undefined {
      const answer = answers.peek<TransportNetwork>(LINE_STATUS);
      return (
        answer && {
          entries: answer.value.entries,
          credit: CREDITS.tfl,
          dataMs: answer.value.dataAt.epochMilliseconds,
          askedAtMs: clock.now() - answer.ageMs,
        }
      );
    },
  };
}
