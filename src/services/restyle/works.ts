// What is under way in this process, so that whoever asked for it can stop it. After a restart nothing is.
import { randomBytes } from "node:crypto";
import type { Cancelled } from "./restyle.ts";

export interface Work {
  /** Names it in the button that stops it. */
  readonly id: string;
  readonly signal: AbortSignal;
  stop(): void;
  /** It is done, one way or the other. */
  end(): void;
}

export interface Works {
  begin(userId: string): Work;
  cancel(id: string, userId: string): Cancelled;
}

export function createWorks(): Works {
  const underWay = new Map<string, { readonly userId: string; readonly controller: AbortController }>();

  return {
    begin(userId) {
      const id = randomBytes(6).toString("hex");
      const controller = new AbortController();
      underWay.set(id, { userId, controller });
      return {
        id,
        signal: controller.signal,
        stop: () => controller.abort(),
        end: () => underWay.delete(id),
      };
    },
    cancel(id, userId) {
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
