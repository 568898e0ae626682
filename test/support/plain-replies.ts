import type { Log } from "../../src/core/log.ts";
import { createCommandDirectory, createCommandIds } from "../../src/discord/directory.ts";
import { createReplySender } from "../../src/discord/reply-sender.ts";

/** A reply sender of a bot without commands or named services: it sends replies unchanged. */
export function plainReplies(log: Log) {
  return createReplySender({
    directory: createCommandDirectory(() => []),
    ids: createCommandIds(),
    names: { style: undefined, video: undefined, "train data": undefined },
    log,
  });
}
