// The faults that only this service has, and its error answers. Faults match paths without the version, and an upload's
// path ends with its phase: `/me/videos/simple`, `/me/videos/start`, `…/transfer`, `…/finish`, `…/cancel`.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, type FaultHooks } from "../faults/service-faults.ts";
import { GraphError, type GraphErrorDetails, formatError } from "./graph-error.ts";

const ALTERATIONS = [
  /** A piece is refused, and the session stays as it was. */
  "offset",
  /** Only the first half of a piece is accepted. */
  "half",
  /** Processing never ends, or fails. */
  "stuck",
  "failed",
  /** The request takes effect, but the answer has no id, or says that it failed. */
  "no-id",
  "success-false",
  /** The request takes effect, and a header says that the rate limit is nearly used up. */
  "usage-high",
  /** The request takes effect, and the answer arrives a few bytes at a time, in real time. */
  "slow-body",
] as const;

/** A fault that changes what a route does or answers. The routes apply it. */
export type VideoAlteration = (typeof ALTERATIONS)[number];

const REFUSALS = {
  /** The request has no effect. `500-after` answers similarly although the request took effect. */
  transient: refuse(2, "Service temporarily unavailable", {
    subcode: 1363030,
    status: 500,
    isTransient: true,
  }),
  unknown: refuse(1, "An unknown error occurred", { status: 500 }),
  "token-expired": refuse(190, "Error validating access token: Session has expired.", {
    subcode: 463,
  }),
  checkpoint: refuse(190, "You cannot access the app till you log in.", { subcode: 459 }),
  permission: refuse(200, "(#200) This needs the pages_manage_posts permission"),
  /** With the header that says how long to wait: 11 minutes. */
  throttled: refuse(
    32,
    "(#32) Page request limit reached",
    {},
    { "x-business-use-case-usage": throttleUsage() },
  ),
  /** Without that header. */
  "app-throttled": appThrottled(),
  blocked: refuse(368, "The action attempted has been deemed abusive", { subcode: 1390008 }),
  gone: refuse(100, "Unsupported request", { subcode: 33, type: "GraphMethodException" }),
  format: refuse(352, "Unsupported video format", {
    userMessage: "The video you tried to upload is in a format that is not supported.",
  }),
  "too-large": refuse(6000, "The file is too large", { subcode: 1363023 }),
  "not-a-video": refuse(6001, "The file is not a video", { subcode: 1363031 }),
  "retry-piece": refuse(6001, "Uploading failed, try again", { subcode: 1363019 }),
  "session-gone": refuse(6001, "There was a problem uploading your video", { subcode: 1363020 }),
  content: refuse(6000, "The content was refused", { subcode: 1346003 }),
  duplicate: refuse(506, "Duplicate status message"),
  html: {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><title>Sorry</title><h1>Something went wrong</h1>",
  },
} satisfies Readonly<Record<string, FaultAnswer>>;

export type VideoFaultKind = keyof typeof REFUSALS | VideoAlteration;

export type VideoFaults = ReturnType<typeof createVideoFaults>;

export function createVideoFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    alterations: ALTERATIONS,
    broken: REFUSALS.unknown,
    busy: (retryAfter) => appThrottled({ "retry-after": retryAfter }),
    refusals: REFUSALS,
  });
}

function appThrottled(headers: Readonly<Record<string, string>> = {}): FaultAnswer {
  return refuse(4, "(#4) Application request limit reached", {}, headers);
}

function throttleUsage(): string {
  const usage = { type: "pages", call_count: 100, total_cputime: 4, total_time: 9 };
  return JSON.stringify({ "1002003004005": [{ ...usage, estimated_time_to_regain_access: 11 }] });
}

function refuse(
  code: number,
  message: string,
  details: GraphErrorDetails = {},
  headers: Readonly<Record<string, string>> = {},
): FaultAnswer {
  return {
    status: details.status ?? 400,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
    body: JSON.stringify(formatError(new GraphError(code, message, details), "AFault")),
  };
}
