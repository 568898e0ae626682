// What the local Discord's rules found, and what befell a call or an event.
import { ACKNOWLEDGE_WITHIN_MS } from "../../discord/rules/interactions.ts";
import type { RefusedBy } from "../../discord/limits/answers.ts";
import type { LocalDiscord } from "../../discord/server.ts";
import type { GatewayNote, RestNote } from "../../discord/traffic.ts";
import type { Finding } from "../api.ts";

const LIMITS: Readonly<Record<RefusedBy, string>> = {
  user: "This route's bucket is empty: the bot asked too often here.",
  global: "More than 50 requests in a second: the bot asked too often altogether.",
  shared: "What is asked for is limited for everybody.",
  ban: "Shut out for ten thousand invalid requests in ten minutes.",
};

const error = (code: string, message: string, place: string | null = null): Finding => ({
  severity: "error",
  code,
  message,
  place,
});

const note = (code: string, message: string): Finding => ({ severity: "note", code, message, place: null });

export function findingsOfRequest({ record, tookMs }: RestNote): Finding[] {
  const { fault, refusedBy, refusal, isRepeat, status } = record;
  const findings: Finding[] = [];
  if (fault !== undefined) {
    findings.push(note("fault", `Met the fault ${fault}.`));
  }
  if (refusedBy !== undefined) {
    findings.push(error("429", LIMITS[refusedBy]));
  } else if (refusal !== undefined && refusal.problems.length === 0) {
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
  if (tookMs !== undefined && status === undefined) {
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

const GATEWAY_FAULTS = {
  drop: error("lost", "Met a fault: it was not sent, and comes only with a RESUME."),
  delay: note("fault", "Met a fault: it was sent late."),
  duplicate: note("fault", "Met a fault: it was sent twice."),
} as const;

export function findingsOfEvent(
  discord: LocalDiscord,
  { name, direction, fault, isKept, data }: GatewayNote,
  interactionId: string | null,
): Finding[] {
  const findings: Finding[] = [];
  if (fault !== undefined) {
    findings.push(GATEWAY_FAULTS[fault]);
  }
  if (isKept) {
    findings.push(note("kept", "The bot is not connected: it comes with a RESUME."));
  }
  if (name === "INTERACTION_CREATE" && interactionId !== null && isUnanswered(discord, interactionId)) {
    findings.push(error("unanswered", "The bot did not respond within 3 seconds."));
  }
  if (name.startsWith("CLOSE 4") && direction === "from-bot") {
    // A socket's end, as it was noted.
    const { reason } = data as { reason: string };
    findings.push(error(name.replace("CLOSE ", ""), reason === "" ? "The socket was closed." : reason));
  }
  return findings;
}
