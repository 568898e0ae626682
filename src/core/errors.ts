// The errors that the program expects. Any other error is a bug.
/** Why a request was refused, as a label for monitoring. Usually `input`: something that the person typed or chose. */
export type RefusalReason =
  | "input"
  /** Too much work is in progress or already waiting. */
  | "busy"
  /** Somebody else has changed it in the meantime. */
  | "overtaken"
  | "permission"
  /** The operator has not allowed the bot in this server. */
  | "not-allowed-here"
  /** A command or a button of an older version, or one that has expired. */
  | "outdated";

/** The person can fix it; `message` is shown to them unchanged. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = "input", options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Somebody else has saved a change first. `current` identifies the version that the person is told about. */
export class ConflictError extends UserError {
  readonly current: string;

  constructor(message: string, current: string) {
    super(message, "overtaken");
    this.current = current;
  }
}

/** Why a request to a service failed. Decide by this kind, never by a message. */
export type ServiceErrorKind =
  /** The service cannot be reached, or answers 5xx. */
  | "unavailable"
  | "timeout"
  /** The service asks for fewer requests. `retryAfterMs` says how long to wait, if known. */
  | "rate-limited"
  | "out-of-credit"
  /** The plan's allowance is used up, by the bot's count or according to the service. */
  | "budget-spent"
  /** The service understood the request and rejects its content. */
  | "rejected"
  | "not-found"
  /** The credentials are valid but do not allow this. */
  | "not-permitted"
  /** The credentials are missing, wrong or expired. */
  | "unauthorised"
  /** The answer has an unknown shape; the message contains the path. */
  | "unexpected-answer"
  /** The answer or the request exceeds a size limit. */
  | "too-large"
  /** A write may or may not have happened: reconcile it, and do not send it again. */
  | "outcome-unknown"
  /** The bot cancelled the request. */
  | "aborted";

/** Why the database's disk cannot be used. This lasts until somebody fixes it on the machine. */
export type DiskProblem = "disk full" | "i/o error" | "read-only" | "damaged";

/** The share of a plan that is used up, although the plan is not: the person's, or that of the server where they ask. */
export type SpentShare = "own-share" | "server-share";

export interface ServiceErrorDetails {
  /** Set if the bot's own database is `unavailable` because of its disk, or if `budget-spent` is about a share. */
  readonly reason?: DiskProblem | SpentShare | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** Service names as members read them at the beginning of a sentence. */
export const SERVICE_NAMES: Readonly<Record<string, string>> = {
  transport: "The train data service",
  "rail-data": "National Rail",
  tfl: "Transport for London",
  style: "The style service",
  video: "The video service",
  storage: "My database",
  discord: "Discord",
};

/** A service failed. `message` is for logs and contains no secret and no URL. */
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

/** Returns the result of `work`, or of `instead` if a service fails with one of these kinds. */
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

/** The code of an error of Node or of a library, e.g. `ECONNREFUSED`; `undefined` if it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether a person's or a server's share of a plan is used up. Others may still get an answer. */
export function isShareSpent(error: unknown): error is ServiceError & { readonly reason: SpentShare } {
  return error instanceof ServiceError && error.kind === "budget-spent" && error.reason !== undefined;
}

/** The configuration is invalid. Thrown only at start, with all problems at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** One sentence for each problem, which begins with the variable's name. */
  readonly problems: readonly string[];
  /** Whether a later start may succeed without a change of settings. */
  readonly isTransient: boolean;
  /** Whether the problem is a damaged database file. */
  readonly isDamaged: boolean;

  constructor(
    problems: readonly string[],
    options: ErrorOptions & { readonly isTransient?: boolean; readonly isDamaged?: boolean } = {},
  ) {
    super(problems.join("\n"), options);
    this.problems = problems;
    this.isTransient = options.isTransient === true;
    this.isDamaged = options.isDamaged === true;
  }
}

/** A later start may succeed. */
export const EXIT_FAILURE = 1;

/** EX_CONFIG of sysexits.h: every start fails in the same way until somebody changes a setting. */
export const EXIT_CONFIG = 78;

export type FailureCode = typeof EXIT_FAILURE | typeof EXIT_CONFIG;

export interface Failure {
  /** Sentences for the person who runs the bot. */
  readonly reason: string;
  readonly exitCode: FailureCode;
}
