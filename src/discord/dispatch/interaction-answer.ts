// Sends the answer to one interaction: as the first answer, an edit or a follow-up, whichever Discord still accepts.
// https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { ComponentTarget } from "../../core/component-id.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { type Reply, buttonTo, plainReply, textReply } from "../../core/reply.ts";
import { type WireComponent, countComponents } from "../components.ts";
import type { AnswerMode } from "../define.ts";
import type { Answer } from "../define/context.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { InteractionKey } from "../interaction.ts";
import type { ReplySender } from "../reply-sender.ts";
import type { SendableFile } from "../reply-files.ts";
import { COMPONENTS_LIMIT, type OutgoingMessage } from "../reply.ts";
import { decodeFileName } from "../message-media.ts";

export type InteractionAnswer = ReturnType<typeof createInteractionAnswer>;

/** Larger files are uploaded after a deferral, because the upload counts towards the 3 s for the first answer. */
const DIRECT_UPLOAD_LIMIT_BYTES = 256 * 1024;

/** Replaces "thinking…" for a moment, while the answer is sent to the caller alone. */
const PRIVATE_NOTICE = "-# Only the person who asked can see the answer.";

export function createInteractionAnswer(deps: {
  readonly interaction: InteractionKey;
  readonly answerMode: AnswerMode;
  readonly api: InteractionApi;
  readonly replies: ReplySender;
  readonly log: Log;
}) {
  const { interaction, api, replies, log } = deps;
  /** Becomes `private` if a private answer comes before any deferral, or if the message to update is gone. */
  let { answerMode } = deps;
  /** The message to update was deleted meanwhile, so the caller alone learns the outcome. */
  let isGone = false;
  /** `over`: the first answer was given, or Discord no longer waits for it. `deferred`: the answer must be an edit. */
  let first: "open" | "deferred" | "over" = "open";
  let deferring: Promise<void> | undefined;
  let stateShown = false;
  const fileLimitBytes = interaction.attachment_size_limit;

  async function deferNow(): Promise<void> {
    const type =
      answerMode === "update"
        ? InteractionResponseType.DeferredMessageUpdate
        : InteractionResponseType.DeferredChannelMessageWithSource;
    const data = answerMode === "private" ? { flags: MessageFlags.Ephemeral } : undefined;
    const taken = await api.callback(interaction, type, data);
    if (taken === "gone") {
      isGone = true;
      answerMode = "private";
      await deferNow();
      return;
    }
    first = taken === "closed" ? "over" : "deferred";
  }

  /** Tells Discord that an answer will come. Does nothing if there already is one. */
  async function defer(): Promise<void> {
    if (first === "open") {
      deferring ??= deferNow();
      await deferring;
    }
  }

  /**
   * Returns `deferred` if it was already deferred; the answer must then be an edit. Returns `gone` if the message to
   * update was deleted. Throws as discord.js does.
   */
  async function answerFirst(
    type: InteractionResponseType,
    data: object,
    files: readonly SendableFile[] = [],
  ): Promise<typeof first | "gone"> {
    await deferring?.catch((error: unknown) => {
      log.warn({ error }, "deferral failed");
    });
    if (first === "open") {
      const taken = await api.callback(interaction, type, data, files);
      if (taken === "gone") {
        return taken;
      }
      // A deferral that seemed to fail had reached Discord after all, so the answer must be an edit.
      first = taken === "accepted-earlier" && deferring ? "deferred" : "over";
    }
    return first;
  }

  /** If `wantsPrivate`, only the caller sees it: beside a component's message, or in place of "thinking…". */
  async function deliver(message: OutgoingMessage, wantsPrivate: boolean): Promise<void> {
    const { body, files } = message;
    const isPrivate = wantsPrivate || isGone;
    if (isPrivate && !deferring) {
      // Nobody has seen anything yet, so "thinking…" during the upload can be private too.
      answerMode = "private";
    }
    if (sizeOf(files) > DIRECT_UPLOAD_LIMIT_BYTES) {
      await defer().catch(() => undefined);
    }
    const type =
      answerMode === "update" && !isPrivate
        ? InteractionResponseType.UpdateMessage
        : InteractionResponseType.ChannelMessageWithSource;
    const taken = await answerFirst(type, isPrivate ? asPrivate(body) : body, files);
    if (taken === "gone") {
      isGone = true;
      await deliver(message, true);
      return;
    }
    if (taken !== "deferred") {
      return;
    }
    if (!isPrivate || answerMode === "private") {
      await api.editOriginal(interaction, body, files);
    } else if (answerMode === "update") {
      await restore();
      await api.followUp(interaction, asPrivate(body), files);
    } else {
      await replacePrivately(message);
    }
  }

  /**
   * Answers privately after a public "thinking…". That cannot become private, and a follow-up would replace it
   * for everyone, so it gets a text of its own first. It is deleted once the private message is certain to
   * exist. If that is unknown, it becomes the answer, so that nobody waits for ever.
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

  /** Restores a component's message after progress was shown in it. */
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

  /** Shows progress in place of the answer, or below what a component's message shows. Never rejects. */
  async function show(text: string, cancel?: ComponentTarget): Promise<void> {
    try {
      const shown = plainReply([text, [cancel && buttonTo("Cancel", cancel, { emoji: "⏹️" })]]);
      const state = replies.format(shown, fileLimitBytes).body;
      const { flags, allowed_mentions } = state;
      // The buttons stay too: if the bot stops before it answers, the message still works.
      const existing = answerMode === "update" ? formatRestored(interaction.message?.components ?? []) : [];
      const whole = [...existing, ...state.components];
      // Every element is a component.
      const count = countComponents(whole as readonly WireComponent[]);
      const components = count <= COMPONENTS_LIMIT ? whole : state.components;
      stateShown = true;
      // Without `attachments`, the message keeps its files.
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
        const isEphemeral = ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
        const isPrivate = answer.visibility === "private" && !(answerMode === "update" && isEphemeral);
        // The limit that Discord sends with the interaction is sometimes too high; `replies` then leaves out
        // the files.
        await replies.send(answer, fileLimitBytes, (message) => deliver(message, isPrivate));
      } else if (answer.type === "removal") {
        await defer();
        if (first === "deferred") {
          await api.deleteOriginal(interaction);
        }
      } else if ((await answerFirst(InteractionResponseType.Modal, replies.form(answer))) === "deferred") {
        throw new UserError("I took too long to prepare that form. Please try again.");
      }
    },
    /** Sends an error message to the caller alone, in place of the answer. */
    fail: (failure: Reply): Promise<void> => deliver(replies.format(failure, fileLimitBytes), true),
  };
}

function asPrivate(body: OutgoingMessage["body"]): OutgoingMessage["body"] {
  return { ...body, flags: body.flags | MessageFlags.Ephemeral };
}

function sizeOf(files: OutgoingMessage["files"]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

/** The path of a file's link, e.g. `/attachments/<channel>/<attachment>/board.png`. */
const ATTACHMENT_PATH = /^\/(?:ephemeral-)?attachments\/\d+\/\d+\/([^/]+)$/;

/** For an edit: signed links to the message's own files, which stay, become references by name. */
export function formatRestored(components: readonly unknown[]): readonly unknown[] {
  return components.map((component): unknown =>
    JSON.parse(JSON.stringify(component), (_key, value: unknown) => {
      const name = ownFileName(value);
      return name === undefined ? value : { url: `attachment://${name}` };
    }),
  );
}

/** The name of the file that a component shows, if the value is its media, e.g. `{ url, proxy_url, … }`. */
function ownFileName(value: unknown): string | undefined {
  // A link button has a `url` too, which must not change. Only media have no `type`.
  const { type, url }: Readonly<Record<string, unknown>> = Object(value);
  const parsed = type === undefined && typeof url === "string" ? URL.parse(url) : null;
  const name = parsed ? ATTACHMENT_PATH.exec(parsed.pathname)?.[1] : undefined;
  return name === undefined ? undefined : decodeFileName(name);
}
