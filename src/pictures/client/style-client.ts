// The image style service: one operation, whose answer may have any of many shapes. The key goes to the service's own
// origin and to the hosts that the catalogue names; every address that the service returned is behind the guard.
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { parseRetryAfter, type Http, type HttpAnswer, type HttpRequest } from "../../core/http.ts";
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
    /** e.g. `image/jpeg`; also decides the neutral file name. */
    readonly contentType: string;
  };
  readonly style: string;
  /** Further form fields, by the names that the catalogue gives. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Told when the service has taken it and works on it. `share` 0 to 1 where the service says how far it is. */
  readonly onWorking?: (state: UnfinishedAnswer["progress"]) => void;
}

/** A sheet of A3 at 300 dots per inch is up to some 30 MB as PNG; more is never posted, and decoding holds it twice. */
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
/** The largest answer: such a picture as base64 in JSON, with the fields around it. */
const MAX_ANSWER_BYTES = Math.ceil(1.37 * MAX_PICTURE_BYTES) + 64 * 1024;

/** Results take seconds, but some services keep a request open for up to a minute before they answer with a job. */
const SEND_TIMEOUT_MS = 65_000;
const SEND = {
  verb: "process",
  method: "POST",
  timeoutMs: SEND_TIMEOUT_MS,
  maxBytes: MAX_ANSWER_BYTES,
} as const;
const POLL = { verb: "poll", method: "GET", timeoutMs: 15_000, maxBytes: MAX_ANSWER_BYTES } as const;
const FETCH = { verb: "fetchResult", method: "GET", timeoutMs: 30_000, maxBytes: MAX_PICTURE_BYTES } as const;
const CANCEL = { verb: "cancel", method: "POST", timeoutMs: 15_000, maxBytes: 64 * 1024 } as const;

/** Before the second and the third attempt, where the service does not say. */
const WAITS_MS = [1_000, 3_000] as const;
/** A longer wait is the person's to know. */
const LONGEST_WAIT_MS = 10_000;

/** Between questions after a job: quickly at first, because most pictures take seconds, then growing to the longest. */
const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 5_000;
const POLL_GROWTH = 1.5;
/** From the first question on. Discord lets an answer be edited for 15 minutes; people wait for less. */
const JOB_DEADLINE_MS = 5 * 60_000;
/** So many questions in a row may fail before the job is given up: the work behind it is already paid for. */
const MOST_FAILURES = 5;

export function createStyleClient(deps: {
  /** Without `/v1`; a path is kept. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  /** The places in answers that the catalogue names. */
  readonly places?: AnswerPlaces | undefined;
  /** Called before each picture is sent, e.g. to count it; where it throws, nothing is sent. */
  readonly spend?: (() => Promise<void>) | undefined;
  readonly http: Pick<Http, "request">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { baseUrl, apiKey, places = {}, spend, http, clock, log } = deps;
  const processUrl = below(baseUrl, "/v1/process");

  return {
    /**
     * Restyles a picture and gives the result's bytes, not yet checked beyond the first ones. Throws ServiceError
     * of `style`: besides those of Http `rate-limited`, `out-of-credit`, `unauthorised`, `not-permitted`, `rejected` (the
     * picture or its content), `too-large` (with status 413 the picture, else the result), `not-found` (the style),
     * `unexpected-answer`, `timeout` (of a job); never `outcome-unknown`, because there is nothing to reconcile.
     */
    async process(request: StyleRequest): Promise<Uint8Array> {
      const { signal } = request;
      const sent = await send(request);
      const first = readStyleAnswer(sent, { baseUrl, places });
      const found = first.kind === "unfinished" ? await followJob(first, retryAfterOf(sent), request) : first;
      if (found.kind === "picture") {
        return found.bytes;
      }
      const { bytes } = await repeat(() => look(found.url, FETCH, signal), mayRetryRead, signal);
      if (sniffPicture(bytes) === undefined) {
        throw new ServiceError(STYLE, "unexpected-answer", "what the result's address holds is no picture");
      }
      return bytes;
    },
  };

  /** Whether an address is the service's own, or on a host that the catalogue names. */
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

  /** What was taken may be charged, so it is sent again only where the service says that it did nothing. */
  async function send(request: StyleRequest): Promise<HttpAnswer> {
    const { signal } = request;
    const body = createMultipart(listParts(request));
    const attempt = async (): Promise<HttpAnswer> => {
      await spend?.();
      const answer = await ask(processUrl, { ...SEND, body }, signal).catch((error: unknown) => {
        throw explainLostAnswer(error);
      });
      if (isGood(answer)) {
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

  /** A result or a job has no credentials, no content and no style to be refused for: it is there or it is not. */
  async function look(url: URL, how: typeof POLL | typeof FETCH, signal: AbortSignal | undefined) {
    const answer = await ask(url, how, signal);
    if (isGood(answer)) {
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

  /** Polls the job until it ends or takes too long, and cancels it when nobody waits any more. Throws the job's failure. */
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
          const looked = await look(pollUrl, POLL, signal);
          failures = 0;
          answer = readStyleAnswer(looked, { baseUrl, places });
          waitMs = Math.max(delayMs, retryAfterOf(looked) ?? 0);
        } catch (error) {
          failures += 1;
          if (failures === MOST_FAILURES || !(error instanceof ServiceError) || !mayRetryRead(error)) {
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
          // Done, and the picture elsewhere: no need to wait.
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

/** The picture's own name stays here: file names tell of people and places. */
function listParts({ image, style, parameters = {} }: StyleRequest): readonly FormPart[] {
  const { bytes: content, contentType } = image;
  const extension = contentType.replace(/^image\//, "").replace("jpeg", "jpg");
  return [
    { name: "image", fileName: `picture.${extension}`, contentType, content },
    { name: "style", text: style },
    ...Object.entries(parameters).map(([name, text]) => ({ name, text })),
  ];
}

function isGood({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** A 429 for want of credit is of another kind. */
function mayResend({ kind, status }: ServiceError): boolean {
  return kind === "rate-limited" || (kind === "unavailable" && status === 503);
}

/** A failure of the question, not of the job: a job's own failure comes with a good status. */
function mayRetryRead({ kind, status }: ServiceError): boolean {
  return (
    kind === "rate-limited" ||
    kind === "timeout" ||
    (kind === "unavailable" && (status === undefined || status >= 500))
  );
}

function unexpectedShape({ lack }: UnfinishedAnswer): ServiceError {
  return new ServiceError(STYLE, "unexpected-answer", lack);
}

/** Replaces `outcome-unknown` by its cause: there is nothing to reconcile, and to send again only costs a call. */
function explainLostAnswer(error: unknown): unknown {
  const isLost = error instanceof ServiceError && error.kind === "outcome-unknown";
  return isLost && error.cause instanceof ServiceError ? error.cause : error;
}
