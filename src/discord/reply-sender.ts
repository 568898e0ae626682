// Finishes the wording of replies, formats them, and leaves out files that Discord refuses.
import type { ServiceNames } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import { MessengerError } from "../core/ports.ts";
import type { Modal, Reply } from "../core/reply.ts";
import type { CommandDirectory, CommandIds } from "./directory.ts";
import { isFileRefusal } from "./interaction-api.ts";
import { formatModal } from "./modal.ts";
import { type OutgoingMessage, formatReply } from "./reply.ts";
import { createWording } from "./wording.ts";

export type ReplySender = ReturnType<typeof createReplySender>;

export function createReplySender(deps: {
  readonly directory: CommandDirectory;
  readonly ids: CommandIds;
  readonly names: ServiceNames;
  readonly log: Log;
}) {
  const { ids, log } = deps;
  const wording = createWording(deps);
  /** The messages of replies without files, e.g. /help's. They stay the same until the id of a command changes. */
  const known = new WeakMap<Reply, { readonly message: OutgoingMessage; readonly ids: unknown }>();

  function format(reply: Reply, fileLimitBytes: number): OutgoingMessage {
    const before = known.get(reply);
    if (before?.ids === ids.all()) {
      return before.message;
    }
    const message = formatReply(wording.reply(reply), fileLimitBytes);
    if (message.refused.length > 0) {
      log.error({ refused: message.refused }, "parts of a message refused");
    }
    if ((reply.files ?? []).length === 0) {
      known.set(reply, { message, ids: ids.all() });
    }
    return message;
  }

  return {
    format,
    form: (modal: Modal) => formatModal(wording.modal(modal)),
    /** If Discord refuses only the files, e.g. because a server's uploads are restricted, sends it without them. */
    async send<T>(
      reply: Reply,
      fileLimitBytes: number,
      send: (message: OutgoingMessage) => Promise<T>,
    ): Promise<T> {
      const message = format(reply, fileLimitBytes);
      try {
        return await send(message);
      } catch (error) {
        const cause = error instanceof MessengerError ? error.cause : error;
        if (message.files.length === 0 || !isFileRefusal(cause)) {
          throw error;
        }
        log.warn({ error }, "files refused, message sent without them");
        return send(format(reply, 0));
      }
    },
  };
}
