// What the local Discord's rules found, and what befell a call or an event. What was injected is called so, and what
// follows from it is no mistake of the bot's.
import { ACKNOWLEDGE_WITHIN_MS } from "../../discord/rules/interactions.ts";
import type { RefusedBy } from "../../discord/limits/answers.ts";
import type { LocalDiscord } from "../../discord/server.ts";
import type { GatewayNote, RestNote } from "../../discord/traffic.ts";
import type { Finding } from "../api/traffic.ts";
import { EVENT_INJECTIONS, REQUEST_INJECTIONS } from "./injected-words.ts";

const LIMITS: Readonly<Record<RefusedBy, string>> = {
  user: "This route's bucket is empty: the bot asked too often here.",
  global: "More than 50 requests in a second: the bot asked too often altogether.",
  shared: "What is asked for is limited for everybody.",
  ban: "Shut out for ten thousand invalid requests in ten minutes.",
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
  if (refusal?.code === ALREADY_ACKNOWLEDGED && isDisturbed(discord, interactionId)) {
    findings.push(
      note("40060", "Another try has come through: this one was on its way because of what was injected."),
    );
  } else if (refusal !== undefined && refusal.problems.length === 0 && refusedBy === undefined) {
    findings.push(error(String(refusal.code), refusal.summary));
  }
  for (const { code, message, path } of refusal?.problems ?? []) {
    findings.push(error(code, message, path.join(".")));
  }
  if (isRepeat) {
    findings.push(
      note("double", "Its nonce was used before: the first message was given back, no second made."),
    );
  }
  if (tookMs !== undefined && status === undefined && fault === undefined) {
    findings.push(error("lost", "The answer did not reach the bot."));
  }
  return findings;
}

/** Whether an interaction was left without a first answer for too long; decided when its time is over. */
export function isUnanswered({ state, platform }: LocalDiscord, interactionId: string): boolean {
  const interaction = state.interactions.get(interactionId);
  return (
    interaction !== undefined &&
    interaction.callbackKind === undefined &&
    platform.clock.now() - interaction.createdAtMs >= ACKNOWLEDGE_WITHIN_MS
  );
}

/** Whether anything was injected into what the bot and Discord said to each other about an interaction. */
function isDisturbed({ traffic }: LocalDiscord, interactionId: string | undefined): boolean {
  return traffic.notes.some((one) =>
    one.kind === "rest"
      ? one.interactionId === interactionId && one.record.fault !== undefined
      : one.fault !== undefined && one.name === "INTERACTION_CREATE" && idOf(one) === interactionId,
  );
}

/** Of an `INTERACTION_CREATE`. */
function idOf({ data }: GatewayNote): string {
  // What the sandbox itself said.
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
    findings.push(note("kept", "The bot is not connected: it comes with a RESUME."));
  }
  if (name === "INTERACTION_CREATE" && interactionId !== null && isUnanswered(discord, interactionId)) {
    findings.push(
      isDisturbed(discord, interactionId)
        ? note("unanswered", "No response within 3 seconds, because of what was injected.")
        : error("unanswered", "The bot did not respond within 3 seconds."),
    );
  }
  return [...findings, ...findingsOfClose(said)];
}

/** Discord closes with codes of 4000 and above where a bot broke a rule; bots with any, to come back. */
function findingsOfClose({ name, direction, fault, data }: GatewayNote): Finding[] {
  const code = /^CLOSE (4\d{3})$/.exec(name)?.[1];
  if (code === undefined || fault !== undefined) {
    return [];
  }
  if (direction === "from-bot") {
    return [note(code, "The bot closed the connection by itself; it may come back and resume.")];
  }
  // A socket's end, as it was noted.
  const { reason } = data as { readonly reason: string };
  return [error(code, reason === "" ? "The sandbox closed the connection." : reason)];
}
