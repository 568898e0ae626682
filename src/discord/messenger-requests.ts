// Sends the messenger's requests: retries them if that is safe, and turns every failure into a MessengerError.
import { DiscordAPIError, type REST, RateLimitError } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";
import { retryOnClock } from "../core/retry.ts";
import { isApiError, isFileRefusal } from "./interaction-api.ts";
import { NotSentError, type Urgency } from "./rate-limiter.ts";
import type { TrackedRequest, RateLimitedRest } from "./rate-limited-rest.ts";
import type { SendableFile } from "./reply-files.ts";

export interface RequestOptions {
  readonly verb: string;
  readonly urgency: Urgency;
  /** Repeating it could create a second message, so it is sent only while Discord is sure to know the first's nonce. */
  readonly once?: true;
  /** For how long the request may be sent and retried, in elapsed milliseconds; by default without a limit. */
  readonly expiresAfterMs?: number;
  /** Called right before each attempt: whether the request should still be sent. */
  readonly isWanted?: (() => boolean) | undefined;
  readonly files?: readonly SendableFile[];
}

/** Gets a resource of the API and parses the response. Throws MessengerError. */
export type Read = <T>(route: `/${string}`, schema: z.ZodType<T>, query?: URLSearchParams) => Promise<T>;

export type Requests = ReturnType<typeof createRequests>;

/** The person is not in the server, which is an ordinary answer. */
const UNKNOWN_MEMBER = 10_007;

/** Waits between attempts. Features try again later by themselves. */
const WAITS_MS = [1_000, 3_000, 6_000];
/** Discord remembers a nonce for "the past few minutes". */
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
      const how = { clock, waitsMs: WAITS_MS, isTransient, signal: limitedRest.leaving };
      return await retryOnClock(how, () => limitedRest.ask(tracked, request));
    } catch (error) {
      const failure = toMessengerError(error, verb, once && tracked.mayHaveArrived);
      // A message whose files are refused is sent again without them.
      if (failure.problem === "refused" && !isApiError(error, UNKNOWN_MEMBER) && !isFileRefusal(error)) {
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

/** Problems by Discord's error code. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const PROBLEMS: ReadonlyMap<number | string, MessengerProblem> = new Map<number, MessengerProblem>([
  /** Unknown Channel, Unknown Guild, Missing Access: the bot does not see the channel. */
  [10_003, "channel-gone"],
  [10_004, "channel-gone"],
  [50_001, "channel-gone"],
  [10_008, "message-gone"],
  /** Missing Permissions. */
  [50_013, "not-allowed"],
  /** A channel that accepts no messages, e.g. a forum. */
  [50_008, "not-allowed"],
  /** An archived thread, in which nothing can be changed, and a locked one. */
  [50_083, "not-allowed"],
  [160_005, "not-allowed"],
  /** A reply to a message that the bot may not read. */
  [160_002, "not-allowed"],
  /** The server's AutoMod blocked the text. */
  [200_000, "not-allowed"],
  [200_001, "not-allowed"],
  /** The person accepts no DMs, shares no server with the bot, or has left Discord. */
  [50_007, "dm-closed"],
  [50_033, "dm-closed"],
  [50_278, "dm-closed"],
  [10_013, "dm-closed"],
  /** Too many DM channels opened in a short time. */
  [40_003, "slow-down"],
  /** Discord's front end rejects requests, whatever they ask for. */
  [40_333, "unavailable"],
]);

/**
 * Whether the same request may succeed soon: after a 5xx, a lost answer, or a 429 that does not say how long to wait.
 * Unlike the function of the same name in `interaction-api.ts`, it knows the errors of the rate limiter and of parsing.
 */
function isTransient(error: Error): boolean {
  if (error instanceof RateLimitError) {
    return !(error.retryAfter > 0);
  }
  return ![DiscordAPIError, NotSentError, z.ZodError].some((lasting) => error instanceof lasting);
}

/** `verb` says what was attempted. `mayHaveArrived`: Discord may have received the request, and it matters whether it did. */
export function toMessengerError(error: unknown, verb: string, mayHaveArrived: boolean): MessengerError {
  if (error instanceof DiscordAPIError) {
    return failed(PROBLEMS.get(error.code) ?? problemOf(error), `${error.status}, ${error.code}`);
  }
  if (error instanceof RateLimitError) {
    const { scope, retryAfter } = error;
    return failed("slow-down", `a limit of scope ${scope}`, retryAfter > 0 ? retryAfter : undefined);
  }
  const why = error instanceof Error ? error.message : "an unknown failure";
  const retryAfterMs = error instanceof NotSentError ? error.retryAfterMs : undefined;
  return failed(retryAfterMs === undefined ? "unavailable" : "slow-down", why, retryAfterMs);

  /** Discord may have executed an earlier attempt, even if it has refused the last one for now. */
  function failed(problem: MessengerProblem, reason: string, afterMs?: number): MessengerError {
    const isUnknown = mayHaveArrived && (problem === "unavailable" || problem === "slow-down");
    return new MessengerError(isUnknown ? "outcome-unknown" : problem, `${verb}: ${reason}`, {
      retryAfterMs: afterMs,
      cause: error,
    });
  }
}

function problemOf({ status, code }: DiscordAPIError): MessengerProblem {
  switch (status) {
    case 401:
      return "unavailable";
    case 403:
      // Without a code, the refusal comes from Discord's front end, not from the server's permissions.
      return code ? "not-allowed" : "unavailable";
    default:
      return "refused";
  }
}
