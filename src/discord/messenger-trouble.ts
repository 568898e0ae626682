// What Discord's refusals mean to whoever sends messages.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
import { DiscordAPIError, RateLimitError } from "discord.js";
import { z } from "zod";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";
import { PaceError } from "./pace.ts";

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
export function isPassing(error: Error): boolean {
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
