// The errors the program knows. Anything else that is thrown is a bug.
/** Why somebody is refused, for monitoring: mostly because of what they typed or chose. */
export type RefusalReason =
  | "input"
  /** Too much is under way, or waits already. */
  | "busy"
  /** Somebody else has changed it meanwhile. */
  | "overtaken"
  /** They may not do that. */
  | "permission"
  /** The operator has not allowed the bot there. */
  | "not-allowed-here"
  /** A command or a button of an older version, or one whose time is over. */
  | "outdated";

/** The person can put it right; `message` is shown to them as it stands. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = "input", options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Somebody else was first. `now`: a mark of what they made of it, of which the person is told. */
export class ConflictError extends UserError {
  readonly current: string;

  constructor(message: string, current: string) {
    super(message, "overtaken");
    this.current = current;
  }
}

/** Why a service could not do what was asked. Decide by this word, never by a message. */
export type ServiceErrorKind =
  /** It cannot be reached, or answers 5xx. */
  | "unavailable"
  | "timeout"
  /** It asks us to slow down; `retryAfterMs` says for how long where it is known. */
  | "rate-limited"
  /** The account behind the key has no credit left. */
  | "out-of-credit"
  /** The plan's allowance is used up, by our own count or by the service's word. */
  | "budget-spent"
  /** It understood the request and refuses its content. */
  | "rejected"
  /** What was asked for does not exist there. */
  | "not-found"
  /** The credentials are good but do not allow this. */
  | "not-permitted"
  /** The credentials are missing, wrong or expired. */
  | "unauthorised"
  /** Its answer has a shape we do not know; the message names the path. */
  | "unexpected-answer"
  /** Its answer, or what was to be sent, passes a limit of bytes. */
  | "too-large"
  /** A write may or may not have happened: look, do not send it again. */
  | "outcome-unknown"
  /** We gave up on purpose. */
  | "aborted";

/** Why the disk below the database cannot be used. It lasts until somebody repairs it on the machine. */
export type DiskProblem = "disk full" | "i/o error" | "read-only" | "damaged";

/** Whose share of a plan is used up, although the plan is not: the person's, or that of the server where they ask. */
export type SpentShare = "own-share" | "server-share";

export interface ServiceErrorDetails {
  /** Set where the bot's own database is `unavailable` because of its disk, and where `budget-spent` is about a share. */
  readonly reason?: DiskProblem | SpentShare | undefined;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** How long the service asks us to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The service's own name for the request. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** What members are told failed, as a sentence begins. */
export const SERVICE_NAMES: Readonly<Record<string, string>> = {
  transport: "The train data service",
  "rail-data": "National Rail",
  tfl: "Transport for London",
  style: "The style service",
  video: "The video service",
  storage: "My database",
};

/** An upstream service failed. `message` is for logs and holds no secret and no URL. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly service: string;
  readonly kind: ServiceErrorKind;
  readonly reason: DiskProblem | SpentShare | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;

  constructor(service: string, kind: ServiceErrorKind, message: string, details: ServiceErrorDetails = {}) {
    super(
      `${service}: ${kind}: ${message}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.service = service;
    this.kind = kind;
    this.reason = details.reason;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
  }
}

/** Returns the result of `work`, or of `instead` if a service fails in one of these ways. */
export async function recover<T, U>(
  work: Promise<T>,
  kinds: readonly ServiceErrorKind[],
  instead: (error: ServiceError) => U | Promise<U>,
): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && kinds.includes(error.kind)) {
      return instead(error);
    }
    throw error;
  }
}

/** Whether it is about a person's or a server's share of a plan: others may get what these do not. */
export function isShareSpent(error: unknown): error is ServiceError & { readonly reason: SpentShare } {
  return error instanceof ServiceError && error.kind === "budget-spent" && error.reason !== undefined;
}

/** The environment cannot be used. Thrown at start only, with every problem at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** One sentence each, beginning with the variable's name. */
  readonly problems: readonly string[];
  /** Whether another start may work although nobody changes a setting. */
  readonly mayPass: boolean;
  /** Whether it is about a database whose file is damaged. */
  readonly isDamaged: boolean;

  constructor(
    problems: readonly string[],
    options: ErrorOptions & { readonly mayPass?: boolean; readonly isDamaged?: boolean } = {},
  ) {
    super(problems.join("\n"), options);
    this.problems = problems;
    this.mayPass = options.mayPass === true;
    this.isDamaged = options.isDamaged === true;
  }
}

/** Another start may work. */
export const EXIT_FAILURE = 1;

/** EX_CONFIG of sysexits.h: another start would fail in the same way, until somebody changes a setting. */
export const EXIT_CONFIG = 78;

/** What a bot that cannot go on ends with. */
export type FailureCode = typeof EXIT_FAILURE | typeof EXIT_CONFIG;

export interface Failure {
  /** Sentences for the person who runs it. */
  readonly reason: string;
  readonly exitCode: FailureCode;
}
