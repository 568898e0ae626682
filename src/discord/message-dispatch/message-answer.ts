// The answer to a person's message: one message of the bot's own in reply to it, in which states may stand before.
import type { Log } from "../../core/log.ts";
import { textReply, type Reply } from "../../core/reply.ts";
import type { Messenger, PostedMessage } from "../../core/ports.ts";
import type { SentMessage } from "./message-event.ts";

export interface MessageAnswer {
  /** Shows a state in place of the answer to come. Never rejects. */
  readonly show: (text: string) => Promise<void>;
  /** Puts the answer. Throws MessengerError. */
  readonly send: (reply: Reply) => Promise<void>;
}

export function createMessageAnswer({
  sent,
  messenger,
  log,
}: {
  readonly sent: Pick<SentMessage, "id" | "channel_id">;
  readonly messenger: Pick<Messenger, "post" | "edit">;
  readonly log: Log;
}): MessageAnswer {
  let standing: PostedMessage | undefined;
  /** A post failed, and may have come through all the same. */
  let inDoubt = false;

  async function post(reply: Reply): Promise<PostedMessage> {
    // Discord makes one message of one nonce: an event that the gateway tells again is answered once.
    const options = { nonce: `m:${sent.id}`, silent: false, replyTo: sent.id };
    return messenger.post(sent.channel_id, reply, options);
  }

  return {
    async show(text) {
      try {
        const state = textReply(text);
        if (standing) {
          await messenger.edit(standing, state);
        } else {
          standing = await post(state);
        }
      } catch (error) {
        inDoubt = standing === undefined;
        log.warn({ error, message: sent.id }, "progress could not be shown");
      }
    },
    async send(reply) {
      if (!standing) {
        standing = await post(reply);
        if (!inDoubt) {
          return;
        }
      }
      // In doubt it is the message with the state that Discord has given back.
      await messenger.edit(standing, reply);
    },
  };
}
