// The faults that only this service has, and how it refuses.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, jsonAnswer, pageAnswer, type FaultHooks } from "../faults/service-faults.ts";

export type TflFaults = ReturnType<typeof createTflFaults>;

export function createTflFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    broken: jsonAnswer(500, apiError(500, "An error has occurred.", "/")),
    busy: tooMany,
    refusals: {
      /** An error inside an answer of status 200. */
      "200-error": jsonAnswer(200, apiError(500, "An error occurred while sending the request.", "/")),
      "404": jsonAnswer(404, apiError(404, "The following stop point is not recognised", "/")),
      /** Several places could be meant. */
      "300": jsonAnswer(300, {
        toLocationDisambiguation: { matchStatus: "list", disambiguationOptions: [] },
      }),
      /** A page from the edge, which also refuses callers without a name. */
      "403-page": pageAnswer(403, "Attention Required! | Cloudflare"),
      /** A page with status 200. */
      html: pageAnswer(200, "Just a moment..."),
      "502": pageAnswer(502, "502 Bad Gateway"),
      /** The key is wrong. A 429 was once seen as the answer to that. */
      "wrong-key": WRONG_KEY,
    },
  });
}

export const WRONG_KEY = jsonAnswer(429, { statusCode: 429, message: "Invalid app_key" });

/** The gateway's own body was never captured: this is what it usually says. */
export function tooMany(seconds: string): FaultAnswer {
  const message = `Rate limit is exceeded. Try again in ${seconds} seconds.`;
  const { status, headers, body } = jsonAnswer(429, { statusCode: 429, message });
  return { status, headers: { ...headers, "retry-after": seconds }, body };
}

/** `relativeUri` repeats the address, with any key in it. */
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
