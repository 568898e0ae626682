// The answer to one interaction: as the first one, an edit or a follow-up, whichever Discord still takes.
// https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { ComponentTarget } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import { type Reply, textReply } from "../../core/reply.ts";
import { isFileRefusal } from "../interaction-api.ts";
import type { Wording } from "../wording.ts";
import type { Answer } from "../define/context.ts";
import { formatModal } from "../modal.ts";
import { type WireComponent, countComponents } from "../components.ts";
import { COMPONENTS_LIMIT, type OutgoingMessage, formatReply } from "../reply.ts";
import { type AnswerOptions, createFirstAnswer } from "./first-answer.ts";
import { decodeFileName } from "../message-media.ts";

export type Answering = ReturnType<typeof createAnswering>;

/** More than this is uploaded after a deferral: the upload itself counts against the 3 s for the first answer. */
const DIRECT_UPLOAD_LIMIT_BYTES = 256 * 1024;

/** Stands for a moment where "thinking…" stood, while the answer goes to the caller alone. */
const PRIVATE_NOTICE = "-# Only the person who asked can see the answer.";

export function createAnswering(options: AnswerOptions & { readonly wording: Wording }) {
  const { interaction, replyMode, api, wording, log } = options;
  const first = createFirstAnswer(options);
  let stateShown = false;
  const fileLimitBytes = interaction.attachment_size_limit;
  const standsPrivately = ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

  async function sendReply(reply: Reply): Promise<void> {
    const message = format(reply, fileLimitBytes);
    try {
      await sendMessage(message, reply);
    } catch (error) {
      if (message.files.length === 0 || !isFileRefusal(error)) {
        throw error;
      }
      // The limit Discord names with the interaction is too high at times, and a server's uploads may be restricted.
      log.warn({ error }, "files refused, message sent without them");
      await sendMessage(format(reply, 0), reply);
    }
  }

  async function sendMessage(message: OutgoingMessage, { visibility }: Reply): Promise<void> {
    if (sizeOf(message) > DIRECT_UPLOAD_LIMIT_BYTES) {
      await first.defer().catch(() => undefined);
    }
    if (visibility === "private" && !(replyMode === "update" && standsPrivately)) {
      await sendPrivately(message);
      return;
    }
    if (await first.isOpen()) {
      const type =
        replyMode === "update"
          ? InteractionResponseType.UpdateMessage
          : InteractionResponseType.ChannelMessageWithSource;
      await first.respond(type, message.body, message.files);
    }
    if (first.isDeferred()) {
      await api.editOriginal(interaction, message.body, message.files);
    }
  }

  /** To the caller alone, beside a component's message and in place of a "thinking…". */
  async function sendPrivately(message: OutgoingMessage): Promise<void> {
    const body = asPrivate(message.body);
    if (await first.isOpen()) {
      await first.respond(InteractionResponseType.ChannelMessageWithSource, body, message.files);
    }
    if (!first.isDeferred()) {
      return;
    }
    if (replyMode === "private") {
      await api.editOriginal(interaction, message.body, message.files);
      return;
    }
    if (replyMode === "update") {
      await restore();
      await api.followUp(interaction, body, message.files);
      return;
    }
    await replacePrivately(message);
  }

  /**
   * A public "thinking…" cannot become private, and a follow-up would become its text: first it says something of its
   * own. It goes when the private message is surely there; otherwise it says it all, since nobody must wait for ever.
   */
  async function replacePrivately(message: OutgoingMessage): Promise<void> {
    await api.editOriginal(interaction, format(textReply(PRIVATE_NOTICE), fileLimitBytes).body);
    const outcome = await api.followUp(interaction, asPrivate(message.body), message.files);
    if (outcome === "unknown") {
      await api.editOriginal(interaction, message.body, message.files);
      return;
    }
    await api.deleteOriginal(interaction).catch((error: unknown) => {
      log.warn({ error }, "waiting message not deleted");
    });
  }

  /** Puts a component's message back as it was before states were shown in it. */
  async function restore(): Promise<void> {
    if (!stateShown || !interaction.message) {
      return;
    }
    const flags = MessageFlags.IsComponentsV2;
    const components = formatRestored(interaction.message.components);
    const body = { flags, components, allowed_mentions: { parse: [] } };
    await api.editOriginal(interaction, body).catch((error: unknown) => {
      log.warn({ error }, "message not restored");
    });
  }

  function format(reply: Reply, limitBytes: number): OutgoingMessage {
    const message = formatReply(wording.reply(reply), limitBytes);
    if (message.refused.length > 0) {
      log.error({ refused: message.refused }, "parts of a message refused");
    }
    return message;
  }

  return {
    /** Announces to Discord that an answer will come. Does nothing once there is one. */
    defer: (): Promise<void> => first.defer(),
    /** Shows a state in place of the answer to come, or under what a component's message shows. Never rejects. */
    async show(text: string, cancel?: ComponentTarget): Promise<void> {
      try {
        const state = format(formatState(text, cancel), fileLimitBytes).body;
        const { flags, allowed_mentions } = state;
        // Its buttons stay as well: should the bot end before the answer, the message is as good as before.
        const standing = replyMode === "update" ? formatRestored(interaction.message?.components ?? []) : [];
        const whole = [...standing, ...state.components];
        // All of them are components.
        const count = countComponents(whole as readonly WireComponent[]);
        const components = count <= COMPONENTS_LIMIT ? whole : state.components;
        stateShown = true;
        // Without `attachments` the message's files stay.
        await api.editOriginal(interaction, { flags, components, allowed_mentions });
      } catch (error) {
        log.warn({ error }, "progress not shown");
      }
    },
    /** Sends the answer. Rejects with what discord.js throws. */
    async send(answer: Answer): Promise<void> {
      if (!("type" in answer)) {
        await sendReply(answer);
        return;
      }
      if (answer.type === "removal") {
        await first.defer();
        await api.deleteOriginal(interaction);
        return;
      }
      if (await first.isOpen()) {
        await first.respond(InteractionResponseType.Modal, formatModal(wording.modal(answer)));
      }
      if (first.isDeferred()) {
        throw new UserError("I took too long to prepare that form. Please try again.");
      }
    },
    /** Sends what went wrong to the caller alone, in place of the answer. */
    fail: (failure: Reply): Promise<void> => sendPrivately(format(failure, fileLimitBytes)),
  };
}

function formatState(text: string, cancel: ComponentTarget | undefined): Reply {
  const state = { type: "text", text } as const;
  const button = cancel && ({ type: "button", label: "Cancel", target: cancel } as const);
  return { blocks: button ? [state, { type: "buttons", buttons: [button] }] : [state] };
}

function asPrivate(body: OutgoingMessage["body"]): OutgoingMessage["body"] {
  return { ...body, flags: body.flags | MessageFlags.Ephemeral };
}

function sizeOf({ files }: OutgoingMessage): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

/** A component as Discord sent it, e.g. `{ type: 12, items: [{ media: { url, proxy_url, … } }] }`. */
type Json = unknown;

/** Path of a file's link, e.g. `/attachments/<channel>/<attachment>/board.png`. */
const ATTACHMENT_PATH = /^\/(?:ephemeral-)?attachments\/\d+\/\d+\/([^/]+)$/;

/**
 * A message's components in the form of an edit: signed links to the message's own files, which stay, become
 * references by name.
 */
export function formatRestored(components: readonly Json[]): readonly Json[] {
  return components.map(restoreValue);
}

function restoreValue(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(restoreValue);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value);
  // A link button has a `url` too, which stays as it is: only media have no type.
  const name = "type" in value ? undefined : fileName(entries.find(([key]) => key === "url")?.[1]);
  return name === undefined
    ? Object.fromEntries(entries.map(([key, inner]) => [key, restoreValue(inner)]))
    : { url: `attachment://${name}` };
}

function fileName(url: Json): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const name = parsed ? ATTACHMENT_PATH.exec(parsed.pathname)?.[1] : undefined;
  return name === undefined ? undefined : decodeFileName(name);
}
