// What is under way in this process, so that the person who asked can stop it. After a restart nothing is.
import { randomBytes } from "node:crypto";
import { UserError } from "../core/errors.ts";
import type { Cancelled } from "./restyle.ts";

interface Entry {
  readonly userId: string;
  readonly messageId: string | undefined;
  readonly controller: AbortController;
}

export function createWorks() {
  const underWay = new Map<string, Entry>();

  return {
    /** Throws a UserError where this person has work under way on the same message already. */
    begin(userId: string, messageId: string | undefined) {
      const others = [...underWay.values()];
      if (
        messageId !== undefined &&
        others.some((other) => other.userId === userId && other.messageId === messageId)
      ) {
        throw new UserError("I am at work on this one already. Please wait until it is done, or cancel it.");
      }
      const id = randomBytes(6).toString("hex");
      const controller = new AbortController();
      underWay.set(id, { userId, messageId, controller });
      return {
        /** Names it in the button that stops it. */
        id,
        signal: controller.signal,
        stop: (): void => controller.abort(),
        /** It is done, one way or the other. */
        end: (): void => void underWay.delete(id),
      };
    },
    cancel(id: string, userId: string): Cancelled {
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
