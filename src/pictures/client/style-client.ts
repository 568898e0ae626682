// The image style service: one operation, whose answer may have any of many shapes.
import { ServiceError } from "../../core/errors.ts";
import { parseRetryAfter } from "../../core/http.ts";
import { type FormPart, createMultipart } from "../../core/multipart.ts";
import { type StyleApi, type StyleApiDependencies, createStyleApi } from "./style-api.ts";
import { type FoundPicture, isPicture } from "./find-picture.ts";
import { type StyleAnswer, type UnfinishedAnswer, readStyleAnswer, unexpectedShape } from "./read-answer.ts";
import { STYLE } from "./refusal.ts";
import type { Clock } from "../../core/clock.ts";
import { wait } from "../../core/wait.ts";

/** A picture on its way to the service. */
export interface StyleRequest {
  readonly image: {
    readonly bytes: Uint8Array;
    /** e.g. `image/jpeg`; also decides the neutral file name. */
    readonly contentType: string;
  };
  /** The service's word for the style. */
  readonly style: string;
  /** Further form fields, by the names that the catalogue gives. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Told when the service has taken it and works on it. `share` 0 to 1 where the service says how far it is. */
  readonly onWorking?: (state: {
    readonly share: number | undefined;
    readonly position: number | undefined;
  }) => void;
}

export function createStyleClient(dependencies: StyleApiDependencies) {
  const { baseUrl, clock } = dependencies;
  const api = createStyleApi(dependencies);

  return {
    /**
     * Restyles a picture and gives the result's bytes, not yet looked into beyond their first ones. Throws ServiceError
     * of `style`: besides those of Http `rate-limited`, `out-of-credit`, `unauthorised`, `not-permitted`, `rejected` (the
     * picture or its content), `too-large` (with status 413 the picture, else the result), `not-found` (the style),
     * `unexpected-answer`, `timeout` (of a job); never `outcome-unknown`, for there is nothing to look after.
     */
    async process(request: StyleRequest): Promise<Uint8Array> {
      const { signal } = request;
      const sent = await api.send(createMultipart(listParts(request)), signal);
      const first = readStyleAnswer(sent, baseUrl);
      const found =
        first.kind === "unfinished"
          ? await followJob(
              { api, baseUrl, clock },
              first,
              parseRetryAfter(sent.headers["retry-after"], clock.now()),
              request,
            )
          : first;
      if (found.kind === "picture") {
        return found.bytes;
      }
      const { bytes } = await api.fetch(found.url, signal);
      if (!isPicture(bytes)) {
        throw new ServiceError(STYLE, "unexpected-answer", "what the result's address holds is no picture");
      }
      return bytes;
    },
  };
}

export type StyleClient = ReturnType<typeof createStyleClient>;

/** Its own name stays here: file names tell of people and places. */
function listParts({ image, style, parameters = {} }: StyleRequest): readonly FormPart[] {
  const { bytes: content, contentType } = image;
  const extension = contentType.replace(/^image\//, "").replace("jpeg", "jpg");
  return [
    { name: "image", fileName: `picture.${extension}`, contentType, content },
    { name: "style", text: style },
    ...Object.entries(parameters).map(([name, text]) => ({ name, text })),
  ];
}

// Follows a job until its picture is there: patiently, but not for ever, and telling the service when nobody waits.
/** Between questions: quickly at first, because most pictures take seconds, then growing to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;
const GROWTH = 1.5;
/** From the first question on. Discord lets an answer be edited for 15 minutes; people wait for less. */
const DEADLINE_MS = 5 * 60_000;
/** So many questions in a row may fail before the job is given up: the work behind it is already paid for. */
const MOST_FAILURES = 5;

/**
 * Asks after the job that an answer to the sending speaks of. Throws ServiceError: `unexpected-answer` where it cannot
 * be asked after or ends without a picture, `timeout`, `aborted`, and the kind of its failure.
 */
async function followJob(
  { api, baseUrl, clock }: { readonly api: StyleApi; readonly baseUrl: URL; readonly clock: Clock },
  first: UnfinishedAnswer,
  firstWaitMs: number | undefined,
  { signal, onWorking }: Pick<StyleRequest, "signal" | "onWorking">,
): Promise<FoundPicture> {
  if (!first.isJob || first.links.pollUrl === undefined) {
    throw unexpectedShape(first);
  }
  const { cancelUrl } = first.links;
  const deadlineMs = clock.elapsed() + DEADLINE_MS;
  let { pollUrl, resultUrl } = first.links;
  let delayMs = FIRST_WAIT_MS;
  let waitMs = firstWaitMs ?? delayMs;
  let failures = 0;
  onWorking?.({ share: first.share, position: first.position });
  try {
    for (;;) {
      if (clock.elapsed() + waitMs > deadlineMs) {
        throw new ServiceError(STYLE, "timeout", "the job is not done in time");
      }
      await wait(STYLE, clock, waitMs, signal);
      const { answer, retryAfterMs } = await ask(pollUrl);
      if (answer !== undefined && answer.kind !== "unfinished") {
        return answer;
      }
      delayMs = Math.min(LONGEST_WAIT_MS, delayMs * GROWTH);
      waitMs = Math.max(delayMs, retryAfterMs ?? 0);
      resultUrl = answer?.links.resultUrl ?? resultUrl;
      if (answer?.isDone) {
        if (resultUrl === undefined || resultUrl.href === pollUrl.href) {
          throw unexpectedShape(answer);
        }
        // Done, and the picture elsewhere: no need to wait.
        pollUrl = resultUrl;
        waitMs = 0;
      } else if (answer !== undefined) {
        onWorking?.({ share: answer.share, position: answer.position });
      }
    }
  } catch (error) {
    if (cancelUrl && error instanceof ServiceError && ["aborted", "timeout"].includes(error.kind)) {
      // After giving up, nobody waits for it.
      void api.cancel(cancelUrl);
    }
    throw error;
  }

  /** Nothing for a question that failed in passing. */
  async function ask(
    url: URL,
  ): Promise<{ readonly answer?: StyleAnswer; readonly retryAfterMs: number | undefined }> {
    try {
      const answer = await api.poll(url, signal);
      failures = 0;
      return {
        answer: readStyleAnswer(answer, baseUrl),
        retryAfterMs: parseRetryAfter(answer.headers["retry-after"], clock.now()),
      };
    } catch (error) {
      failures += 1;
      if (failures < MOST_FAILURES && error instanceof ServiceError && isPassing(error)) {
        return { retryAfterMs: error.retryAfterMs };
      }
      throw error;
    }
  }
}

/** A failure of the question, not of the job: a job's own failure comes with a good status. */
function isPassing({ kind, status }: ServiceError): boolean {
  return (
    kind === "rate-limited" ||
    kind === "timeout" ||
    (kind === "unavailable" && (status === undefined || status >= 500))
  );
}
