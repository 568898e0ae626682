// The faults that only this service has, and its error answers.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, jsonAnswer, pageAnswer, type FaultHooks } from "../faults/service-faults.ts";

export type TflFaults = ReturnType<typeof createTflFaults>;

export function createTflFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    broken: jsonAnswer(500, apiError(500, "An error has occurred.", "/")),
    busy: tooMany,
    refusals: {
      /** An answer with status 200 that contains an error. */
      "200-error": jsonAnswer(200, apiError(500, "An error occurred while sending the request.", "/")),
      "404": jsonAnswer(404, apiError(404, "The following stop point is not recognised", "/")),
      /** The name of a place was ambiguous. */
      "300": jsonAnswer(300, {
        toLocationDisambiguation: { matchStatus: "list", disambiguationOptions: [] },
      }),
      /** A page of HTML from the edge, which also refuses callers without a User-Agent. */
      "403-page": pageAnswer(403, "Attention Required! | Cloudflare"),
      /** A page of HTML with status 200. */
      html: pageAnswer(200, "Just a moment..."),
      "502": pageAnswer(502, "502 Bad Gateway"),
      /** The answer to a wrong key. A 429 was once seen for that. */
      "wrong-key": WRONG_KEY,
    },
  });
}

export const WRONG_KEY = jsonAnswer(429, { statusCode: 429, message: "Invalid app_key" });

/** The gateway's answer to too many requests. Its body was never captured; this is the usual text. */
export function tooMany(seconds: string): FaultAnswer {
  const message = `Rate limit is exceeded. Try again in ${seconds} seconds.`;
  const { status, headers, body } = jsonAnswer(429, { statusCode: 429, message });
  return { status, headers: { ...headers, "retry-after": seconds }, body };
}

/** `relativeUri` repeats the request's address, including any key in it. */
export function apiError(httpStatusCode: 400 | 404 | 500, message: string, relativeUri: string) {
  const [exceptionType, httpStatus] = {
    400: ["ApiArgumentException", "BadRequest"],
    404: ["EntityNotFoundException", "NotFound"],
    500: ["HttpRequestException", "InternalServerError"],
  }[httpStatusCode];
  return {
    $type: "Tfl.Api.Presentation.Entities.ApiError, Tfl.Api.Presentation.Entities",
    timestampUtc: "2026-11-18T17:20:00.7206118Z",
    exceptionType,
    httpStatusCode,
    httpStatus,
    relativeUri,
    message,
  };
}
