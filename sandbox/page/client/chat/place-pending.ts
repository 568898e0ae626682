// Where acts without an answer stand: at the end while they are on their way, and once they have failed where they
// were begun, so that what is said later comes below them. Pure.
import type { ChatMessage } from "../../../control/chat/api.ts";
import type { Pending } from "../state/pending.ts";

export interface PlacedPending {
  /** By the message above them. */
  readonly below: ReadonlyMap<string, readonly Pending[]>;
  readonly atEnd: readonly Pending[];
}

/** What was begun after a message that is gone stands at the end. */
export function placePending(waiting: readonly Pending[], messages: readonly ChatMessage[]): PlacedPending {
  const isBelow = ({ problem, afterId }: Pending) =>
    problem !== undefined && messages.some(({ id }) => id === afterId);
  return {
    below: Map.groupBy(waiting.filter(isBelow), ({ afterId }) => afterId ?? ""),
    atEnd: waiting.filter((one) => !isBelow(one)),
  };
}
