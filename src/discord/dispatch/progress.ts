// What long work says of its progress, as often as Discord takes edits.
import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Progress } from "../define/context.ts";

/** Edits of one message closer together than this are held back by Discord's rate limit anyway. */
const EDIT_EVERY_MS = 2_000;

/**
 * Shows the latest state at most every two seconds, once it may be shown at all. `show` edits the message, with a button
 * for `cancel`; it must not reject.
 */
export function createProgressReports(
  clock: Clock,
  show: (text: string, cancel?: ComponentTarget) => Promise<void>,
) {
  let latest: Parameters<Progress>[0] | undefined;
  let shown = false;
  let state: "waiting" | "open" | "closed" = "waiting";
  let editing: Promise<void> | undefined;
  let cancelPause: (() => void) | undefined;

  function pump(): void {
    if (state !== "open" || shown || latest === undefined || editing || cancelPause) {
      return;
    }
    shown = true;
    cancelPause = clock.after(EDIT_EVERY_MS, () => {
      cancelPause = undefined;
      pump();
    });
    const { text, cancel } = typeof latest === "string" ? { text: latest, cancel: undefined } : latest;
    editing = show(text, cancel).finally(() => {
      editing = undefined;
      pump();
    });
  }

  function report(next: Parameters<Progress>[0]): void {
    latest = next;
    shown = false;
    pump();
  }

  return {
    report,
    /** The interaction is deferred: states may be shown from now on. */
    open(): void {
      if (state === "waiting") {
        state = "open";
        pump();
      }
    },
    /** Shows nothing more; resolves when an edit under way is done, so that the answer comes after it. */
    async close(): Promise<void> {
      state = "closed";
      cancelPause?.();
      await editing;
    },
  };
}
