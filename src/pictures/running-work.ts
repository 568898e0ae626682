// What is under way in this process, so that the person who asked can stop it, and so that it ends in time. After a restart
// nothing is under way.
import { randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { ServiceError, UserError } from "../core/errors.ts";

/** An answer on Discord can be changed for 15 minutes: the queue and the service must be done before. */
const DEADLINE_MS = 13 * 60_000;

/** What became of a wish to stop: `gone` also after a restart. */
export type CancelOutcome = "stopped" | "gone" | "not-yours";

interface Entry {
  readonly userId: string;
  readonly messageId: string | undefined;
  readonly controller: AbortController;
}

export function createRunningWork(clock: Pick<Clock, "after" | "elapsed">) {
  const underWay = new Map<string, Entry>();

  return {
    /** Lasts until it is disposed of. Throws a UserError where this person has work under way on the same message already. */
    begin(userId: string, messageId: string | undefined) {
      const others = [...underWay.values()];
      if (
        messageId !== undefined &&
        others.some((other) => other.userId === userId && other.messageId === messageId)
      ) {
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
        /** Names it in the button that stops it. */
        id,
        signal: controller.signal,
        leftMs: () => endsAtMs - clock.elapsed(),
        /** What was stopped because it took too long fails as a time-out. */
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
      return "stopped";
    },
  };
}

export type Work = ReturnType<ReturnType<typeof createRunningWork>["begin"]>;

export function tooLate(cause?: unknown): ServiceError {
  return new ServiceError("style", "timeout", "not done within 13 minutes", { cause });
}
