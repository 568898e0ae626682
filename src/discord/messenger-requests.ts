// How the messenger asks Discord: repeated where that is safe, and with every failure worded once.
import { DiscordAPIError, type REST, RateLimitError } from "discord.js";
import { z } from "zod";
import retry from "p-retry";
import { type Clock, sleep } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";
import { PaceError, type Urgency } from "./pace.ts";
import type { Errand, PacedRest } from "./paced-rest.ts";
import type { SendableFile } from "./reply-files.ts";

/** How something is asked. */
export interface Manner {
  /** For messages and the log, e.g. `post`. */
  readonly verb: string;
  readonly urgency: Urgency;
  /** A second one would be seen: it is sent, and repeated, only while Discord would know the other's nonce. */
  readonly once?: true;
  /** For how long it may be sent and repeated, in elapsed time; default as long as one likes. */
  readonly lastsMs?: number;
  readonly files?: readonly SendableFile[];
}

/** Asks for a part of the API and reads the answer. Throws MessengerError. */
export type Read = <T>(route: `/${string}`, schema: z.ZodType<T>, query?: URLSearchParams) => Promise<T>;

export interface Requests {
  /** Throws MessengerError. `request` is called for each try. */
  readonly ask: <T>(manner: Manner, request: (rest: REST) => Promise<T>) => Promise<T>;
  readonly reader: (verb: string) => Read;
}

/** Waits before further tries. Whoever sends messages comes again after the last one. */
const WAITS_MS = [1_000, 3_000, 6_000];
/** Discord knows a nonce for "the past few minutes". */
const NONCE_LIFE_MS = 2 * 60_000;

export function createRequests({
  paced,
  clock,
  log,
}: {
  readonly paced: PacedRest;
  readonly clock: Clock;
  readonly log: Log;
}): Requests {
  async function ask<T>(manner: Manner, request: (rest: REST) => Promise<T>): Promise<T> {
    const { verb, urgency, once = false, files = [] } = manner;
    const lastsMs = once ? NONCE_LIFE_MS : manner.lastsMs;
    if (paced.isTokenRefused()) {
      throw new MessengerError("unavailable", `${verb}: Discord does not take the token`);
    }
    const errand: Errand = {
      urgency,
      sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      latestMs: lastsMs === undefined ? undefined : clock.elapsed() + lastsMs,
      repeatableForMs: once ? NONCE_LIFE_MS : undefined,
      heardMs: undefined,
    };
    try {
      return await insist(
        { clock, waitsMs: WAITS_MS, isPassing: isPassingTrouble, signal: paced.leaving },
        () => paced.ask(errand, request),
      );
    } catch (error) {
      const trouble = explainTrouble(error, verb, once && errand.heardMs !== undefined);
      if (trouble.problem === "refused") {
        log.error({ error, verb }, "Discord refused what the bot sent");
      }
      throw trouble;
    }
  }

  return {
    ask,
    reader: (verb) => (route, schema, query) =>
      ask({ verb, urgency: "prompt" }, async (rest) =>
        schema.parse(await rest.get(route, query ? { query } : {})),
      ),
  };
}

// What Discord's refusals mean to whoever sends messages.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json

/** By Discord's code. */
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

/** Whether the same request may succeed a moment later: a 5xx, a lost answer, or a 429 that does not say until when. */
function isPassingTrouble(error: Error): boolean {
  if (error instanceof RateLimitError) {
    return !(error.retryAfter > 0);
  }
  return ![DiscordAPIError, PaceError, z.ZodError].some((lasting) => error instanceof lasting);
}

/**
 * Words a failure. `verb` is what was tried. `inDoubt`: Discord may have heard of it, and it matters whether it did.
 */
export function explainTrouble(error: unknown, verb: string, inDoubt: boolean): MessengerError {
  const { problem, retryAfterMs, why } = findProblem(error, inDoubt);
  return new MessengerError(problem, `${verb}: ${why}`, { retryAfterMs, cause: error });
}

function findProblem(
  error: unknown,
  inDoubt: boolean,
): { readonly problem: MessengerProblem; readonly retryAfterMs?: number | undefined; readonly why: string } {
  if (error instanceof DiscordAPIError) {
    const problem = PROBLEMS.get(error.code) ?? problemOf(error);
    return { problem, why: `${error.status}, ${error.code}` };
  }
  if (error instanceof RateLimitError) {
    // Discord tells seconds with fractions.
    const retryAfter = Math.ceil(error.retryAfter);
    return {
      problem: "slow-down",
      retryAfterMs: retryAfter > 0 ? retryAfter : undefined,
      why: `a limit of scope ${error.scope}`,
    };
  }
  const why = error instanceof Error ? error.message : "an unknown failure";
  if (error instanceof PaceError && error.retryAfterMs !== undefined && !inDoubt) {
    return { problem: "slow-down", retryAfterMs: error.retryAfterMs, why };
  }
  return { problem: inDoubt ? "outcome-unknown" : "unavailable", why };
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

// Sends again what may be sent again: later each time, on the clock.

export interface Insistence {
  readonly clock: Clock;
  /** How long to wait before each further try. */
  readonly waitsMs: readonly number[];
  /** Whether the same request may succeed a moment later. */
  readonly isPassing: (error: Error) => boolean;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Sends until it succeeds or there is no point; the last try's error is thrown. */
export function insist<T>(
  { clock, waitsMs, isPassing, signal }: Insistence,
  send: () => Promise<T>,
): Promise<T> {
  return retry(send, {
    retries: waitsMs.length,
    // p-retry counts; the waiting is ours, on the clock.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const waitMs = waitsMs[attemptNumber - 1];
      if (waitMs === undefined || !isPassing(error)) {
        throw error;
      }
      if (waitMs > 0) {
        await sleep(clock, waitMs, signal);
      }
    },
  });
}
