// The bad days of this service beyond those that any server can have.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, type FaultHooks } from "../faults/service-faults.ts";

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

export type StyleFaults = ReturnType<typeof createStyleFaults>;

export function createStyleFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    twists: TWISTS,
    broken: refusal(500, { error: "Internal server error" }),
    busy: (retryAfter) => refusal(429, { message: "Too many requests" }, { "retry-after": retryAfter }),
    refusals: {
      "401": refusal(401, { error: { message: "Invalid API key", type: "authentication_error" } }),
      "402": refusal(402, { title: "Payment required", detail: "No credits left", status: 402 }),
      "403": refusal(403, { errors: [{ title: "This key may not do that", code: "forbidden" }] }),
      "413": refusal(413, { error: "The image is too large" }),
      "415": refusal(415, { code: "unsupported_media_type", message: "Not a supported image" }),
      "422": refusal(422, {
        detail: [{ loc: ["body", "image"], msg: "the image is too narrow", type: "value" }],
      }),
      /** Without Retry-After. */
      "429-bare": refusal(429, { message: "Too many requests" }),
      /** For want of credit. */
      quota: refusal(429, {
        error: { message: "You exceeded your current quota", code: "insufficient_quota" },
      }),
      "503": refusal(503, { error: "The model is loading", estimated_time: 180.5 }),
      /** 200 and a page. */
      html: {
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Welcome</title><h1>Welcome</h1>",
      },
      /** 200 and an error inside. */
      "200-error": refusal(200, { code: 4001, data: null, msg: "something went wrong" }),
    },
  });
}

function refusal(status: number, body: object, headers: Readonly<Record<string, string>> = {}): FaultAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
