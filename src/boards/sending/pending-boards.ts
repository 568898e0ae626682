// Boards whose message is edited when an answer comes after the slot. Remembered in memory only: after a
// restart, the next slot updates the message.
import type { BoardData } from "../planning/board-data.ts";
import { type WantedQuestion, questionKey, questionsOf } from "../planning/board-contents.ts";
import { isShownClosed } from "../board-post-view.ts";
import type { BoardSettings, Subscription } from "../boards.ts";
import type { DeliverSlot } from "./deliver-slot.ts";
import { type Clock, waitAtMost } from "../../core/clock.ts";

/** `answered`: keys of questions. */
export function isAnswered(settings: BoardSettings, answered: ReadonlySet<string>): boolean {
  return questionsOf(settings).every((question) => answered.has(questionKey(question)));
}

/** `readIdle`: reads an active board that no process works on. */
export function createPendingBoards(
  readIdle: (id: string) => Promise<Subscription | undefined>,
  { update }: Pick<DeliverSlot, "update">,
) {
  const pending = new Map<string, { readonly sinceMs: number; readonly settings: BoardSettings }>();

  return {
    /** Adds a board that keeps one message, or removes it if its message is up to date. */
    note({ id, settings }: Subscription, slotMs: number, isUpToDate: boolean): void {
      if (settings.mode !== "edit" || isUpToDate) {
        pending.delete(id);
      } else {
        pending.set(id, { sinceMs: pending.get(id)?.sinceMs ?? slotMs, settings });
      }
    },

    wanted: (): readonly WantedQuestion[] =>
      [...pending.values()].flatMap(({ sinceMs, settings }) => wantedBy(settings, sinceMs)),

    /** Updates the messages of boards whose questions are all answered. */
    async flush(answered: ReadonlySet<string>): Promise<void> {
      const due = [...pending].filter(([, { settings }]) => isAnswered(settings, answered));
      await Promise.all(
        due.map(async ([id, each]) => {
          pending.delete(id);
          const board = await readIdle(id);
          const mustRetry = board !== undefined && !isShownClosed(board) && (await update(board));
          if (mustRetry && !pending.has(id)) {
            pending.set(id, each);
          }
        }),
      );
    },

    /** Removes all other boards, because they are no longer active. */
    keepOnly: (boardIds: ReadonlySet<string>): void =>
      new Set(pending.keys()).difference(boardIds).forEach((id) => pending.delete(id)),
  };
}

export function wantedBy(settings: BoardSettings, slotMs: number): readonly WantedQuestion[] {
  return questionsOf(settings).map((question) => ({ question, sinceMs: slotMs }));
}

/** After this time, boards use the last known answers. Boards that keep one message update it later. */
const PATIENCE_MS = 30_000;

/** Asks each distinct question once, and returns the keys of the answered ones. Calls run in turn. */
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

/** If a question is wanted more than once, the earliest `sinceMs` counts. */
function distinct(wanted: readonly WantedQuestion[]): readonly WantedQuestion[] {
  const alike = Map.groupBy(wanted, ({ question }) => questionKey(question));
  return [...alike.values()].map((group) => group.reduce((a, b) => (b.sinceMs < a.sinceMs ? b : a)));
}
