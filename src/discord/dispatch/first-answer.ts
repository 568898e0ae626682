// The first answer to an interaction, which can be given only once: by a deferral or by what is to be said.
import { InteractionResponseType, MessageFlags } from "discord.js";
import type { Log } from "../../core/log.ts";
import type { InteractionKey } from "../interaction.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { SendableFile } from "../reply-files.ts";

/** Where an answer goes, and who sees it while it is being made. */
export type Manner = "update" | "public" | "private";

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
  readonly manner: Manner;
  readonly api: InteractionApi;
  readonly log: Log;
}

export function createFirstAnswer({ interaction, manner, api, log }: AnswerOptions): FirstAnswer {
  let standing: Standing = "open";
  let deferring: Promise<void> | undefined;

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
