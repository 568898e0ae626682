// Explains every failure in a sentence that a person can act on. It never contains a key, a URL or a stack.
import { DiscordAPIError } from "discord.js";
import { currentTrace } from "../core/asker.ts";
import {
  SERVICE_NAMES,
  ServiceError,
  type ServiceErrorKind,
  UserError,
  isShareSpent,
} from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";
import type { AnswerOutcome, Meter } from "../core/meter.ts";
import { formatRoughly } from "../time/words.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** A new kind does not compile without a sentence. `who` is the service's name at the beginning of a sentence. */
const SENTENCES: Readonly<Record<ServiceErrorKind, (who: string, error: ServiceError) => string>> = {
  unavailable: (who, { reason }) =>
    reason === undefined
      ? `I can't reach ${withinSentence(who)} right now. Please try again in a few minutes.`
      : `${reason === "disk full" ? "My disk is full" : "My database has a fault"}, so I can't save anything right now. Please tell the person who runs this bot.`,
  timeout: (who) => `${who} took too long to answer. Please try again in a moment.`,
  "rate-limited": (who, { retryAfterMs }) => `${who} is busy. Please try again ${formatWait(retryAfterMs)}.`,
  "out-of-credit": (who) =>
    `This bot has run out of credit with ${withinSentence(who)}. Please ask the person who runs it to top it up.`,
  "budget-spent": (_, { service, reason, retryAfterMs }) => {
    const what = service === "style" ? "pictures" : "train data";
    const share = `share of the ${what}`;
    const wait = formatWait(retryAfterMs);
    if (reason === "own-share") {
      return `You've used your ${share} for now. Try again ${wait}.`;
    }
    return reason === "server-share"
      ? `This server has used its ${share} for now. Try again ${wait}.`
      : `This bot has used up its ${what} for now. Try again ${wait}.`;
  },
  rejected: (who) => `${who} didn't accept that. Please check what you entered and try again.`,
  "not-found": (who) => `${who} couldn't find that. Please check the name and try again.`,
  "not-permitted": (who) => `${who} doesn't let this bot do that. Please tell the person who runs it.`,
  unauthorised: (who) =>
    `${who} doesn't accept this bot's credentials. Please ask the person who runs it to renew them.`,
  "unexpected-answer": (who) =>
    `${who} sent an answer I don't understand. Please try again later. If it keeps happening, tell the person who runs this bot.`,
  "too-large": (who) => `That's more than ${withinSentence(who)} can handle. Please try something smaller.`,
  "outcome-unknown": (who) =>
    `${who} never said whether that worked. Please check before you try again, so it doesn't happen twice.`,
  aborted: () => "That was stopped before it finished. You can start it again whenever you like.",
};

/** A feature's own sentence for a failure; `undefined` if the general sentence is good enough. */
export type Explain = (error: ServiceError) => string | undefined;

/** A feature's own sentence takes precedence. For a bug, the sentence contains the reference to quote. */
export function explainError(error: unknown, explain: Explain, reference: string): string {
  if (error instanceof UserError) {
    return error.message;
  }
  const failure = asServiceError(error);
  if (failure !== undefined) {
    const who = SERVICE_NAMES[failure.service] ?? "The service";
    return explain(failure) ?? SENTENCES[failure.kind](who, failure);
  }
  return `Something went wrong on my side. Please try again. If it keeps happening, give the person who runs this bot the reference \`${reference}\`.`;
}

const KINDS: Partial<Record<MessengerProblem, ServiceErrorKind>> = {
  unavailable: "unavailable",
  "slow-down": "rate-limited",
  "outcome-unknown": "outcome-unknown",
};

/** A service's failure, also one of Discord's. `undefined` for a bug, e.g. a message that Discord refuses. */
function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) {
    return error;
  }
  if (error instanceof MessengerError) {
    const { problem, retryAfterMs } = error;
    const kind = KINDS[problem];
    return kind && new ServiceError("discord", kind, problem, { retryAfterMs, cause: error });
  }
  const explained = explainRefusal(error);
  return explained instanceof ServiceError ? explained : undefined;
}

function formatWait(waitMs: number | undefined): string {
  if (waitMs === undefined) {
    return "in a little while";
  }
  const minutes = Math.ceil(waitMs / 60_000);
  return minutes <= 1 ? "in a minute" : `in about ${formatRoughly(minutes)}`;
}

/** The name for use within a sentence; names such as “National Rail” stay unchanged. */
function withinSentence(text: string): string {
  return text.replace(/^(?:The|My) /, (word) => word.toLowerCase());
}

/** For people who may not do something, by what is in the way. */
export const NOT_ALLOWED = {
  permission: "You don't have permission to do that in this server. Please ask a moderator.",
  ownerOnly: "Only the people who run this bot can use that, and only in a direct message to it.",
  timeout:
    "You're timed out in this server, so I can't do that for you here. Please try again when your timeout is over.",
} as const;

/** Returns the sentence for the person. The reference in it is the id in each log line about the interaction. */
export function reportFailure(log: Log, error: unknown, task: string, explain: Explain): string {
  const failure = asServiceError(error);
  if (failure !== undefined) {
    if (!isShareSpent(failure)) {
      log.warn({ error, task }, "command failed by a service");
    }
  } else if (!(error instanceof UserError)) {
    log.error({ error, task }, "command failed");
  }
  return explainError(error, explain, currentTrace()?.id ?? "unknown");
}

export interface Answered {
  readonly task: string;
  readonly outcome: AnswerOutcome;
  readonly error?: unknown;
}

export function noteAnswer(
  { log, meter }: { readonly log: Log; readonly meter: Meter },
  { task, outcome, error }: Answered,
  {
    guild,
    milliseconds,
    ...who
  }: {
    readonly guild: string | undefined;
    readonly user: string;
    readonly channel: string | undefined;
    readonly milliseconds: number;
  },
): void {
  const { calls = 0, hits = 0 } = currentTrace() ?? {};
  const reason = outcome === "answered" ? undefined : reasonOf(error);
  const cost = { milliseconds, calls, cached: calls === 0 && hits > 0 };
  log.info(
    { task, guild, outcome, reason, ...(outcome === "refused" && who), ...cost },
    `interaction ${outcome}`,
  );
  meter.count("answers_total", { task, outcome });
  meter.time("answer_duration_seconds", { task }, milliseconds);
  if (reason !== undefined) {
    meter.count("refusals_total", { reason });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UserError) {
    return error.reason;
  }
  const failure = asServiceError(error);
  if (failure !== undefined && failure.service !== "discord") {
    return isShareSpent(failure) ? failure.reason : failure.kind;
  }
  const isDiscords =
    failure !== undefined || error instanceof DiscordAPIError || error instanceof MessengerError;
  return isDiscords ? "discord" : "bug";
}
