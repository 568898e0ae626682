// How the messenger asks Discord: repeated where that is safe, and with every failure worded once.
import { DiscordAPIError, type REST, RateLimitError } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";
import { retryOnClock } from "../core/retry.ts";
import { isApiError } from "./interaction-api.ts";
import { NotSentError, type Urgency } from "./rate-limiter.ts";
import type { TrackedRequest, RateLimitedRest } from "./rate-limited-rest.ts";
import type { SendableFile } from "./reply-files.ts";

export interface RequestOptions {
  readonly verb: string;
  readonly urgency: Urgency;
  /** A second message would be visible: sent, and repeated, only while Discord surely knows the nonce of the first. */
  readonly once?: true;
  /** For how long it may be sent and repeated, in elapsed time; default as long as one likes. */
  readonly expiresAfterMs?: number;
  /** Asked right before it is sent, or repeated: whether it may still be. */
  readonly isWanted?: (() => boolean) | undefined;
  readonly files?: readonly SendableFile[];
}

/** Asks for a part of the API and reads the answer. Throws MessengerError. */
export type Read = <T>(route: `/${string}`, schema: z.ZodType<T>, query?: URLSearchParams) => Promise<T>;

export type Requests = ReturnType<typeof createRequests>;

/** Somebody is not in a server: an answer like any other. */
const UNKNOWN_MEMBER = 10_007;

/** Waits before further attempts. Features send again later by themselves. */
const WAITS_MS = [1_000, 3_000, 6_000];
/** Discord knows a nonce for "the past few minutes". */
const NONCE_LIFE_MS = 2 * 60_000;

export function createRequests(deps: {
  readonly limitedRest: RateLimitedRest;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { limitedRest, clock, log } = deps;

  async function ask<T>(options: RequestOptions, request: (rest: REST) => Promise<T>): Promise<T> {
    const { verb, urgency, once = false, files = [] } = options;
    const expiresAfterMs = once ? NONCE_LIFE_MS : options.expiresAfterMs;
    if (limitedRest.isTokenRefused()) {
      throw new MessengerError("unavailable", `${verb}: Discord does not take the token`);
    }
    const tracked: TrackedRequest = {
      urgency,
      sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      deadlineMs: expiresAfterMs === undefined ? undefined : clock.elapsed() + expiresAfterMs,
      isWanted: options.isWanted,
      mayHaveArrived: false,
    };
    try {
      return await retryOnClock(
        {
          clock,
          waitMs: (error, attempt) => (isTransient(error) ? WAITS_MS[attempt - 1] : undefined),
          signal: limitedRest.leaving,
        },
        () => limitedRest.ask(tracked, request),
      );
    } catch (error) {
      const failure = toMessengerError(error, verb, once && tracked.mayHaveArrived);
      if (failure.problem === "refused" && !isApiError(error, UNKNOWN_MEMBER)) {
        log.error({ error, verb }, "Discord refused what the bot sent");
      }
      throw failure;
    }
  }

  return {
    /** Throws MessengerError. `request` is called for each attempt. */
    ask,
    reader:
      (verb: string): Read =>
      (route, schema, query) =>
        ask({ verb, urgency: "prompt" }, async (rest) =>
          schema.parse(await rest.get(route, query ? { query } : {})),
        ),
  };
}

/** By Discord's code. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const PROBLEMS: ReadonlyMap<number | string, MessengerProblem> = new Map<number, MessengerProblem>([
  /** Unknown Channel, Unknown Guild, Missing Access: it does not see the channel. */
  [10_003, "channel-gone"],
  [10_004, "channel-gone"],
  [50_001, "channel-gone"],
  [10_008, "message-gone"],
  /** Missing Permissions. */
  [50_013, "not-allowed"],
  /** A channel that takes no messages, e.g. a forum. */
  [50_008, "not-allowed"],
  /** An archived thread, whose messages cannot be changed, and a locked one. */
  [50_083, "not-allowed"],
  [160_005, "not-allowed"],
  /** A reply to what the bot may not read. */
  [160_002, "not-allowed"],
  /** The server's own rules for words held it back. */
  [200_000, "not-allowed"],
  [200_001, "not-allowed"],
  /** The person takes none, shares no server with the bot, or has left Discord. */
  [50_007, "dm-closed"],
  [50_033, "dm-closed"],
  [50_278, "dm-closed"],
  [10_013, "dm-closed"],
  /** Too many conversations opened at once. */
  [40_003, "slow-down"],
  /** Discord's front turns requests away, whatever is asked. */
  [40_333, "unavailable"],
]);

/**
 * Whether the same request may succeed soon: a 5xx, a lost answer, or a 429 that does not say until when.
 * Unlike the one for interactions (`interaction-api.ts`), it knows the limiter and answers that are parsed.
 */
function isTransient(error: Error): boolean {
  if (error instanceof RateLimitError) {
    return !(error.retryAfter > 0);
  }
  return ![DiscordAPIError, NotSentError, z.ZodError].some((lasting) => error instanceof lasting);
}

/** `verb` is what was tried. `mayHaveArrived`: Discord may have received it, and it matters whether it did. */
export function toMessengerError(error: unknown, verb: string, mayHaveArrived: boolean): MessengerError {
  if (error instanceof DiscordAPIError) {
    return failed(PROBLEMS.get(error.code) ?? problemOf(error), `${error.status}, ${error.code}`);
  }
  if (error instanceof RateLimitError) {
    // Discord tells seconds with fractions.
    const retryAfter = Math.ceil(error.retryAfter);
    return failed("slow-down", `a limit of scope ${error.scope}`, retryAfter > 0 ? retryAfter : undefined);
  }
  const why = error instanceof Error ? error.message : "an unknown failure";
  if (error instanceof NotSentError && error.retryAfterMs !== undefined && !mayHaveArrived) {
    return failed("slow-down", why, error.retryAfterMs);
  }
  return failed(mayHaveArrived ? "outcome-unknown" : "unavailable", why);

  function failed(problem: MessengerProblem, reason: string, retryAfterMs?: number): MessengerError {
    return new MessengerError(problem, `${verb}: ${reason}`, { retryAfterMs, cause: error });
  }
}

function problemOf({ status, code }: DiscordAPIError): MessengerProblem {
  switch (status) {
    case 401:
      return "unavailable";
    case 403:
      // Without a code it is Discord's front that says no, and nobody in the server.
      return code ? "not-allowed" : "unavailable";
    default:
      return "refused";
  }
}
