// Arranges messages in rows: a line between days, and a person's consecutive messages grouped. Pure.
import type { ChatMessage } from "../../../control/chat/api.ts";

export type Row =
  | { readonly type: "day"; readonly key: string; readonly atMs: number }
  | { readonly type: "message"; readonly message: ChatMessage; readonly isCompact: boolean };

/** After a longer pause, a person's next message shows their name again. */
const TOGETHER_MS = 7 * 60_000;

/** `messages` are oldest first; days are in the reader's time zone. */
export function arrangeRows(messages: readonly ChatMessage[]): Row[] {
  const rows: Row[] = [];
  let before: ChatMessage | undefined;
  for (const message of messages) {
    const isNewDay = before === undefined || !isSameDay(before.createdAtMs, message.createdAtMs);
    if (isNewDay) {
      rows.push({ type: "day", key: `day before ${message.id}`, atMs: message.createdAtMs });
    }
    rows.push({ type: "message", message, isCompact: !isNewDay && belongsTo(before, message) });
    before = message;
  }
  return rows;
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

function belongsTo(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    before.ephemeral === message.ephemeral &&
    message.used === undefined &&
    message.repliesTo === undefined &&
    message.createdAtMs - before.createdAtMs < TOGETHER_MS
  );
}
