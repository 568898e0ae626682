// The requests that answer an interaction. They carry the interaction's own token in place of the bot's.
// https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
import { DiscordAPIError, HTTPError, type InteractionResponseType, type REST, Routes } from "discord.js";
import { currentTrace } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import { retryOnClock } from "../core/retry.ts";
import type { Interaction } from "./interaction.ts";
import { type SendableFile, withFiles } from "./reply-files.ts";
import type { DirectPost } from "./rest.ts";

type InteractionKey = Pick<Interaction, "id" | "token" | "application_id">;

/**
 * What became of a first answer. `accepted-earlier`: Discord had one already, from an earlier try whose outcome was lost.
 * `closed`: Discord no longer waits, or has an answer from another process, and nothing else can be sent.
 */
type Acknowledgement = "accepted" | "accepted-earlier" | "closed";

export type InteractionApi = ReturnType<typeof createInteractionApi>;

/** JSON error codes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const UNKNOWN_MESSAGE = 10_008;
const UNKNOWN_INTERACTION = 10_062;
const ALREADY_ACKNOWLEDGED = 40_060;

/** Waits before further tries. With the time-outs, two fit behind a deferral at 1.5 s: Discord waits for 3 s. */
const FIRST_ANSWER_WAITS_MS = [0, 150, 300];
/** How long Discord gets for one try. A repeated one does no harm: 40060 tells that the first came through. */
const FIRST_ANSWER_TIMEOUT_MS = 700;
/** The same with files, which have to travel first. After two lost tries, half a second is left for the third. */
const FIRST_UPLOAD_TIMEOUT_MS = 1_200;
/** A time-out is counted in steps of this length. */
const TIMEOUT_STEP_MS = 100;
/** The token of everything after it lives for 15 minutes, but a person looks away sooner. */
const LATER_WAITS_MS = [1_000, 3_000, 6_000];

export function createInteractionApi(deps: {
  /** For what may be repeated: discord.js repeats by itself, at once. */
  readonly rest: Pick<REST, "patch" | "delete">;
  /** For what may not: a REST that sends each request once. */
  readonly restOnce: Pick<REST, "post">;
  readonly direct: Pick<DirectPost, "post">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<Meter, "count" | "time">;
}) {
  const { rest, restOnce, direct, clock, log, meter } = deps;
  const wait = new URLSearchParams({ wait: "true" });
  const later = { clock, waitMs: retryWaits(LATER_WAITS_MS) };
  const first = { clock, waitMs: retryWaits(FIRST_ANSWER_WAITS_MS) };
  /** Interactions whose first answer was tried, e.g. as a deferral that seemed to fail. */
  const tried = new WeakSet<InteractionKey>();

  async function callback(
    key: InteractionKey,
    type: InteractionResponseType,
    data?: object,
    files: readonly SendableFile[] = [],
  ): Promise<Acknowledgement> {
    const route = Routes.interactionCallback(key.id, key.token);
    const body = data === undefined ? { type } : { type, data };
    const hasFiles = files.length > 0;
    const timeoutMs = hasFiles ? FIRST_UPLOAD_TIMEOUT_MS : FIRST_ANSWER_TIMEOUT_MS;
    let isRepeated = false;
    try {
      await retryOnClock(first, () => {
        isRepeated = tried.has(key);
        tried.add(key);
        // discord.js's REST waits as long as a 429 asks.
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
      return acknowledgementOf(error, isRepeated);
    }
  }

  /** What a refusal says of the first answer. Throws any other error. */
  function acknowledgementOf(error: unknown, isRepeated: boolean): Acknowledgement {
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
    throw error;
  }

  /** Changes the message of the answer, unless it is already deleted: by somebody else, or by an earlier try. */
  async function changeOriginal(change: () => Promise<unknown>): Promise<void> {
    try {
      await retryOnClock(later, change);
    } catch (error) {
      if (!isApiError(error, UNKNOWN_MESSAGE)) {
        throw error;
      }
      log.info({}, "answer dropped, its message was deleted");
    }
  }

  return {
    /** The first answer. */
    callback,
    /** Puts the answer into its message. */
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
    /**
     * Sends another message, once: Discord cannot tell a repetition from a second message. `unknown`: the answer was lost,
     * and it may or may not be there.
     */
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
 * Limits one attempt to `timeoutMs`, then throws a ServiceError `outcome-unknown`. The request itself goes on, since
 * taking back a half-sent form fails inside undici where nobody can catch it.
 *
 * Between two steps the event loop reads what has arrived. If the process itself is late, a single timer could fire while the
 * answer still waits to be read, and a busy bot would send everything again.
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

function retryWaits(waitsMs: readonly number[]) {
  return (error: Error, attemptNumber: number) =>
    isTransient(error) ? waitsMs[attemptNumber - 1] : undefined;
}

/** Whether the same request may succeed soon: a 5xx, or no answer at all. */
function isTransient(error: unknown): boolean {
  return !(error instanceof DiscordAPIError) && error instanceof Error && error.name !== "AbortError";
}

const ENTITY_TOO_LARGE = 40_005;
/** A server whose file uploads Discord has restricted for a while. */
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
