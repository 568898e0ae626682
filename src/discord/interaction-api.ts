// The requests that answer an interaction. They use the interaction's own token instead of the bot's.
// https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
import {
  DiscordAPIError,
  HTTPError,
  InteractionResponseType,
  type REST,
  RateLimitError,
  Routes,
} from "discord.js";
import { currentTrace } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { retryOnClock } from "../core/retry.ts";
import type { InteractionKey } from "./interaction.ts";
import { type SendableFile, withFiles } from "./reply-files.ts";
import type { DirectPost } from "./rest.ts";

/**
 * `accepted-earlier`: the answer to an earlier attempt was lost. `closed`: too late, or another process answered.
 * `gone`: the message that it would change was deleted; Discord still waits for another answer.
 */
type Acknowledgement = "accepted" | "accepted-earlier" | "closed" | "gone";

export type InteractionApi = ReturnType<typeof createInteractionApi>;

/** JSON error codes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const UNKNOWN_MESSAGE = 10_008;
const UNKNOWN_INTERACTION = 10_062;
const ALREADY_ACKNOWLEDGED = 40_060;

/** Waits between attempts. With the time limits, two attempts fit after a deferral at 1.5 s: Discord waits for 3 s. */
const FIRST_ANSWER_WAITS_MS = [0, 150, 300];
/** The time limit of one attempt. Repeating it does no harm: error 40060 says that an earlier attempt arrived. */
const FIRST_ANSWER_TIMEOUT_MS = 700;
/** The same with files, which take longer to upload. After two lost attempts, half a second is left for the third. */
const FIRST_UPLOAD_TIMEOUT_MS = 1_200;
/** A time limit is counted in steps of this length. */
const TIMEOUT_STEP_MS = 100;
/** Waits between attempts after the first answer. The token is valid for 15 minutes, but people stop waiting sooner. */
const LATER_WAITS_MS = [1_000, 3_000, 6_000];

export function createInteractionApi(deps: {
  /** For requests that may be repeated: discord.js retries them immediately. */
  readonly rest: Pick<REST, "patch" | "delete">;
  /** For requests that must not be repeated: it sends each of them once. */
  readonly restOnce: Pick<REST, "post">;
  readonly direct: Pick<DirectPost, "post">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<Meter, "count" | "time">;
}) {
  const { rest, restOnce, direct, clock, log, meter } = deps;
  const wait = new URLSearchParams({ wait: "true" });
  /** Interactions for which a first answer was attempted, e.g. a deferral that seemed to fail. */
  const tried = new WeakSet<InteractionKey>();

  async function callback(
    key: InteractionKey,
    type: InteractionResponseType,
    data?: object,
    files: readonly SendableFile[] = [],
  ): Promise<Acknowledgement> {
    const route = Routes.interactionCallback(key.id, key.token);
    const body = { type, data };
    const hasFiles = files.length > 0;
    const timeoutMs = hasFiles ? FIRST_UPLOAD_TIMEOUT_MS : FIRST_ANSWER_TIMEOUT_MS;
    let isRepeated = false;
    try {
      await retryOnClock({ clock, waitsMs: FIRST_ANSWER_WAITS_MS, isTransient: isSoonOver }, () => {
        isRepeated = tried.has(key);
        tried.add(key);
        // A repeated attempt goes through discord.js's REST, which waits as long as a 429 says.
        const isDirect = !isRepeated && !hasFiles;
        const sending = isDirect
          ? direct.post(route, body)
          : restOnce.post(route, { auth: false, ...withFiles(body, files) });
        return withTimeout(clock, timeoutMs, sending);
      });
      const { sinceMs } = currentTrace() ?? {};
      if (sinceMs !== undefined) {
        meter.time("first_answer_duration_seconds", {}, clock.elapsed() - sinceMs);
      }
      return "accepted";
    } catch (error) {
      return acknowledgementOf(error, type, isRepeated);
    }
  }

  /** Reads the outcome of a first answer from Discord's error. Throws any other error. */
  function acknowledgementOf(
    error: unknown,
    type: InteractionResponseType,
    isRepeated: boolean,
  ): Acknowledgement {
    if (isApiError(error, ALREADY_ACKNOWLEDGED)) {
      if (isRepeated) {
        log.debug({}, "first answer arrived with an earlier attempt");
        return "accepted-earlier";
      }
      meter.count("foreign_answers_total", {});
      log.error({}, "another process answered; only one may run with this token");
      return "closed";
    }
    if (isApiError(error, UNKNOWN_INTERACTION)) {
      log.warn({}, "Discord no longer waits for this answer");
      return "closed";
    }
    if (isApiError(error, UNKNOWN_MESSAGE) && isUpdate(type)) {
      log.info({}, "message to change was deleted");
      return "gone";
    }
    throw error;
  }

  /** Changes the answer's message, unless somebody or an earlier attempt has deleted it. */
  async function changeOriginal(change: () => Promise<unknown>): Promise<void> {
    try {
      await retryOnClock({ clock, waitsMs: LATER_WAITS_MS, isTransient: isSoonOver }, change);
    } catch (error) {
      if (!isApiError(error, UNKNOWN_MESSAGE)) {
        throw error;
      }
      log.info({}, "answer dropped, its message was deleted");
    }
  }

  return {
    callback,
    async editOriginal(
      key: InteractionKey,
      body: object,
      files: readonly SendableFile[] = [],
    ): Promise<void> {
      const request = { auth: false, ...withFiles(body, files) };
      await changeOriginal(() => rest.patch(Routes.webhookMessage(key.application_id, key.token), request));
    },
    async deleteOriginal(key: InteractionKey): Promise<void> {
      await changeOriginal(() =>
        rest.delete(Routes.webhookMessage(key.application_id, key.token), { auth: false }),
      );
    },
    /** One attempt: Discord cannot tell a repetition from a second message. `unknown`: the response was lost. */
    async followUp(
      key: InteractionKey,
      body: object,
      files: readonly SendableFile[] = [],
    ): Promise<"sent" | "unknown"> {
      const request = { auth: false, query: wait, ...withFiles(body, files) };
      try {
        await restOnce.post(Routes.webhook(key.application_id, key.token), request);
        return "sent";
      } catch (error) {
        if (!isTransient(error)) {
          throw error;
        }
        log.warn({ error }, "outcome of a follow-up unknown");
        return "unknown";
      }
    },
  };
}

/**
 * Limits one attempt to `timeoutMs`, then throws a ServiceError `outcome-unknown`. The request itself continues,
 * because aborting a half-sent form fails inside undici, where nobody can catch the error.
 *
 * It counts the time in steps, between which the event loop reads responses. With a single timer, a busy process could
 * time out while the response still waits to be read, and would send everything again.
 */
function withTimeout(clock: Clock, timeoutMs: number, sending: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let leftMs = timeoutMs;
    let cancel = clock.after(TIMEOUT_STEP_MS, step);
    function step(): void {
      leftMs -= TIMEOUT_STEP_MS;
      if (leftMs > 0) {
        cancel = clock.after(TIMEOUT_STEP_MS, step);
      } else {
        reject(new ServiceError("discord", "outcome-unknown", `no answer within ${timeoutMs} ms`));
      }
    }
    sending.finally(() => cancel()).then(() => resolve(), reject);
  });
}

/** Whether the same request may succeed soon. REST reports a rate limit only if it lasts for more than a minute. */
function isSoonOver(error: unknown): boolean {
  return isTransient(error) && !(error instanceof RateLimitError);
}

/** Whether the same request may succeed later: after a 5xx, without a response, or once a rate limit is over. */
function isTransient(error: unknown): boolean {
  return !(error instanceof DiscordAPIError) && error instanceof Error && error.name !== "AbortError";
}

const ENTITY_TOO_LARGE = 40_005;
/** Discord has restricted file uploads in the server for a while. */
const UPLOADS_RESTRICTED = 400_001;

export function isApiError(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}

export function isFileRefusal(error: unknown): boolean {
  return (
    isApiError(error, ENTITY_TOO_LARGE) ||
    isApiError(error, UPLOADS_RESTRICTED) ||
    ((error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 413)
  );
}

function isUpdate(type: InteractionResponseType): boolean {
  return (
    type === InteractionResponseType.DeferredMessageUpdate || type === InteractionResponseType.UpdateMessage
  );
}
