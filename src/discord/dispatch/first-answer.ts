// The first answer to an interaction, which can be given only once: by a deferral or by what is to be said.
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { Log } from "../../core/log.ts";
import type { InteractionKey } from "../interaction.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { SendableFile } from "../reply-files.ts";
import type { Clock } from "../../core/clock.ts";
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Progress, ProgressState } from "../define/context.ts";

/** Where an answer goes, and who sees it while it is being made. */
export type ReplyMode = "update" | "public" | "private";

/** How the interaction stands: `gone` when Discord no longer waits. */
type Standing = "open" | "deferred" | "answered" | "gone";

export interface FirstAnswer {
  /** Tells Discord that an answer will come. Does nothing once there is one. */
  readonly defer: () => Promise<void>;
  /** Whether a first answer is still to be given, once a deferral under way has come to its end. */
  readonly isOpen: () => Promise<boolean>;
  /** Whether the answer has been announced and is to follow. */
  readonly isDeferred: () => boolean;
  /** Gives it. Rejects with what discord.js throws. */
  readonly give: (
    type: InteractionResponseType,
    data: object,
    files?: readonly SendableFile[],
  ) => Promise<void>;
}

/** What an answer stands on. */
export interface AnswerOptions {
  readonly interaction: InteractionKey;
  readonly replyMode: ReplyMode;
  readonly api: InteractionApi;
  readonly log: Log;
}

export function createFirstAnswer({ interaction, replyMode, api, log }: AnswerOptions): FirstAnswer {
  let standing: Standing = "open";
  let deferring: Promise<void> | undefined;

  async function deferNow(): Promise<void> {
    const taken = await (replyMode === "update"
      ? api.callback(interaction, InteractionResponseType.DeferredMessageUpdate)
      : api.callback(
          interaction,
          InteractionResponseType.DeferredChannelMessageWithSource,
          replyMode === "private" ? { flags: MessageFlags.Ephemeral } : undefined,
        ));
    standing = taken === "gone" ? "gone" : "deferred";
  }

  return {
    defer() {
      if (standing !== "open") {
        return Promise.resolve();
      }
      deferring ??= deferNow();
      return deferring;
    },
    async isOpen() {
      await deferring?.catch((error: unknown) => {
        log.warn({ error, interaction: interaction.id }, "an answer could not be announced");
      });
      return standing === "open";
    },
    isDeferred: () => standing === "deferred",
    async give(type, data, files = []) {
      const taken = await api.callback(interaction, type, data, files);
      // A deferral that seemed to fail had reached Discord after all: the answer goes the way of an edit.
      standing = taken === "before" && deferring ? "deferred" : taken === "gone" ? "gone" : "answered";
    },
  };
}

// Tells a waiting person how far their work is, without asking too much of Discord.

/** Edits of one message closer together than this are held back by Discord's rate limit anyway. */
const EDIT_EVERY_MS = 2_000;
const BAR_LENGTH = 12;
const MEGABYTE = 1_000_000;

/** Shows the latest state at most every two seconds, once it may be shown at all. */
export interface ProgressReports {
  readonly report: Progress;
  /** The interaction is deferred: states may be shown from now on. */
  readonly open: () => void;
  /** Shows nothing more; settles when an edit under way is done, so that the answer comes after it. */
  readonly close: () => Promise<void>;
}

/** `show` edits the message, `cancel` behind a button; what it throws is its own affair. */
export function createProgressReports(
  clock: Clock,
  show: (text: string, cancel?: ComponentTarget) => Promise<void>,
): ProgressReports {
  let latest: ProgressState | undefined;
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
    const cancel = typeof latest === "object" && "cancel" in latest ? latest.cancel : undefined;
    editing = show(formatProgress(latest), cancel).finally(() => {
      editing = undefined;
      pump();
    });
  }

  return {
    report(next) {
      latest = next;
      shown = false;
      pump();
    },
    open() {
      if (state === "waiting") {
        state = "open";
        pump();
      }
    },
    async close() {
      state = "closed";
      cancelPause?.();
      await editing;
    },
  };
}

/** Words as they are; bytes as a bar, e.g. `▰▰▰▱▱▱▱▱▱▱▱▱ 25 % · 12.5 of 50.0 MB`. */
export function formatProgress(state: ProgressState): string {
  if (typeof state === "string") {
    return state;
  }
  if ("text" in state) {
    return state.text;
  }
  const { doneBytes, totalBytes } = state;
  const part = totalBytes > 0 ? Math.min(1, Math.max(0, doneBytes / totalBytes)) : 0;
  const full = Math.floor(part * BAR_LENGTH);
  const bar = "▰".repeat(full) + "▱".repeat(BAR_LENGTH - full);
  return `${bar} ${Math.floor(part * 100)} % · ${formatMegabytes(doneBytes)} of ${formatMegabytes(totalBytes)} MB`;
}

function formatMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
