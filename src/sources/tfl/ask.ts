// One request to TfL's Unified API: address, key, refusals, shape.
import { z } from "zod";
import type { ServiceErrorKind } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";
import { type Asking, type Refusal, createSourceRequest, readRefusal } from "../ask.ts";

/** The name of the service in errors and logs. */
export const TFL = "tfl";

/** What a client for one account needs. */
export interface AskTflDependencies extends Asking {
  /** e.g. `https://api.tfl.gov.uk`; a path is kept. */
  readonly baseUrl: URL;
  /** `undefined`: no key is sent, and TfL allows a tenth of the rate. */
  readonly appKey: string | undefined;
  readonly log: Log;
}

/**
 * Returns a function that gets a list from a path; the caller has encoded the parts that come from outside. `verb` is for
 * logs. It throws what `Http` throws, and the ServiceErrors of {@link kindOf} and `unexpected-answer`.
 */
export function createAskTfl({ baseUrl, appKey, log, ...asking }: AskTflDependencies) {
  const source = createSourceRequest(TFL, asking, "rate-limited");
  const headers = {
    // TfL refuses requests without a user agent, or with a library's, with a page of HTML.
    "user-agent": "Signalbox",
    // In a header, because TfL's refusals repeat the address.
    ...(appKey !== undefined && { app_key: appKey }),
  };
  let isKeyProven = appKey === undefined;

  return async (verb: string, path: string): Promise<readonly unknown[]> => {
    const answer = await source.send({ verb, baseUrl, path, headers });
    if (answer.status === 429 && !isKeyProven) {
      log.warn({ service: TFL, status: answer.status }, "key perhaps refused");
    }
    const refused = refusalOf(answer);
    if (refused) {
      throw await source.refusal(answer, refused);
    }
    const list = parseJsonAnswer(TFL, answer, z.array(z.unknown()));
    isKeyProven = true;
    return list;
  };
}

// Finds out why TfL refused. Its texts contain addresses and names of its code, so they are read here and never kept.

const refusalSchema = z.object({
  $type: z.string().optional().catch(undefined),
  exceptionType: z.string().optional().catch(undefined),
  /** Usually a number; one report shows a word. */
  httpStatusCode: z.unknown().optional(),
  message: z.string().optional().catch(undefined),
});

/** Why an answer is no list, even if its status is 200. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { status } = answer;
  const text = startOf(answer);
  const refusal = text.startsWith("{") ? readRefusal(answer, refusalSchema) : undefined;
  const isRefusal = refusal?.exceptionType !== undefined || /ApiError|HttpError/.test(refusal?.$type ?? "");
  const isPage = text.startsWith("<");
  if (status >= 200 && status < 300 && !isRefusal && !isPage) {
    return undefined;
  }
  const within = status < 300 && isRefusal ? statusWithin(refusal?.httpStatusCode) : status;
  return [
    // A page of HTML comes from a server in front of TfL's API and says nothing about the question.
    isPage && status !== 401 ? "unavailable" : kindOf(within, refusal),
    `answered ${status}${isPage ? " with HTML" : within === status ? "" : ` with the error ${within} inside`}`,
  ];
}

function startOf({ bytes }: HttpAnswer): string {
  return new TextDecoder().decode(bytes.subarray(0, 100)).trimStart();
}

function statusWithin(code: unknown): number {
  return code === 404 || code === "NotFound" ? 404 : code === 400 || code === "BadRequest" ? 400 : 500;
}

function kindOf(status: number, refusal: z.infer<typeof refusalSchema> | undefined): ServiceErrorKind {
  // TfL has answered 429 to an unknown key.
  const isAboutKey = /app_?key|subscription key/i.test(refusal?.message ?? "");
  switch (status) {
    case 401:
    case 403:
      return "unauthorised";
    case 404:
      return "not-found";
    case 429:
      return isAboutKey ? "unauthorised" : "rate-limited";
    default:
      // 300: the place could be one of several. 400: no place has this id.
      return status >= 500 ? "unavailable" : "rejected";
  }
}
