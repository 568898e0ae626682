// The requests that answer an interaction. They carry the interaction's own token in place of the bot's.
// https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
import { DiscordAPIError, HTTPError, Routes, type InteractionResponseType, type REST } from "discord.js";
import { sleep, type Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { SendableFile } from "./reply-files.ts";

/** What identifies an interaction to Discord. */
interface InteractionKey {
  readonly id: string;
  readonly token: string;
  readonly application_id: string;
}

/**
 * What became of a first answer. `before`: Discord had one already, from an earlier try whose outcome was lost.
 * `gone`: Discord no longer waits, and nothing else can be sent.
 */
type Acknowledgement = "taken" | "before" | "gone";

export interface InteractionApi {
  /** The first answer. */
  callback(
    key: InteractionKey,
    type: InteractionResponseType,
    data?: object,
    files?: readonly SendableFile[],
  ): Promise<Acknowledgement>;
  editOriginal(key: InteractionKey, body: object, files?: readonly SendableFile[]): Promise<void>;
  deleteOriginal(key: InteractionKey): Promise<void>;
  followUp(key: InteractionKey, body: object, files?: readonly SendableFile[]): Promise<void>;
}

/** JSON error codes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const UNKNOWN_INTERACTION = 10_062;
const ALREADY_ACKNOWLEDGED = 40_060;
const ENTITY_TOO_LARGE = 40_005;

/** Discord waits 3 s for the first answer: after discord.js's own tries at once, these two still reach it. */
const LATE_TRIES_MS = [300, 700];

export function createInteractionApi({
  rest,
  clock,
  log,
}: {
  readonly rest: Pick<REST, "post" | "patch" | "delete">;
  readonly clock: Clock;
  readonly log: Log;
}): InteractionApi {
  const wait = new URLSearchParams({ wait: "true" });

  async function callback(
    key: InteractionKey,
    type: InteractionResponseType,
    data: object | undefined,
    files: readonly SendableFile[],
    tries = 0,
  ): Promise<Acknowledgement> {
    try {
      await rest.post(Routes.interactionCallback(key.id, key.token), {
        auth: false,
        body: data === undefined ? { type } : { type, data },
        ...withFiles(files),
      });
      return "taken";
    } catch (error) {
      if (isApiError(error, ALREADY_ACKNOWLEDGED)) {
        // discord.js repeats a POST whose answer was lost; nobody but us answers, so it was ours that came through.
        log.debug({ interaction: key.id }, "the first answer was already there");
        return "before";
      }
      if (isApiError(error, UNKNOWN_INTERACTION)) {
        log.warn({ interaction: key.id }, "Discord no longer waits for this answer");
        return "gone";
      }
      const delayMs = LATE_TRIES_MS[tries];
      if (delayMs === undefined || !isPassing(error)) {
        throw error;
      }
      await sleep(clock, delayMs);
      return callback(key, type, data, files, tries + 1);
    }
  }

  return {
    callback: (key, type, data, files = []) => callback(key, type, data, files),
    async editOriginal(key, body, files = []) {
      await rest.patch(Routes.webhookMessage(key.application_id, key.token), {
        auth: false,
        body,
        ...withFiles(files),
      });
    },
    async deleteOriginal(key) {
      await rest.delete(Routes.webhookMessage(key.application_id, key.token), { auth: false });
    },
    async followUp(key, body, files = []) {
      await rest.post(Routes.webhook(key.application_id, key.token), {
        auth: false,
        query: wait,
        body,
        ...withFiles(files),
      });
    },
  };
}

/** Whether Discord refused a request for the size of its files. */
export function isTooLarge(error: unknown): boolean {
  return (
    isApiError(error, ENTITY_TOO_LARGE) ||
    ((error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 413)
  );
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}

/** Whether the same request may succeed a moment later: a 5xx, or no answer at all. */
function isPassing(error: unknown): boolean {
  return !(error instanceof DiscordAPIError) && error instanceof Error && error.name !== "AbortError";
}

function withFiles(files: readonly SendableFile[]) {
  return files.length === 0
    ? {}
    : {
        files: files.map(({ name, bytes }) => ({
          name,
          data: bytes,
          ...contentType(name),
        })),
      };
}

/** Saves discord.js from guessing by the bytes. */
function contentType(name: string): { readonly contentType?: string } {
  return name.endsWith(".png") ? { contentType: "image/png" } : {};
}
