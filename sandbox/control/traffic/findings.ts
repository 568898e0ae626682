// Findings about a call or an event: which rule of Discord it broke, and what happened to it. An injected fault is named
// as such, and its consequences are not reported as the bot's errors.
import { ACKNOWLEDGE_WITHIN_MS } from "../../discord/rules/interactions.ts";
import type { RefusedBy } from "../../discord/limits/answers.ts";
import type { LocalDiscord } from "../../discord/server.ts";
import type { GatewayNote, RestNote, GatewayPayload } from "../../discord/traffic.ts";
import type { Finding } from "../api/traffic.ts";
import type { DiscordFaultKind } from "../../discord/fault-answers.ts";

const REQUEST_INJECTIONS: Readonly<Record<DiscordFaultKind, string>> = {
  "500": "A server error was injected: nothing was done.",
  "500-after": "It was done, but an injected server error replaced the answer.",
  drop: "The connection was cut on purpose: nothing was done.",
  "drop-after": "It was done, but the connection was cut on purpose before the answer.",
  hang: "Held back on purpose: nothing is done or answered.",
  "hang-after": "It was done, but the answer is held back on purpose.",
  slow: "It was slowed down on purpose.",
  "401": "This refusal of the token was injected: the token is good.",
  "429": "This rate limit was injected: the bot did nothing wrong.",
  "429-global": "This global rate limit was injected: the bot did nothing wrong.",
  "429-shared": "This shared rate limit was injected: the bot did nothing wrong.",
  malformed: "It was done, but the answer was garbled on purpose.",
  truncated: "It was done, but the answer was cut short on purpose.",
};

const EVENT_INJECTIONS: Readonly<Record<NonNullable<GatewayPayload["fault"]>, string>> = {
  drop: "It was lost on purpose: it arrives only after a RESUME.",
  delay: "It was sent late on purpose.",
  duplicate: "It was sent twice on purpose.",
  "on-demand": "It was injected: the bot didn't cause it.",
};

const LIMITS: Readonly<Record<RefusedBy, string>> = {
  user: "This route's bucket is empty: the bot sent too many requests here.",
  global: "More than 50 requests in a second: the bot sent too many overall.",
  shared: "This is rate-limited for everybody.",
  ban: "Blocked after ten thousand invalid requests in ten minutes.",
};
const ALREADY_ACKNOWLEDGED = 40_060;

const error = (code: string, message: string, place: string | null = null): Finding => ({
  severity: "error",
  code,
  message,
  place,
});

const note = (code: string, message: string): Finding => ({ severity: "note", code, message, place: null });

export function findingsOfRequest(
  discord: LocalDiscord,
  { record, tookMs, interactionId }: RestNote,
): Finding[] {
  const { fault, refusedBy, refusal, isRepeat, status } = record;
  const findings: Finding[] = [];
  if (fault !== undefined) {
    findings.push(note("injected", REQUEST_INJECTIONS[fault]));
  } else if (refusedBy !== undefined) {
    findings.push(error("429", LIMITS[refusedBy]));
  }
  if (refusal?.code === ALREADY_ACKNOWLEDGED && hasInjectedFault(discord, interactionId)) {
    findings.push(
      note("40060", "Another attempt succeeded. The bot sent this one only because of an injected fault."),
    );
  } else if (refusal !== undefined && refusal.problems.length === 0 && refusedBy === undefined) {
    findings.push(error(String(refusal.code), refusal.summary));
  }
  for (const { code, message, path } of refusal?.problems ?? []) {
    findings.push(error(code, message, path.join(".")));
  }
  if (isRepeat) {
    findings.push(
      note(
        "double",
        "Its nonce was used before, so the first message was returned and no second one was created.",
      ),
    );
  }
  if (tookMs !== undefined && status === undefined && fault === undefined) {
    findings.push(error("lost", "The answer didn't reach the bot."));
  }
  return findings;
}

/** Whether the time for an interaction's first answer has passed without one. */
export function isUnanswered({ state, platform }: LocalDiscord, interactionId: string): boolean {
  const interaction = state.interactions.get(interactionId);
  return (
    interaction !== undefined &&
    interaction.callbackKind === undefined &&
    platform.clock.now() - interaction.createdAtMs >= ACKNOWLEDGE_WITHIN_MS
  );
}

function hasInjectedFault({ traffic }: LocalDiscord, interactionId: string | undefined): boolean {
  return traffic.notes.some((one) =>
    one.kind === "rest"
      ? one.interactionId === interactionId && one.record.fault !== undefined
      : one.fault !== undefined && one.name === "INTERACTION_CREATE" && idOf(one) === interactionId,
  );
}

function idOf({ data }: GatewayNote): string {
  // The sandbox itself sent this.
  return (data as { readonly id: string }).id;
}

export function findingsOfEvent(
  discord: LocalDiscord,
  said: GatewayNote,
  interactionId: string | null,
): Finding[] {
  const { name, fault, isKept } = said;
  const findings: Finding[] = [];
  if (fault !== undefined) {
    findings.push(note("injected", EVENT_INJECTIONS[fault]));
  }
  if (isKept) {
    findings.push(note("kept", "The bot isn't connected: this arrives after a RESUME."));
  }
  if (name === "INTERACTION_CREATE" && interactionId !== null && isUnanswered(discord, interactionId)) {
    findings.push(
      hasInjectedFault(discord, interactionId)
        ? note("unanswered", "No response within 3 seconds, because of an injected fault.")
        : error("unanswered", "The bot didn't respond within 3 seconds."),
    );
  }
  return [...findings, ...findingsOfClose(said)];
}

/** Discord closes with codes from 4000 if the bot broke a rule; a bot may use any of them to close and come back. */
function findingsOfClose({ name, direction, fault, data }: GatewayNote): Finding[] {
  const code = /^CLOSE (4\d{3})$/.exec(name)?.[1];
  if (code === undefined || fault !== undefined) {
    return [];
  }
  if (direction === "from-bot") {
    return [note(code, "The bot closed the connection. It may come back and resume.")];
  }
  // The traffic log stores a close with its reason.
  const { reason } = data as { readonly reason: string };
  return [error(code, reason === "" ? "The sandbox closed the connection." : reason)];
}
