// The bad days of this service beyond those that any server can have. A path is compared without the version, and an
// upload's has its phase at the end: `/me/videos/simple`, `/me/videos/start`, `…/transfer`, `…/finish`, `…/cancel`.
import type { IncomingMessage } from "node:http";
import { createFaults } from "../faults/faults.ts";
import type { FaultAnswer, FaultKind, Faults } from "../faults/faults.ts";
import type { FaultHooks } from "../http/stand-in.ts";
import { GraphError, sayError } from "./graph-error.ts";

const TWISTS = [
  /** A piece is not taken: the session stands where it stood. */
  "offset",
  /** Only the first half of a piece is taken. */
  "half",
  /** Processing never ends, or ends badly. */
  "stuck",
  "failed",
  /** Done, but the answer has no id, or says that it was not. */
  "no-id",
  "success-false",
  /** Done; the limits are nearly used up. */
  "usage-high",
  /** Done; the answer comes a few bytes at a time, in real time. */
  "slow-body",
] as const;

/** A change of what is done or answered, left to whoever answers. */
export type VideoTwist = (typeof TWISTS)[number];

/** What the service refuses with, each in its own code. */
const REFUSALS = {
  /** Comes without having done anything; `500-after` is the same lie about something done. */
  transient: new GraphError(2, "Service temporarily unavailable", {
    subcode: 1363030,
    status: 500,
    isTransient: true,
  }),
  unknown: new GraphError(1, "An unknown error occurred", { status: 500 }),
  "token-expired": new GraphError(190, "Error validating access token: Session has expired.", {
    subcode: 463,
  }),
  checkpoint: new GraphError(190, "You cannot access the app till you log in.", { subcode: 459 }),
  permission: new GraphError(200, "(#200) This needs the pages_manage_posts permission"),
  /** With the header that says for how long: 11 minutes. */
  throttled: new GraphError(32, "(#32) Page request limit reached"),
  /** Without one. */
  "app-throttled": new GraphError(4, "(#4) Application request limit reached"),
  blocked: new GraphError(368, "The action attempted has been deemed abusive", { subcode: 1390008 }),
  gone: new GraphError(100, "Unsupported request", { subcode: 33, type: "GraphMethodException" }),
  format: new GraphError(352, "Unsupported video format", {
    wordsForPeople: "The video you tried to upload is in a format that is not supported.",
  }),
  "too-large": new GraphError(6000, "The file is too large", { subcode: 1363023 }),
  "not-a-video": new GraphError(6001, "The file is no video", { subcode: 1363031 }),
  "retry-piece": new GraphError(6001, "Uploading failed, try again", { subcode: 1363019 }),
  "session-gone": new GraphError(6001, "There was a problem uploading your video", { subcode: 1363020 }),
  content: new GraphError(6000, "The content was refused", { subcode: 1346003 }),
  duplicate: new GraphError(506, "Duplicate status message"),
} as const satisfies Readonly<Record<string, GraphError>>;

export type VideoFaultKind = keyof typeof REFUSALS | "html" | VideoTwist;

/** `path` is compared as told above. */
export type VideoFaults = Pick<Faults<VideoFaultKind>, "add" | "clear">;

/** The faults, and what the server needs of them. */
export interface InstalledFaults extends Faults<VideoFaultKind> {
  /** How this request's answer is to be twisted, if at all. */
  twistOf(request: IncomingMessage): VideoTwist | undefined;
}

const TRACE = "AFault";
const REGAIN_MINUTES = 11;

export function createVideoFaults(hooks: FaultHooks): InstalledFaults {
  const faults = createFaults<VideoFaultKind>({
    ...hooks,
    answer: answerOf,
  });
  return { ...faults, twistOf: (request) => TWISTS.find((twist) => twist === faults.kindOf(request)) };
}

/** Nothing for a twist: its request is applied. */
function answerOf(kind: FaultKind | VideoFaultKind, retryAfterMs: number): FaultAnswer | undefined {
  if (isRefusal(kind)) {
    return refuse(REFUSALS[kind], kind === "throttled" ? { [USAGE]: sayRegain() } : {});
  }
  if (TWISTS.some((twist) => twist === kind)) {
    return undefined;
  }
  if (kind === "html") {
    return {
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<!doctype html><title>Sorry</title><h1>Something went wrong</h1>",
    };
  }
  return kind.startsWith("429")
    ? refuse(REFUSALS["app-throttled"], { "retry-after": String(Math.ceil(retryAfterMs / 1000)) })
    : refuse(REFUSALS.unknown, {});
}

function isRefusal(kind: string): kind is keyof typeof REFUSALS {
  return Object.hasOwn(REFUSALS, kind);
}

const USAGE = "x-business-use-case-usage";

function sayRegain(): string {
  const usage = { type: "pages", call_count: 100, total_cputime: 4, total_time: 9 };
  return JSON.stringify({
    "1002003004005": [{ ...usage, estimated_time_to_regain_access: REGAIN_MINUTES }],
  });
}

function refuse(error: GraphError, headers: Readonly<Record<string, string>>): FaultAnswer {
  return {
    status: error.details.status ?? 400,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
    body: JSON.stringify(sayError(error, TRACE)),
  };
}
