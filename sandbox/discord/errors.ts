// Discord's refusals: an HTTP status, a code, and for an invalid form a message for each wrong field.

/** One wrong field. */
export interface Problem {
  readonly path: readonly (string | number)[];
  /** Discord's code for it, e.g. `BASE_TYPE_REQUIRED`. */
  readonly code: string;
  readonly message: string;
}

/** Thrown by routes and rules; the REST server turns it into Discord's answer. */
export class DiscordError extends Error {
  override readonly name = "DiscordError";
  readonly status: number;
  readonly code: number;
  /** Discord's own message, without the fields. */
  readonly summary: string;
  readonly problems: readonly Problem[];
  /** How long to wait before a retry. `undefined` unless the status is 429. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    code: number,
    summary: string,
    problems: readonly Problem[] = [],
    retryAfterMs?: number,
  ) {
    const places = problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
    super([summary, ...places].join("\n"));
    this.summary = summary;
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The refusals without fields, by Discord's documented code. */
const REFUSALS = {
  unauthorised: [401, 0, "401: Unauthorized"],
  unknownRoute: [404, 0, "404: Not Found"],
  unknownApplication: [404, 10_002, "Unknown Application"],
  unknownChannel: [404, 10_003, "Unknown Channel"],
  unknownGuild: [404, 10_004, "Unknown Guild"],
  unknownMember: [404, 10_007, "Unknown Member"],
  unknownMessage: [404, 10_008, "Unknown Message"],
  unknownUser: [404, 10_013, "Unknown User"],
  unknownWebhook: [404, 10_015, "Unknown Webhook"],
  unknownInteraction: [404, 10_062, "Unknown interaction"],
  unknownCommand: [404, 10_063, "Unknown application command"],
  unknownCommandPermissions: [404, 10_066, "Unknown application command permissions"],
  announcementEdits: [429, 20_022, "This message cannot be edited due to announcement rate limits."],
  tooManyFiles: [400, 30_015, "Maximum number of attachments in a message reached (10)"],
  tooManyCommands: [400, 30_032, "Maximum number of application commands reached (100)."],
  tooManyCommandCreates: [
    400,
    30_034,
    "Max number of daily application command creates has been reached (200)",
  ],
  oldEdits: [429, 30_046, "Maximum number of edits to messages older than 1 hour reached. Try again later."],
  entityTooLarge: [413, 40_005, "Request entity too large"],
  alreadyCrossposted: [400, 40_033, "This message has already been crossposted."],
  alreadyAcknowledged: [400, 40_060, "Interaction has already been acknowledged."],
  tooManyFollowUps: [400, 40_094, "This interaction has hit the maximum number of follow-up messages."],
  rateLimited: [429, 0, "You are being rate limited."],
  missingAccess: [403, 50_001, "Missing Access"],
  notInDirectMessages: [403, 50_003, "Cannot execute action on a DM channel"],
  notTheAuthor: [403, 50_005, "Cannot edit a message authored by another user"],
  emptyMessage: [400, 50_006, "Cannot send an empty message"],
  cannotMessageUser: [403, 50_007, "Cannot send messages to this user"],
  notInThisChannel: [400, 50_008, "Cannot send messages in a non-text channel"],
  missingPermissions: [403, 50_013, "Missing Permissions"],
  wrongChannelKind: [400, 50_024, "Cannot execute action on this channel type"],
  invalidWebhookToken: [401, 50_027, "Invalid Webhook Token"],
  archivedThread: [400, 50_083, "Thread is archived"],
  invalidJson: [400, 50_109, "The request body contains invalid JSON."],
  noReplyWithoutHistory: [400, 160_002, "Cannot reply without permission to read message history"],
  threadLocked: [400, 160_005, "Thread is locked"],
  uploadsLimited: [400, 400_001, "Access to file uploads has been limited for this guild."],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>;

/** Creates a refusal by name, e.g. `unknownChannel` for 404, 10003. Only a 429 uses `retryAfterMs`. */
export function refusal(name: keyof typeof REFUSALS, retryAfterMs?: number): DiscordError {
  const [status, code, message] = REFUSALS[name];
  return new DiscordError(status, code, message, [], status === 429 ? retryAfterMs : undefined);
}

/** Creates a 50035 that lists the wrong fields. */
export function invalidForm(problems: readonly Problem[]): DiscordError {
  return new DiscordError(400, 50_035, "Invalid Form Body", problems);
}

export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) {
    throw invalidForm(problems);
  }
}

/** Runs the check of one part of a form, and prefixes the paths of its problems with that part. */
export function problemsUnder<T>(part: string | number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof DiscordError && error.problems.length > 0) {
      throw invalidForm(error.problems.map((problem) => ({ ...problem, path: [part, ...problem.path] })));
    }
    throw error;
  }
}

/** Discord's key for the problems of a field, next to its subfields. */
const FINDINGS = "_errors";

type Finding = Pick<Problem, "code" | "message">;

interface ErrorTree {
  [part: string]: ErrorTree | Finding[];
}

/** The body of Discord's answer: problems nested by path, list items by index. */
export function formatError(error: DiscordError): object {
  const body = {
    message: error.summary,
    code: error.code,
    ...(error.retryAfterMs === undefined ? {} : { retry_after: error.retryAfterMs / 1000, global: false }),
  };
  return error.problems.length === 0 ? body : { ...body, errors: nestProblems(error.problems) };
}

function nestProblems(problems: readonly Problem[]): ErrorTree {
  const root: ErrorTree = {};
  for (const { path, code, message } of problems) {
    let place = root;
    for (const part of path) {
      // Only FINDINGS contains a list, and no path has a part of that name.
      place = (place[part] ??= {}) as ErrorTree;
    }
    // FINDINGS contains nothing else.
    const findings = (place[FINDINGS] ??= []) as Finding[];
    findings.push({ code, message });
  }
  return root;
}
