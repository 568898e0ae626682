// The API key is sent only to the service's own origin and to the catalogue's hosts. URLs that the service returns are
// fetched only through the guard of core/http.ts.
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { parseRetryAfter, isSuccess, type Http, type HttpAnswer, type HttpRequest } from "../../core/http.ts";
import type { Log } from "../../core/log.ts";
import { type FormPart, createMultipart } from "../../core/multipart.ts";
import { sniffPicture } from "../../core/picture-type.ts";
import { wait } from "../../core/retry.ts";
import { type AnswerPlaces, below } from "./answer-places.ts";
import {
  type FoundPicture,
  type StyleAnswer,
  type UnfinishedAnswer,
  readStyleAnswer,
} from "./read-answer.ts";
import { STYLE, refusalOf } from "./refusal.ts";

export interface StyleRequest {
  readonly image: {
    readonly bytes: Uint8Array;
    /** e.g. `image/jpeg`; it also decides the extension of the neutral file name. */
    readonly contentType: string;
  };
  readonly style: string;
  /** Additional form fields, under the catalogue's names. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called when the service has accepted the job, and with its progress afterwards. */
  readonly onWorking?: (state: UnfinishedAnswer["progress"]) => void;
}

/** A PNG of an A3 sheet at 300 dpi has up to 30 MB. More is never posted, and decoding needs the bytes twice. */
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
/** The largest answer: such a picture as base64 in JSON, and the other fields. */
const MAX_ANSWER_BYTES = Math.ceil(1.37 * MAX_PICTURE_BYTES) + 64 * 1024;

/** Results take seconds, but some services keep a request open for up to a minute before they answer with a job. */
const SEND = { verb: "process", method: "POST", timeoutMs: 65_000, maxBytes: MAX_ANSWER_BYTES } as const;
const POLL = { verb: "poll", method: "GET", timeoutMs: 15_000, maxBytes: MAX_ANSWER_BYTES } as const;
const FETCH = { verb: "fetchResult", method: "GET", timeoutMs: 30_000, maxBytes: MAX_PICTURE_BYTES } as const;
const CANCEL = { verb: "cancel", method: "POST", timeoutMs: 15_000, maxBytes: 64 * 1024 } as const;

/** Waits before the second and third attempt, if the service does not ask for longer ones. */
const WAITS_MS = [1_000, 3_000] as const;
/** If the service asks for a longer wait, the person is told instead. */
const LONGEST_WAIT_MS = 10_000;

/** Waits between polls: short at first, because most pictures take seconds, then growing to the longest. */
const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 5_000;
const POLL_GROWTH = 1.5;
/** Counted from the first poll. Discord lets an answer be edited for 15 minutes; people do not wait that long. */
const JOB_DEADLINE_MS = 5 * 60_000;
/** After this many failed polls in a row, a job is abandoned. It is already paid for, so one failure is not enough. */
const MAX_FAILURES = 5;

export function createStyleClient(deps: {
  /** Without `/v1`; it may have a path. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly places?: AnswerPlaces | undefined;
  /** Called before each picture is sent, e.g. to count it. If it throws, nothing is sent. */
  readonly spend?: (() => Promise<void>) | undefined;
  readonly http: Pick<Http, "request">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { baseUrl, apiKey, places = {}, spend, http, clock, log } = deps;
  const processUrl = below(baseUrl, "/v1/process");
  let refusal: "unauthorised" | "out-of-credit" | undefined;

  return {
    /** Why the service refuses every picture from the bot; `undefined` at first, and again once a picture is restyled. */
    refusal: () => refusal,

    /**
     * Restyles a picture and returns the result's bytes. Only the first bytes have been checked. Throws a ServiceError
     * of `style`: the kinds of Http, `rate-limited`, `out-of-credit`, `unauthorised`, `not-permitted`, `rejected` (the
     * picture or its content), `too-large` (the picture if the status is 413, else the result), `not-found` (the
     * style), `unexpected-answer` and `timeout` (of a job); never `outcome-unknown`, because there is nothing to
     * reconcile.
     */
    async process(request: StyleRequest): Promise<Uint8Array> {
      try {
        const bytes = await restyle(request);
        refusal = undefined;
        return bytes;
      } catch (error) {
        if (
          error instanceof ServiceError &&
          (error.kind === "unauthorised" || error.kind === "out-of-credit")
        ) {
          refusal = error.kind;
        }
        throw error;
      }
    },
  };

  async function restyle(request: StyleRequest): Promise<Uint8Array> {
    const { signal } = request;
    const sent = await send(request);
    const first = readStyleAnswer(sent, { baseUrl, places });
    const found = first.kind === "unfinished" ? await followJob(first, retryAfterOf(sent), request) : first;
    if (found.kind === "picture") {
      return found.bytes;
    }
    const { bytes } = await repeat(() => download(found.url, FETCH, signal), mayRetryRead, signal);
    if (sniffPicture(bytes) === undefined) {
      throw new ServiceError(STYLE, "unexpected-answer", "what the result's address holds is no picture");
    }
    return bytes;
  }

  function isTrusted(url: URL): boolean {
    const isNamed = url.protocol === "https:" && (places.keyHosts ?? []).includes(url.host);
    return url.origin === baseUrl.origin || isNamed;
  }

  function ask(
    url: URL,
    how: Pick<HttpRequest, "verb" | "method" | "timeoutMs" | "maxBytes" | "body">,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    return http.request({
      service: STYLE,
      url,
      headers: {
        accept: "application/json, image/*",
        ...(isTrusted(url) && { authorization: `Bearer ${apiKey}` }),
      },
      guard: { ownOrigin: baseUrl.origin },
      retries: 0,
      ...how,
      ...(signal && { signal }),
    });
  }

  /** An accepted picture may be charged, so it is sent again only if the service says that it did nothing. */
  async function send(request: StyleRequest): Promise<HttpAnswer> {
    const { signal } = request;
    const body = createMultipart(listParts(request));
    const attempt = async (): Promise<HttpAnswer> => {
      await spend?.();
      const answer = await ask(processUrl, { ...SEND, body }, signal).catch((error: unknown) => {
        throw explainLostAnswer(error);
      });
      if (isSuccess(answer)) {
        return answer;
      }
      throw refusalOf(answer, clock.now());
    };
    return repeat(attempt, mayResend, signal).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status !== undefined) {
        log.warn({ service: STYLE, error }, "picture refused");
      }
      throw error;
    });
  }

  /** Fetches a result or a job. Unlike sending, it is not refused for a key, content or style, only `unavailable`. */
  async function download(url: URL, how: typeof POLL | typeof FETCH, signal: AbortSignal | undefined) {
    const answer = await ask(url, how, signal);
    if (isSuccess(answer)) {
      return answer;
    }
    const { status } = answer;
    const { retryAfterMs, requestId } = refusalOf(answer, clock.now());
    const kind = status === 429 ? "rate-limited" : status < 400 ? "unexpected-answer" : "unavailable";
    const message = `a result's address answered ${status}`;
    throw new ServiceError(STYLE, kind, message, { status, retryAfterMs, requestId });
  }

  async function repeat(
    attempt: () => Promise<HttpAnswer>,
    mayRepeat: (error: ServiceError) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    for (let count = 0; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        const usualMs = WAITS_MS[count];
        if (usualMs === undefined || !(error instanceof ServiceError) || !mayRepeat(error)) {
          throw error;
        }
        const waitMs = Math.max(usualMs, error.retryAfterMs ?? 0);
        if (waitMs > LONGEST_WAIT_MS) {
          throw error;
        }
        await wait(STYLE, clock, waitMs, signal);
      }
    }
  }

  /** Polls the job until it ends, or cancels it if it takes too long or nobody waits. Throws the job's failure. */
  async function followJob(
    first: UnfinishedAnswer,
    firstWaitMs: number | undefined,
    { signal, onWorking }: StyleRequest,
  ): Promise<FoundPicture> {
    let { pollUrl, resultUrl } = first;
    if (pollUrl === undefined) {
      throw unexpectedShape(first);
    }
    const deadlineMs = clock.elapsed() + JOB_DEADLINE_MS;
    let delayMs = FIRST_POLL_MS;
    let waitMs = firstWaitMs ?? delayMs;
    let failures = 0;
    onWorking?.(first.progress);
    try {
      for (;;) {
        if (clock.elapsed() + waitMs > deadlineMs) {
          throw new ServiceError(STYLE, "timeout", "the job is not done in time");
        }
        await wait(STYLE, clock, waitMs, signal);
        delayMs = Math.min(LONGEST_POLL_MS, delayMs * POLL_GROWTH);
        let answer: StyleAnswer;
        try {
          const response = await download(pollUrl, POLL, signal);
          failures = 0;
          answer = readStyleAnswer(response, { baseUrl, places });
          waitMs = Math.max(delayMs, retryAfterOf(response) ?? 0);
        } catch (error) {
          failures += 1;
          if (failures === MAX_FAILURES || !(error instanceof ServiceError) || !mayRetryRead(error)) {
            throw error;
          }
          waitMs = Math.max(delayMs, error.retryAfterMs ?? 0);
          continue;
        }
        if (answer.kind !== "unfinished") {
          return answer;
        }
        resultUrl = answer.resultUrl ?? resultUrl;
        if (!answer.isDone) {
          onWorking?.(answer.progress);
        } else if (resultUrl === undefined || resultUrl.href === pollUrl.href) {
          throw unexpectedShape(answer);
        } else {
          // The job is done and its picture is at another URL, which can be fetched immediately.
          pollUrl = resultUrl;
          waitMs = 0;
        }
      }
    } catch (error) {
      const isGivenUp = error instanceof ServiceError && ["aborted", "timeout"].includes(error.kind);
      if (isGivenUp && first.cancelUrl && isTrusted(first.cancelUrl)) {
        ask(first.cancelUrl, CANCEL).catch((failure: unknown) =>
          log.debug({ service: STYLE, error: failure }, "job cancellation failed"),
        );
      }
      throw error;
    }
  }

  function retryAfterOf({ headers }: HttpAnswer): number | undefined {
    return parseRetryAfter(headers["retry-after"], clock.now());
  }
}

export type StyleClient = ReturnType<typeof createStyleClient>;

/** The original file name is not sent, because it may name people or places. */
function listParts({ image, style, parameters = {} }: StyleRequest): readonly FormPart[] {
  const { bytes: content, contentType } = image;
  const extension = contentType.replace(/^image\//, "").replace("jpeg", "jpg");
  return [
    { name: "image", fileName: `picture.${extension}`, contentType, content },
    { name: "style", text: style },
    ...Object.entries(parameters).map(([name, text]) => ({ name, text })),
  ];
}

/** Only if the service did nothing with the picture. A 429 for lack of credit has another kind. */
function mayResend({ kind, status }: ServiceError): boolean {
  return kind === "rate-limited" || (kind === "unavailable" && status === 503);
}

/** Whether a poll or a download may be repeated. A job that has failed is not: it answers with a 2xx status. */
function mayRetryRead({ kind, status }: ServiceError): boolean {
  return (
    kind === "rate-limited" ||
    kind === "timeout" ||
    (kind === "unavailable" && (status === undefined || status >= 500))
  );
}

function unexpectedShape({ problem }: UnfinishedAnswer): ServiceError {
  return new ServiceError(STYLE, "unexpected-answer", problem);
}

/** Replaces `outcome-unknown` by its cause: there is nothing to reconcile, and sending again only costs a call. */
function explainLostAnswer(error: unknown): unknown {
  const isLost = error instanceof ServiceError && error.kind === "outcome-unknown";
  return isLost && error.cause instanceof ServiceError ? error.cause : error;
}
