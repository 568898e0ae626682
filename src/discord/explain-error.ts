// Every failure as one sentence that a person understands and can act on. Never a key, a URL or a stack.
import { randomBytes } from "node:crypto";
import { ServiceError, type ServiceErrorKind, UserError, isShareSpent } from "../core/errors.ts";
import type { Log } from "../core/log.ts";

const SERVICE_NAMES: Readonly<Record<string, string>> = {
  transport: "The train data service",
  style: "The picture service",
  video: "The video service",
  storage: "My memory",
};

/** A new kind does not compile without a sentence. `who` begins the sentence. */
const SENTENCES: Readonly<Record<ServiceErrorKind, (who: string, error: ServiceError) => string>> = {
  unavailable: (who, { reason }) =>
    reason === undefined
      ? `${who} cannot be reached just now. Please try again in a few minutes.`
      : `${reason === "disk full" ? "My disk is full" : "My memory has a fault"}, so I cannot save anything just now. Please tell the person who runs this bot.`,
  timeout: (who) => `${who} took too long to answer. Please try again in a moment.`,
  "rate-limited": (who, { retryAfterMs }) =>
    `${who} is busy and asks me to slow down. Please try again ${formatWait(retryAfterMs)}.`,
  "out-of-credit": (who) =>
    `${who} has no credit left for this bot. Please tell the person who runs it: they can top it up.`,
  "budget-spent": (who, { service, reason, retryAfterMs }) => {
    const share = `share of the ${service === "style" ? "pictures" : "train data"}`;
    const wait = formatWait(retryAfterMs);
    if (reason === "own-share") {
      return `You've used your ${share} for now. Try again ${wait}.`;
    }
    return reason === "server-share"
      ? `People here have used their ${share} for now. Try again ${wait}.`
      : `${who} has given this bot all the answers its plan allows for now. Please try again ${wait}.`;
  },
  rejected: (who) => `${who} did not accept that. Please check what you entered and try again.`,
  "not-found": (who) => `${who} knows nothing by that name. Please check it and try another.`,
  "not-permitted": (who) => `${who} does not allow this bot to do that. Please tell the person who runs it.`,
  unauthorised: (who) =>
    `${who} does not accept this bot's credentials. Please tell the person who runs it: they need renewing.`,
  "unexpected-answer": (who) =>
    `${who} answered in a way I do not understand. Please try again later, and tell the person who runs this bot if it goes on.`,
  "too-large": (who) => `That is more than ${lowerFirst(who)} can handle. Please try something smaller.`,
  "outcome-unknown": (who) =>
    `${who} never said whether that worked. Please look before you try again, so that it does not happen twice.`,
  aborted: () => "That was stopped before it was done. You can start it again whenever you like.",
};

/** What a feature has to say of a failure in particular; `undefined` where the general sentence will do. */
export type Explain = (error: ServiceError) => string | undefined;

/** Explains whatever was thrown; features are asked first. `createReference` is asked only for a bug. */
export function explainError(
  error: unknown,
  explain: Explain,
  createReference: () => string,
): {
  readonly sentence: string;
  /** Set for a bug: what the person can quote and the log shows. */
  readonly reference?: string;
} {
  if (error instanceof UserError) {
    return { sentence: error.message };
  }
  if (error instanceof ServiceError) {
    const who = SERVICE_NAMES[error.service] ?? "The service behind this";
    return { sentence: explain(error) ?? SENTENCES[error.kind](who, error) };
  }
  const reference = createReference();
  return {
    reference,
    sentence: `Something went wrong on my side. Please try again; if it goes on, tell the person who runs this bot and give them the reference \`${reference}\`.`,
  };
}

function formatWait(waitMs: number | undefined): string {
  if (waitMs === undefined) {
    return "in a little while";
  }
  const minutes = Math.ceil(waitMs / 60_000);
  if (minutes <= 1) {
    return "in a minute";
  }
  const hours = Math.round(minutes / 60);
  if (hours >= 48) {
    return `in about ${Math.round(hours / 24)} days`;
  }
  return minutes < 90 ? `in about ${minutes} minutes` : `in about ${hours} hours`;
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

/** Thrown where the server does not let a person use a command. */
export function notForEveryone(): UserError {
  return new UserError(
    "That is for people with more rights in this server. Please ask one of its moderators.",
  );
}

/** Thrown where a command is for the application's owner and team. */
export function ownerOnly(): UserError {
  return new UserError("Only the people who run this bot can use that, and only in a direct message to it.");
}

/** Logs a failure of `task`, unless it is for the person to put right or logged already; returns the sentence for them. */
export function reportFailure(log: Log, error: unknown, task: string, explain: Explain): string {
  const { sentence, reference } = explainError(error, explain, () => randomBytes(4).toString("hex"));
  if (reference !== undefined) {
    log.error({ error, reference, task }, "command failed");
  } else if (!(error instanceof UserError) && !isShareSpent(error)) {
    log.warn({ error, task }, "command failed by a service");
  }
  return sentence;
}
