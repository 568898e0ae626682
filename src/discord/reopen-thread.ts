// Threads fall asleep: after a silence, which edits do not break, Discord archives them, and nothing in them can be
// changed until somebody opens them again.
// https://discord.com/developers/docs/topics/threads#active--archived-threads
import { Routes } from "discord.js";
import { MessengerError } from "../core/ports.ts";
import { isApiError } from "./api-error.ts";
import type { Requests } from "./messenger-requests.ts";

const THREAD_ARCHIVED = 50_083;

/** Changes something in a channel, which is opened again first where it is an archived thread. Throws as `change` does. */
export type InOpenThread = <T>(channelId: string, change: () => Promise<T>) => Promise<T>;

/** Opening a thread takes no more than writing in it; one that is locked throws MessengerError `not-allowed`. */
export function createInOpenThread({ ask }: Pick<Requests, "ask">): InOpenThread {
  return async (channelId, change) => {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof MessengerError && isApiError(error.cause, THREAD_ARCHIVED))) {
        throw error;
      }
      await ask({ verb: "open a thread again", urgency: "bulk" }, (rest) =>
        rest.patch(Routes.channel(channelId), { body: { archived: false } }),
      );
      return change();
    }
  };
}
