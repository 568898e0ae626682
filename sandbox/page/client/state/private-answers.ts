// Answers that one person alone sees live as long as their client does: a page opened anew does not show those from
// before, as Discord's client does not. Pure.
import type { ChatMessage } from "../../../control/chat/api.ts";

export interface PrivateAnswers {
  /** This page's life begins, on the sandbox's clock. */
  begin(nowMs: number): void;
  /** A message came while the page was open, whatever the clock said then: it may be turned back. */
  hear(messageId: string): void;
  /** All but the private ones from before. */
  keepOwn(messages: readonly ChatMessage[]): readonly ChatMessage[];
}

/** Before it has begun, everything is from before. */
export function createPrivateAnswers(): PrivateAnswers {
  const heard = new Set<string>();
  let openedAtMs = Number.POSITIVE_INFINITY;
  return {
    begin(nowMs) {
      openedAtMs = nowMs;
    },
    hear(messageId) {
      heard.add(messageId);
    },
    keepOwn: (messages) =>
      messages.filter(
        ({ ephemeral, id, createdAtMs }) => !ephemeral || heard.has(id) || createdAtMs > openedAtMs,
      ),
  };
}
