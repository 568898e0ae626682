// Boards that keep one message and whose question did not get its turn at the slot: when the answer comes, the message
// is brought up to date. Kept in memory: after a restart the next slot does it.
import type { BoardData } from "../planning/ask-boards.ts";
import { type WantedQuestion, questionKey, questionsOf } from "../planning/board-data.ts";
import { isShownClosed } from "../board-post-view.ts";
import type { BoardSettings, Subscription } from "../boards.ts";
import type { DeliverSlot } from "./deliver-slot.ts";
import { type Clock, waitAtMost } from "../../core/clock.ts";

/** Whether all of a board's questions are among those that are answered. */
export function isAnswered(settings: BoardSettings, answered: ReadonlySet<string>): boolean {
  return questionsOf(settings).every((question) => answered.has(questionKey(question)));
}

/** The boards that wait for newer data; none at first. `readIdle` reads a board that runs and that no process works on. */
export function createPendingBoards(
  readIdle: (id: string) => Promise<Subscription | undefined>,
  { update }: Pick<DeliverSlot, "update">,
) {
  const pending = new Map<string, { readonly sinceMs: number; readonly settings: BoardSettings }>();

  /** Returns whether to try again. */
  async function bringUpToDate(id: string): Promise<boolean> {
    const board = await readIdle(id);
    const isKept = board?.messageId !== undefined && board.settings.mode === "edit";
    return isKept && !isShownClosed(board) && update(board);
  }

  return {
    /** Remembers, for a board that keeps its message, whether it shows what was known at this slot. */
    note({ id, settings }: Subscription, slotMs: number, isUpToDate: boolean): void {
      if (settings.mode !== "edit" || isUpToDate) {
        pending.delete(id);
      } else {
        pending.set(id, { sinceMs: pending.get(id)?.sinceMs ?? slotMs, settings });
      }
    },

    /** What they want to know. */
    wanted: (): readonly WantedQuestion[] =>
      [...pending.values()].flatMap(({ sinceMs, settings }) => wantedBy(settings, sinceMs)),

    /** Brings those up to date whose questions are all answered. */
    async flush(answered: ReadonlySet<string>): Promise<void> {
      const due = [...pending].filter(([, { settings }]) => isAnswered(settings, answered));
      await Promise.all(
        due.map(async ([id, each]) => {
          pending.delete(id);
          if ((await bringUpToDate(id)) && !pending.has(id)) {
            pending.set(id, each);
          }
        }),
      );
    },

    /** Forgets boards that no longer run. */
    keepOnly(boardIds: ReadonlySet<string>): void {
      for (const id of pending.keys()) {
        if (!boardIds.has(id)) {
          pending.delete(id);
        }
      }
    },
  };
}

/** What a board wants to know for a slot. */
export function wantedBy(settings: BoardSettings, slotMs: number): readonly WantedQuestion[] {
  return questionsOf(settings).map((question) => ({ question, sinceMs: slotMs }));
}

/** Boards wait this long for answers, then they use what is known. Those that keep a message change it later. */
const PATIENCE_MS = 30_000;

/** Asks what boards want to know together, each distinct question once; gives the keys of those that are answered. */
export function createAskForBoards(data: Pick<BoardData, "ask">, clock: Clock) {
  let last: Promise<unknown> = Promise.resolve();

  return async (all: readonly WantedQuestion[]): Promise<ReadonlySet<string>> => {
    const wanted = distinct(all);
    if (wanted.length === 0) {
      return new Set();
    }
    const answered = last.then(() => data.ask(wanted));
    // A bug in one round must not stop all later ones.
    last = answered.catch(() => undefined);
    return waitAtMost(clock, PATIENCE_MS, answered, new Set());
  };
}

/** Of those who want the same, the one that has waited longest counts. */
function distinct(wanted: readonly WantedQuestion[]): readonly WantedQuestion[] {
  const byKey = new Map<string, WantedQuestion>();
  for (const each of wanted) {
    const key = questionKey(each.question);
    if (each.sinceMs < (byKey.get(key)?.sinceMs ?? Infinity)) {
      byKey.set(key, each);
    }
  }
  return [...byKey.values()];
}
