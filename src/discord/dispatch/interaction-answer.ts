// The answer to one interaction: as the first one, an edit or a follow-up, whichever Discord still takes.
// https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { ComponentTarget } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { type Reply, textReply } from "../../core/reply.ts";
import { type WireComponent, countComponents } from "../components.ts";
import type { Answer } from "../define/context.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { InteractionKey } from "../interaction.ts";
import type { ReplySender } from "../reply-sender.ts";
import type { SendableFile } from "../reply-files.ts";
import { COMPONENTS_LIMIT, type OutgoingMessage } from "../reply.ts";
import { decodeFileName } from "../message-media.ts";

export type InteractionAnswer = ReturnType<typeof createInteractionAnswer>;

/** Where an answer goes, and who sees it while it is being made. */
export type ReplyMode = "update" | "public" | "private";

/** More than this is uploaded after a deferral: the upload itself counts against the 3 s for the first answer. */
const DIRECT_UPLOAD_LIMIT_BYTES = 256 * 1024;

/** Stands for a moment where "thinking…" stood, while the answer goes to the caller alone. */
const PRIVATE_NOTICE = "-# Only the person who asked can see the answer.";

export function createInteractionAnswer({
  interaction,
  replyMode,
  api,
  replies,
  log,
}: {
  readonly interaction: InteractionKey;
  readonly replyMode: ReplyMode;
  readonly api: InteractionApi;
  readonly replies: ReplySender;
  readonly log: Log;
}) {
  /** The first answer can be given only once. `over`: it was, or Discord no longer waits. `deferred`: the rest is an edit. */
  let first: "open" | "deferred" | "over" = "open";
  let deferring: Promise<void> | undefined;
  let stateShown = false;
  const fileLimitBytes = interaction.attachment_size_limit;

  async function deferNow(): Promise<void> {
    const type =
      replyMode === "update"
        ? InteractionResponseType.DeferredMessageUpdate
        : InteractionResponseType.DeferredChannelMessageWithSource;
    const data = replyMode === "private" ? { flags: MessageFlags.Ephemeral } : undefined;
    first = (await api.callback(interaction, type, data)) === "closed" ? "over" : "deferred";
  }

  /** Announces to Discord that an answer will come. Does nothing once there is one. */
  async function defer(): Promise<void> {
    if (first === "open") {
      deferring ??= deferNow();
      await deferring;
    }
  }

  /** Gives the first answer; `deferred`: it was deferred, and the answer must follow as an edit. Throws as discord.js does. */
  async function answerFirst(
    type: InteractionResponseType,
    data: object,
    files: readonly SendableFile[] = [],
  ): Promise<typeof first> {
    await deferring?.catch((error: unknown) => {
      log.warn({ error }, "deferral failed");
    });
    if (first === "open") {
      const taken = await api.callback(interaction, type, data, files);
      // A deferral that seemed to fail had reached Discord after all: the answer goes the way of an edit.
      first = taken === "accepted-earlier" && deferring ? "deferred" : "over";
    }
    return first;
  }

  /** `isPrivate`: to the caller alone, beside a component's message and in place of a "thinking…". */
  async function deliver(message: OutgoingMessage, isPrivate: boolean): Promise<void> {
    const { body, files } = message;
    const type =
      replyMode === "update" && !isPrivate
        ? InteractionResponseType.UpdateMessage
        : InteractionResponseType.ChannelMessageWithSource;
    if ((await answerFirst(type, isPrivate ? asPrivate(body) : body, files)) !== "deferred") {
      return;
    }
    if (!isPrivate || replyMode === "private") {
      await api.editOriginal(interaction, body, files);
    } else if (replyMode === "update") {
      await restore();
      await api.followUp(interaction, asPrivate(body), files);
    } else {
      await replacePrivately(message);
    }
  }

  /**
   * A public "thinking…" cannot become private, and a follow-up would become its text: first it says something of its
   * own. It goes when the private message is surely there; otherwise it says it all, since nobody must wait for ever.
   */
  async function replacePrivately({ body, files }: OutgoingMessage): Promise<void> {
    await api.editOriginal(interaction, replies.format(textReply(PRIVATE_NOTICE), fileLimitBytes).body);
    const outcome = await api.followUp(interaction, asPrivate(body), files);
    if (outcome === "unknown") {
      await api.editOriginal(interaction, body, files);
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

  /** Shows a state in place of the answer to come, or under what a component's message shows. Never rejects. */
  async function show(text: string, cancel?: ComponentTarget): Promise<void> {
    try {
      const state = replies.format(formatState(text, cancel), fileLimitBytes).body;
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
  }

  return {
    defer,
    show,
    /** Sends the answer. Rejects with what discord.js throws. */
    async send(answer: Answer): Promise<void> {
      if (!("type" in answer)) {
        const standsPrivately = ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
        const isPrivate = answer.visibility === "private" && !(replyMode === "update" && standsPrivately);
        // The limit that Discord names with the interaction is too high at times.
        await replies.send(answer, fileLimitBytes, async (message) => {
          if (sizeOf(message) > DIRECT_UPLOAD_LIMIT_BYTES) {
            await defer().catch(() => undefined);
          }
          await deliver(message, isPrivate);
        });
      } else if (answer.type === "removal") {
        await defer();
        if (first === "deferred") {
          await api.deleteOriginal(interaction);
        }
      } else if ((await answerFirst(InteractionResponseType.Modal, replies.form(answer))) === "deferred") {
        throw new UserError("I took too long to prepare that form. Please try again.");
      }
    },
    /** Sends what went wrong to the caller alone, in place of the answer. */
    fail: (failure: Reply): Promise<void> => deliver(replies.format(failure, fileLimitBytes), true),
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

// A component's message in the form of an edit, to put it back as it was.

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
