// The bad days of this service beyond those that any server can have.
import type { IncomingMessage } from "node:http";
import { createFaults } from "../faults/faults.ts";
import type { FaultAnswer, FaultKind, Faults } from "../faults/faults.ts";
import type { FaultHooks } from "../http/stand-in.ts";

const TWISTS = [
  /** 200, but the picture was refused for its content; it comes blurred. */
  "filtered",
  /** A job that fails, one that never ends. */
  "failed-job",
  "endless-job",
  /** JSON in which no picture is. */
  "no-picture",
  /** The result is a text, 300 MB long, somewhere else by a redirect, or in a network of ours. */
  "text-result",
  "huge-result",
  "redirected-result",
  "private-result",
  "metadata-result",
] as const;

/** A change of what is answered to a picture; it has been worked on, and paid for. */
export type StyleTwist = (typeof TWISTS)[number];

/** What the service refuses with, by status; `429-bare` without Retry-After, `quota` a 429 for want of credit. */
type StyleFaultKind =
  | "401"
  | "402"
  | "403"
  | "413"
  | "415"
  | "422"
  | "429-bare"
  | "quota"
  /** With `estimated_time`. */
  | "503"
  /** 200 and a page. */
  | "html"
  /** 200 and an error inside. */
  | "200-error"
  | StyleTwist;

export type StyleFaults = Pick<Faults<StyleFaultKind>, "add" | "clear">;

/** The faults, and what the server needs of them. */
export interface InstalledFaults extends Faults<StyleFaultKind> {
  /** How this request's answer is to be twisted, if at all. */
  twistOf(request: IncomingMessage): StyleTwist | undefined;
}

export function createStyleFaults(hooks: FaultHooks): InstalledFaults {
  const faults = createFaults<StyleFaultKind>({
    ...hooks,
    answer: answerOf,
  });
  return { ...faults, twistOf: (request) => TWISTS.find((twist) => twist === faults.kindOf(request)) };
}

/** Nothing for a twist: its request is applied. */
function answerOf(kind: FaultKind | StyleFaultKind, retryAfterMs: number): FaultAnswer | undefined {
  switch (kind) {
    case "401":
      return refusal(401, { error: { message: "Invalid API key", type: "authentication_error" } });
    case "402":
      return refusal(402, { title: "Payment required", detail: "No credits left", status: 402 });
    case "403":
      return refusal(403, { errors: [{ title: "This key may not do that", code: "forbidden" }] });
    case "413":
      return refusal(413, { error: "The image is too large" });
    case "415":
      return refusal(415, { code: "unsupported_media_type", message: "Not a supported image" });
    case "422":
      return refusal(422, {
        detail: [{ loc: ["body", "image"], msg: "the image is too narrow", type: "value" }],
      });
    case "429":
    case "429-global":
    case "429-shared":
      return refusal(
        429,
        { message: "Too many requests" },
        { "retry-after": String(Math.ceil(retryAfterMs / 1000)) },
      );
    case "429-bare":
      return refusal(429, { message: "Too many requests" });
    case "quota":
      return refusal(429, {
        error: { message: "You exceeded your current quota", code: "insufficient_quota" },
      });
    case "503":
      return refusal(503, { error: "The model is loading", estimated_time: 180.5 });
    case "html":
      return {
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Welcome</title><h1>Welcome</h1>",
      };
    case "200-error":
      return refusal(200, { code: 4001, data: null, msg: "something went wrong" });
    case "500":
    case "500-after":
    case "drop":
    case "drop-after":
    case "hang":
    case "hang-after":
    case "slow":
    case "malformed":
    case "truncated":
      return refusal(500, { error: "Internal server error" });
    case "filtered":
    case "failed-job":
    case "endless-job":
    case "no-picture":
    case "text-result":
    case "huge-result":
    case "redirected-result":
    case "private-result":
    case "metadata-result":
      return undefined;
  }
}

function refusal(status: number, body: object, headers: Readonly<Record<string, string>> = {}): FaultAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
