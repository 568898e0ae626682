// The first answer to an interaction, which can be given only once: by a deferral or by what is to be said.
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { Log } from "../../core/log.ts";
import type { InteractionKey } from "../interaction.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { SendableFile } from "../reply-files.ts";
import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Progress } from "../define/context.ts";

/** Where an answer goes, and who sees it while it is being made. */
export type ReplyMode = "update" | "public" | "private";

export interface AnswerOptions {
  readonly interaction: InteractionKey;
  readonly replyMode: ReplyMode;
  readonly api: InteractionApi;
  readonly log: Log;
}

export function createFirstAnswer({ interaction, replyMode, api, log }: AnswerOptions) {
  /** `gone`: Discord no longer waits. */
  let state: "open" | "deferred" | "answered" | "gone" = "open";
  let deferring: Promise<void> | undefined;

  async function deferNow(): Promise<void> {
    const taken = await (replyMode === "update"
      ? api.callback(interaction, InteractionResponseType.DeferredMessageUpdate)
      : api.callback(
          interaction,
          InteractionResponseType.DeferredChannelMessageWithSource,
          replyMode === "private" ? { flags: MessageFlags.Ephemeral } : undefined,
        ));
    state = taken === "gone" ? "gone" : "deferred";
  }

  return {
    /** Announces to Discord that an answer will come. Does nothing once there is one. */
    defer(): Promise<void> {
      if (state !== "open") {
        return Promise.resolve();
      }
      deferring ??= deferNow();
      return deferring;
    },
    /** Whether a first answer is still to be given, once a deferral under way has ended. */
    async isOpen(): Promise<boolean> {
      await deferring?.catch((error: unknown) => {
        log.warn({ error }, "deferral failed");
      });
      return state === "open";
    },
    /** Whether the answer has been announced and is to follow. */
    isDeferred: () => state === "deferred",
    /** Gives the first answer. Rejects with what discord.js throws. */
    async respond(
      type: InteractionResponseType,
      data: object,
      files: readonly SendableFile[] = [],
    ): Promise<void> {
      const taken = await api.callback(interaction, type, data, files);
      // A deferral that seemed to fail had reached Discord after all: the answer goes the way of an edit.
      state = taken === "before" && deferring ? "deferred" : taken === "gone" ? "gone" : "answered";
    },
  };
}

/** Edits of one message closer together than this are held back by Discord's rate limit anyway. */
const EDIT_EVERY_MS = 2_000;

/**
 * Shows the latest state at most every two seconds, once it may be shown at all. `show` edits the message, with a button
 * for `cancel`; it must not reject.
 */
export function createProgressReports(
  clock: Clock,
  show: (text: string, cancel?: ComponentTarget) => Promise<void>,
) {
  let latest: Parameters<Progress>[0] | undefined;
  let shown = false;
  let state: "waiting" | "open" | "closed" = "waiting";
  let editing: Promise<void> | undefined;
  let cancelPause: (() => void) | undefined;

  function pump(): void {
    if (state !== "open" || shown || latest === undefined || editing || cancelPause) {
      return;
    }
    shown = true;
    cancelPause = clock.after(EDIT_EVERY_MS, () => {
      cancelPause = undefined;
      pump();
    });
    const { text, cancel } = typeof latest === "string" ? { text: latest, cancel: undefined } : latest;
    editing = show(text, cancel).finally(() => {
      editing = undefined;
      pump();
    });
  }

  return {
    report(next: Parameters<Progress>[0]): void {
      latest = next;
      shown = false;
      pump();
    },
    /** The interaction is deferred: states may be shown from now on. */
    open(): void {
      if (state === "waiting") {
        state = "open";
        pump();
      }
    },
    /** Shows nothing more; resolves when an edit under way is done, so that the answer comes after it. */
    async close(): Promise<void> {
      state = "closed";
      cancelPause?.();
      await editing;
    },
  };
}
