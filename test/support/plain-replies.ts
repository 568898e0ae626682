import type { Log } from "../../src/core/log.ts";
import { createCommandDirectory, createCommandIds } from "../../src/discord/directory.ts";
import { createReplySender } from "../../src/discord/reply-sender.ts";

/** Of a bot without commands, whose operator has named no service: sends replies as they are. */
export function plainReplies(log: Log) {
  return createReplySender({
    directory: createCommandDirectory(() => []),
    ids: createCommandIds(),
    names: { style: undefined, video: undefined, "train data": undefined },
    log,
  });
}
