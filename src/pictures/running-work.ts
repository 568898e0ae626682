// Lets the person who asked cancel running work, and ends it in time. After a restart nothing is running.
import { randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { ServiceError, UserError } from "../core/errors.ts";

/** Discord allows edits of an answer for 15 minutes, so waiting and restyling must be over before that. */
const DEADLINE_MS = 13 * 60_000;

/** The outcome of a press on Cancel; `gone` if the work has finished or the bot has restarted. */
export type CancelOutcome = "cancelled" | "gone" | "not-yours";

interface Entry {
  readonly userId: string;
  readonly messageId: string | undefined;
  readonly controller: AbortController;
}

/** `stopping` aborts when the bot is about to stop. */
export function createRunningWork(clock: Pick<Clock, "after" | "elapsed">, stopping: AbortSignal) {
  const underWay = new Map<string, Entry>();

  return {
    /** Registers work until it is disposed. Throws a UserError if this person already has work on the same message. */
    begin(userId: string, messageId: string | undefined) {
      const isOfThis = (other: Entry): boolean => other.userId === userId && other.messageId === messageId;
      if (messageId !== undefined && underWay.values().some(isOfThis)) {
        throw new UserError("I'm already working on this one. Please wait until it's done, or cancel it.");
      }
      const id = randomBytes(6).toString("hex");
      const controller = new AbortController();
      underWay.set(id, { userId, messageId, controller });
      const endsAtMs = clock.elapsed() + DEADLINE_MS;
      let isLate = false;
      const cancelDeadline = clock.after(DEADLINE_MS, () => {
        isLate = true;
        controller.abort();
      });
      return {
        id,
        /** Aborts when nobody waits any longer, or when the bot is about to stop. */
        signal: AbortSignal.any([controller.signal, stopping]),
        /** Aborts when nobody waits any longer, so that even a finished result is dropped. */
        cancelled: controller.signal,
        leftMs: () => endsAtMs - clock.elapsed(),
        /** Waits for `part`; if the deadline stopped it, throws a ServiceError `timeout` instead of its own error. */
        inTime: <T>(part: Promise<T>): Promise<T> =>
          part.catch((error: unknown) => {
            throw isLate ? tooLate(error) : error;
          }),
        [Symbol.dispose](): void {
          cancelDeadline();
          underWay.delete(id);
        },
      };
    },
    cancel(id: string, userId: string): CancelOutcome {
      const work = underWay.get(id);
      if (!work) {
        return "gone";
      }
      if (work.userId !== userId) {
        return "not-yours";
      }
      work.controller.abort();
      return "cancelled";
    },
  };
}

export type Work = ReturnType<ReturnType<typeof createRunningWork>["begin"]>;

export function tooLate(cause?: unknown): ServiceError {
  return new ServiceError("style", "timeout", "not done within 13 minutes", { cause });
}
