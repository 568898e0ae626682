// The answer to one interaction: first answer, edits, follow-ups, whichever Discord still takes at the moment.
// https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionResponseType, MessageFlags } from "discord.js";
import { UserError } from "../../core/errors.ts";
import { textReply, type Reply } from "../../core/reply.ts";
import type { Log } from "../../core/log.ts";
import type { Answer } from "../define.ts";
import type { Interaction } from "../interaction.ts";
import { isTooLarge, type InteractionApi } from "../interaction-api.ts";
import { formatModal } from "../modal.ts";
import { formatReply, type OutgoingMessage } from "../reply.ts";
import { formatRestored } from "./restore-message.ts";

/** Where an answer goes, and who sees it while it is being made. */
export type Manner = "update" | "public" | "private";

export interface Answering {
  /** Tells Discord that an answer will come. Does nothing once there is one. */
  readonly defer: () => Promise<void>;
  /** Shows a state in place of the answer to come. Never rejects. */
  readonly show: (text: string) => Promise<void>;
  /** Sends the answer. Rejects with what discord.js throws. */
  readonly send: (answer: Answer) => Promise<void>;
  /** Sends a sentence to the caller alone, in place of the answer. */
  readonly fail: (sentence: string) => Promise<void>;
}

/** How the interaction stands: `gone` when Discord no longer waits. */
type Standing = "open" | "deferred" | "answered" | "gone";

/** More than this is uploaded after a deferral: the upload itself counts against the 3 s for the first answer. */
const DIRECT_UPLOAD_LIMIT_BYTES = 1024 * 1024;

export function createAnswering({
  interaction,
  manner,
  api,
  log,
}: {
  readonly interaction: Interaction;
  readonly manner: Manner;
  readonly api: InteractionApi;
  readonly log: Log;
}): Answering {
  let standing: Standing = "open";
  let deferring: Promise<void> | undefined;
  let stateShown = false;
  const fileLimitBytes = interaction.attachment_size_limit;

  async function deferNow(): Promise<void> {
    const taken = await (manner === "update"
      ? api.callback(interaction, InteractionResponseType.DeferredMessageUpdate)
      : api.callback(
          interaction,
          InteractionResponseType.DeferredChannelMessageWithSource,
          manner === "private" ? { flags: MessageFlags.Ephemeral } : undefined,
        ));
    standing = taken === "gone" ? "gone" : "deferred";
  }

  function defer(): Promise<void> {
    if (standing !== "open") {
      return Promise.resolve();
    }
    deferring ??= deferNow();
    return deferring;
  }

  /** Whether a first answer is still to be given, once a deferral under way has come to its end. */
  async function isOpen(): Promise<boolean> {
    await deferring?.catch((error: unknown) => {
      log.warn({ error, interaction: interaction.id }, "an answer could not be announced");
    });
    return standing === "open";
  }

  async function first(
    type: InteractionResponseType,
    data: object,
    { files }: Pick<OutgoingMessage, "files"> = { files: [] },
  ): Promise<void> {
    const taken = await api.callback(interaction, type, data, files);
    // A deferral that seemed to fail had reached Discord after all: the answer goes the way of an edit.
    standing = taken === "before" && deferring ? "deferred" : taken === "gone" ? "gone" : "answered";
  }

  async function sendReply(reply: Reply): Promise<void> {
    const message = format(reply, fileLimitBytes);
    try {
      await sendMessage(message, reply);
    } catch (error) {
      if (message.files.length === 0 || !isTooLarge(error)) {
        throw error;
      }
      // The limit Discord names with the interaction is too high at times.
      log.warn({ interaction: interaction.id }, "files were refused as too large; sent without them");
      await sendMessage(format(reply, 0), reply);
    }
  }

  async function sendMessage(message: OutgoingMessage, { visibility }: Reply): Promise<void> {
    const hidden = visibility === "private" && manner !== "update";
    if (sizeOf(message) > DIRECT_UPLOAD_LIMIT_BYTES) {
      await defer().catch(() => undefined);
    }
    if (await isOpen()) {
      const type =
        manner === "update"
          ? InteractionResponseType.UpdateMessage
          : InteractionResponseType.ChannelMessageWithSource;
      await first(type, hidden ? asPrivate(message.body) : message.body, message);
    }
    if (standing === "deferred" && hidden && manner === "public") {
      await sendPrivatelyInstead(message);
    } else if (standing === "deferred") {
      await api.editOriginal(interaction, message.body, message.files);
    }
  }

  /** A public "thinking…" cannot become private, and a follow-up would become its text: it has to go first. */
  async function sendPrivatelyInstead(message: OutgoingMessage): Promise<void> {
    await api.deleteOriginal(interaction).catch((error: unknown) => {
      log.warn({ error, interaction: interaction.id }, "a waiting message could not be taken away");
    });
    await api.followUp(interaction, asPrivate(message.body), message.files);
  }

  function format(reply: Reply, limitBytes: number): OutgoingMessage {
    const message = formatReply(reply, limitBytes);
    if (message.refused.length > 0) {
      log.error({ refused: message.refused }, "parts of a reply cannot be sent in any form");
    }
    return message;
  }

  async function failAfterUpdate(message: OutgoingMessage): Promise<void> {
    if (stateShown && interaction.type === 3) {
      const { flags, allowed_mentions } = message.body;
      const components = formatRestored(interaction.message.components);
      await api.editOriginal(interaction, { flags, components, allowed_mentions }).catch((error: unknown) => {
        log.warn({ error, interaction: interaction.id }, "a message could not be put back as it was");
      });
    }
    await api.followUp(interaction, asPrivate(message.body));
  }

  return {
    defer,
    async show(text) {
      try {
        const { flags, components, allowed_mentions } = format(textReply(text), fileLimitBytes).body;
        stateShown = true;
        // Without `attachments` the message's files stay.
        await api.editOriginal(interaction, { flags, components, allowed_mentions });
      } catch (error) {
        log.warn({ error, interaction: interaction.id }, "progress could not be shown");
      }
    },
    async send(answer) {
      if (!("type" in answer)) {
        await sendReply(answer);
        return;
      }
      if (await isOpen()) {
        await first(InteractionResponseType.Modal, formatModal(answer));
      }
      if (standing === "deferred") {
        throw new UserError("That form took me too long to prepare. Please try again.");
      }
    },
    async fail(sentence) {
      const message = formatReply(textReply(sentence, "private"), fileLimitBytes);
      if (await isOpen()) {
        await first(InteractionResponseType.ChannelMessageWithSource, asPrivate(message.body));
      }
      if (standing === "deferred" && manner === "update") {
        await failAfterUpdate(message);
      } else if (standing === "deferred" && manner === "public") {
        await sendPrivatelyInstead(message);
      } else if (standing === "deferred") {
        await api.editOriginal(interaction, message.body);
      }
    },
  };
}

function asPrivate<B extends { readonly flags: number }>(body: B): B {
  return { ...body, flags: body.flags | MessageFlags.Ephemeral };
}

function sizeOf({ files }: OutgoingMessage): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}
