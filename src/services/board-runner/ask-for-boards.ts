// What boards want to know, asked together: each distinct question once, for all of them.
import { sleep, type Clock } from "../../core/clock.ts";
import { askKey, asksOf, type BoardData, type WantedAsk } from "../board-data/board-data.ts";
import type { HeldSlot } from "./held-slot.ts";

/** Gives the keys of the questions that are answered. */
export type AskForBoards = (
  slots: readonly HeldSlot[],
  owed: readonly WantedAsk[],
) => Promise<ReadonlySet<string>>;

/** Boards wait so long for answers, then they make do with what is known. Those that keep a message are told later. */
const PATIENCE_MS = 30_000;

/** Makes what asks, one bundle after another. */
export function createAskForBoards(data: Pick<BoardData, "ask">, clock: Clock): AskForBoards {
  let last: Promise<unknown> = Promise.resolve();

  return async (slots, owed) => {
    const wanted = distinct([...slots.flatMap(wantedBy), ...owed]);
    if (wanted.length === 0) {
      return new Set();
    }
    const answered = last.then(() => data.ask(wanted));
    last = answered;
    const waiting = new AbortController();
    try {
      return await Promise.race([
        answered,
        sleep(clock, PATIENCE_MS, waiting.signal).then(() => new Set<string>()),
      ]);
    } finally {
      waiting.abort();
    }
  };
}

function wantedBy({ settings, slotMs }: HeldSlot): readonly WantedAsk[] {
  return asksOf(settings).map((ask) => ({ ask, sinceMs: slotMs }));
}

/** Of those who want the same, the one that has waited longest counts. */
function distinct(wanted: readonly WantedAsk[]): readonly WantedAsk[] {
  const byKey = new Map<string, WantedAsk>();
  for (const each of wanted) {
    const key = askKey(each.ask);
    if (each.sinceMs < (byKey.get(key)?.sinceMs ?? Infinity)) {
      byKey.set(key, each);
    }
  }
  return [...byKey.values()];
}
