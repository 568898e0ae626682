import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Progress } from "../define/context.ts";

/** Discord's rate limit delays edits of one message that are closer together. */
const EDIT_EVERY_MS = 2_000;

/** After `afterMs`, `begin` announces an answer. If that succeeds, the latest state is shown, at most every 2 s. */
export function createProgressReports(
  clock: Clock,
  options: {
    readonly afterMs: number;
    readonly begin: () => Promise<void>;
    /** Edits the message, with a button for `cancel`. It must not reject. */
    readonly show: (text: string, cancel?: ComponentTarget) => Promise<void>;
  },
) {
  const { afterMs, begin, show } = options;
  /** The latest state that has not been shown. */
  let next: Parameters<Progress>[0] | undefined;
  let isOpen = false;
  let isClosed = false;
  let editing: Promise<void> | undefined;
  let cancelWait = clock.after(afterMs, () => {
    begin().then(open, () => undefined);
  });

  function open(): void {
    isOpen = true;
    pump();
  }

  function pump(): void {
    if (!isOpen || isClosed || next === undefined || editing) {
      return;
    }
    const { text, cancel } = typeof next === "string" ? { text: next, cancel: undefined } : next;
    next = undefined;
    isOpen = false;
    cancelWait = clock.after(EDIT_EVERY_MS, open);
    editing = show(text, cancel).finally(() => {
      editing = undefined;
      pump();
    });
  }

  return {
    report: (state: Parameters<Progress>[0]): void => {
      next = state;
      pump();
    },
    /** Shows nothing more. Resolves when an edit under way is done, so that the answer comes after it. */
    async close(): Promise<void> {
      isClosed = true;
      cancelWait();
      await editing;
    },
  };
}
