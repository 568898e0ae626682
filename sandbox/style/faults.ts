// The faults that only this service has, and its error answers.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, type FaultHooks } from "../faults/service-faults.ts";

const ALTERATIONS = [
  /** Status 200, but the answer says that the picture's content was refused. */
  "filtered",
  /** The picture becomes a job that fails, or that never ends. */
  "failed-job",
  "endless-job",
  /** JSON without a picture. */
  "no-picture",
  /** The result is a text, is 300 MB large, redirects elsewhere, or has an address in a private network. */
  "text-result",
  "huge-result",
  "redirected-result",
  "private-result",
  "metadata-result",
] as const;

/** A fault that changes only the answer: the picture was processed and paid for. */
export type StyleAlteration = (typeof ALTERATIONS)[number];

export type StyleFaults = ReturnType<typeof createStyleFaults>;

export function createStyleFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    alterations: ALTERATIONS,
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
      /** A 429 without Retry-After. */
      "429-bare": refusal(429, { message: "Too many requests" }),
      /** A 429 because the account has no credit. */
      quota: refusal(429, {
        error: { message: "You exceeded your current quota", code: "insufficient_quota" },
      }),
      "503": refusal(503, { error: "The model is loading", estimated_time: 180.5 }),
      /** A page of HTML with status 200. */
      html: {
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Welcome</title><h1>Welcome</h1>",
      },
      /** JSON with status 200 that contains an error. */
      "200-error": refusal(200, { code: 4001, data: null, msg: "something went wrong" }),
    },
  });
}

function refusal(status: number, body: object, headers: Readonly<Record<string, string>> = {}): FaultAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
