// What long work says of its progress, as often as Discord takes edits.
import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Progress } from "../define/context.ts";

/** Edits of one message closer together than this are held back by Discord's rate limit anyway. */
const EDIT_EVERY_MS = 2_000;

/**
 * Shows how far slow work has come: once it has taken `afterMs`, says by `begin` that an answer will come; if that
 * succeeds, shows the latest state at most every two seconds.
 */
export function createProgressReports(
  clock: Clock,
  {
    afterMs,
    begin,
    show,
  }: {
    readonly afterMs: number;
    readonly begin: () => Promise<void>;
    /** Edits the message, with a button for `cancel`. It must not reject. */
    readonly show: (text: string, cancel?: ComponentTarget) => Promise<void>;
  },
) {
  let latest: Parameters<Progress>[0] | undefined;
  let isShown = false;
  let isOpen = false;
  let isClosed = false;
  let editing: Promise<void> | undefined;
  let cancelWait = clock.after(afterMs, () => {
    begin().then(open, () => undefined);
  });

  /** From now on states may be shown. */
  function open(): void {
    isOpen = true;
    pump();
  }

  function pump(): void {
    if (!isOpen || isClosed || isShown || latest === undefined || editing) {
      return;
    }
    isShown = true;
    isOpen = false;
    cancelWait = clock.after(EDIT_EVERY_MS, open);
    const { text, cancel } = typeof latest === "string" ? { text: latest, cancel: undefined } : latest;
    editing = show(text, cancel).finally(() => {
      editing = undefined;
      pump();
    });
  }

  function report(next: Parameters<Progress>[0]): void {
    latest = next;
    isShown = false;
    pump();
  }

  return {
    report,
    /** Shows nothing more; resolves when an edit under way is done, so that the answer comes after it. */
    async close(): Promise<void> {
      isClosed = true;
      cancelWait();
      await editing;
    },
  };
}
