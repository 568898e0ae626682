// How London's lines stand, asked once a minute for all watches that want to know.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Answers, FRESH_MS } from "../sources/answers.ts";
import { CREDITS } from "../sources/source-words.ts";
import { LINE_STATUS, type NetworkEntry, type TransportNetwork } from "../sources/transport-data.ts";

/** What the source said last of all lines. */
export interface KnownLines {
  readonly entries: readonly NetworkEntry[];
  readonly credit: string;
  /** When the source made it, milliseconds since the epoch. */
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
  /** Asks at the expense of boards and watches. */
  readonly network: () => Promise<TransportNetwork>;
  readonly answers: Pick<Answers, "ask" | "peek">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  /** Elapsed time: each attempt costs a call, so a source that fails is not asked at every tick. */
  let restsUntilMs = -Infinity;

  return {
    /** Asks where what is known is older than a minute. Never throws: a failure leaves what is known. */
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
        log.warn({ error }, "line status not known");
      }
    },

    /** What is known now; `undefined` where it is too old to be of use. Asks nothing. */
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
