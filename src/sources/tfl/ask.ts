// One request to TfL's Unified API: address, key, refusals.
import { z } from "zod";
import type { HttpAnswer } from "../../core/http.ts";
import type { Log } from "../../core/log.ts";
import { type Asking, type Refusal, createAsk, isPage, isSuccess, readRefusal } from "../ask.ts";
import { looseText } from "../read-values.ts";

/** What a client for one account needs. */
export interface AskTflDependencies extends Asking {
  /** e.g. `https://api.tfl.gov.uk`; a path is kept. */
  readonly baseUrl: URL;
  /** `undefined`: no key is sent, and TfL allows a tenth of the rate. */
  readonly appKey: string | undefined;
  readonly log: Log;
}

/** Returns a function that gets a list from a path; the caller has encoded the parts that come from outside. */
export function createAskTfl({ baseUrl, appKey, log, ...asking }: AskTflDependencies) {
  const headers = {
    // TfL refuses requests without a user agent, or with a library's, with a page of HTML.
    "user-agent": "Signalbox",
    // In a header, because TfL's refusals repeat the address.
    ...(appKey !== undefined && { app_key: appKey }),
  };
  let isKeyProven = appKey === undefined;
  const ask = createAsk(
    "tfl",
    asking,
    (answer) => {
      if (answer.status === 429 && !isKeyProven) {
        log.warn({ service: "tfl", status: answer.status }, "key perhaps refused");
      }
      return refusalOf(answer);
    },
    "rate-limited",
  );
  return async (verb: string, path: string): Promise<readonly unknown[]> => {
    const list = await ask({ verb, baseUrl, path, headers }, z.array(z.unknown()));
    isKeyProven = true;
    return list;
  };
}

const refusalSchema = z.object({
  $type: looseText,
  exceptionType: looseText,
  /** Usually a number; one report shows a word. */
  httpStatusCode: looseText,
  message: looseText,
});

/** Why an answer is no list, even if its status is 200. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { status } = answer;
  // A page says nothing about the question.
  if (isPage(answer) && status !== 401) {
    return ["unavailable", `answered ${status} with HTML`];
  }
  const {
    $type = "",
    exceptionType,
    httpStatusCode,
    message = "",
  } = readRefusal(answer, refusalSchema) ?? {};
  const isInside = isSuccess(answer) && (exceptionType !== undefined || /ApiError|HttpError/.test($type));
  if (isSuccess(answer) && !isInside) {
    return undefined;
  }
  const within = isInside ? statusWithin(httpStatusCode) : status;
  return [kindOf(within, message), `answered ${status}${isInside ? ` with the error ${within} inside` : ""}`];
}

function statusWithin(code: string | undefined): number {
  return code === "404" || code === "NotFound" ? 404 : code === "400" || code === "BadRequest" ? 400 : 500;
}

function kindOf(status: number, message: string): Refusal[0] {
  switch (status) {
    case 401:
    case 403:
      return "unauthorised";
    case 404:
      return "not-found";
    case 429:
      // TfL has answered 429 to an unknown key.
      return /app_?key|subscription key/i.test(message) ? "unauthorised" : "rate-limited";
    default:
      // 300: the place could be one of several. 400: no place has this id.
      return status >= 500 ? "unavailable" : "rejected";
  }
}
