// Sends one request of any kind to the service: address, credentials, limits, refusals, shape of the answer.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind, recover } from "../../core/errors.ts";
import type { HttpAnswer, HttpBody } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { type FilePart, createMultipart } from "../../core/multipart.ts";
import type { Platform } from "../../core/ports.ts";
import { VIDEO, type VideoAccount, proveToken } from "./account.ts";
import { looseFlag, looseId, parseExactJson } from "./read-values.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { wait } from "../../core/retry.ts";
import { findRefusal } from "./refusal.ts";

/** Values by name; empty ones are not sent, because the service rejects them. */
export type Fields = Readonly<Record<string, string | undefined>>;

interface VideoCall {
  readonly verb: string;
  readonly method?: "GET" | "POST" | "DELETE";
  /** The path segments after the version, including ids. */
  readonly path: readonly string[];
  readonly query?: Fields;
  readonly fields?: Fields;
  /** Sent with the fields, without a limit on the total time. */
  readonly file?: FilePart;
  /** Set if the write has no visible effect, so it may be sent again after its answer was lost. Other writes must not. */
  readonly lost?: "harmless";
  readonly signal?: AbortSignal | undefined;
}

export interface VideoApiDependencies extends Pick<Platform, "http" | "clock" | "log"> {
  /** Without the version, e.g. `https://graph.facebook.com`; a path is kept. */
  readonly baseUrl: URL;
  /** e.g. `v26.0`. */
  readonly version: string;
  /** Where a form carries the token; requests without a form always have it in a header. */
  readonly tokenIn: "header" | "field";
  /** The secret of the application that the tokens were made for. It proves on each call that we know it. */
  readonly appSecret?: string | undefined;
}

const writtenSchema = z
  .object({ id: looseId, success: looseFlag })
  .catch({ id: undefined, success: undefined });

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** After receiving all bytes, the service may take long to answer. */
const UPLOAD_IDLE_MS = 120_000;
const SECOND_TRY_MS = 1_000;
/** The characters of ids; any others could change the path. */
const PATH_PART = /^[\w-]{1,200}$/;

/** Throws a ServiceError: the errors of `Http`, and every kind of {@link findRefusal}. */
export function createVideoApi(dependencies: VideoApiDependencies) {
  const { http, baseUrl, version, tokenIn, appSecret, clock, log } = dependencies;
  const limiter = createRateLimiter(clock);
  let isVersionTold = false;

  function address(path: readonly string[], query: Fields): URL {
    if (!path.every((part) => PATH_PART.test(part))) {
      throw new ServiceError(VIDEO, "not-found", "not a valid id");
    }
    const url = new URL([baseUrl.pathname.replace(/\/$/, ""), version, ...path].join("/"), baseUrl);
    url.search = new URLSearchParams(listFields(query)).toString();
    return url;
  }

  function prepare({ token }: VideoAccount, call: VideoCall): () => Promise<HttpAnswer> {
    const { verb, method = "POST", path, query, fields, file, signal } = call;
    const isForm = method === "POST";
    const isInField = isForm && tokenIn === "field";
    const proof = appSecret !== undefined && { appsecret_proof: proveToken(token, appSecret) };
    const form = listFields({ ...fields, ...(isInField && { access_token: token }), ...proof });
    const request = {
      service: VIDEO,
      verb,
      url: address(path, isForm ? {} : { ...query, ...proof }),
      headers: { accept: "application/json", ...(!isInField && { authorization: `Bearer ${token}` }) },
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    };
    if (file !== undefined) {
      const body = createMultipart([...form.map(([name, text]) => ({ name, text })), file]);
      return () => http.upload({ ...request, method: "POST", body, idleMs: UPLOAD_IDLE_MS });
    }
    const body = isForm && { body: formBody(form) };
    return () => http.request({ ...request, method, ...body, timeoutMs: TIMEOUT_MS, retries: 0 });
  }

  /** The service answers requests for a retired version with another version, and says so only in a header. */
  function noteVersion({ headers }: HttpAnswer): void {
    const served = headers["facebook-api-version"];
    if (!isVersionTold && served !== undefined && served !== version) {
      isVersionTold = true;
      log.warn({ service: VIDEO, version, served }, "other API version served");
    }
  }

  /** Sends a request; a GET is repeated once if the service is unavailable. */
  async function ask<T>(account: VideoAccount, call: VideoCall, schema: z.ZodType<T>): Promise<T> {
    const { verb, method, signal } = call;
    const send = prepare(account, call);
    async function attempt(): Promise<T> {
      await limiter.before(account.token, signal);
      const answer = await send();
      const refusal = findRefusal(answer, verb, clock.now());
      limiter.note(account.token, answer, refusal);
      noteVersion(answer);
      if (refusal !== undefined) {
        throw refusal;
      }
      return parseJsonAnswer(VIDEO, answer, schema, parseExactJson);
    }
    if (method === "GET") {
      return recover(attempt(), ["unavailable"], async () => {
        await wait(VIDEO, clock, SECOND_TRY_MS, signal);
        return attempt();
      });
    }
    return attempt().catch((error: unknown) => {
      throw explainLostWrite(error, call);
    });
  }

  return {
    ask,
    get: <T>(
      account: VideoAccount,
      verb: string,
      path: readonly string[],
      query: Fields,
      schema: z.ZodType<T>,
    ): Promise<T> => ask(account, { verb, method: "GET", path, query }, schema),
    /** Returns the id in the answer, if any. Throws `rejected` if the answer says that it did not succeed. */
    async write(account: VideoAccount, call: VideoCall): Promise<string | undefined> {
      const { id, success } = await ask(account, call, writtenSchema);
      if (success === false) {
        throw new ServiceError(VIDEO, "rejected", `${call.verb}: success is false`);
      }
      return id;
    },
  };
}

export type VideoApi = ReturnType<typeof createVideoApi>;

function listFields(fields: Fields): [string, string][] {
  return Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1]));
}

function formBody(fields: [string, string][]): HttpBody {
  const content = new TextEncoder().encode(new URLSearchParams(fields).toString());
  return () => ({ headers: { "content-type": "application/x-www-form-urlencoded" }, content });
}

/** The service answered, but the answer does not show whether the write happened. */
const UNCLEAR: ReadonlySet<ServiceErrorKind> = new Set(["unavailable", "unexpected-answer", "timeout"]);

/** A write may have happened even if the answer was a server error or unreadable. */
function explainLostWrite(error: unknown, { verb, lost }: VideoCall): unknown {
  if (!(error instanceof ServiceError) || error.service !== VIDEO) {
    return error;
  }
  const { kind, status, requestId } = error;
  const isUnclear = kind === "outcome-unknown" || (status !== undefined && UNCLEAR.has(kind));
  const meaning = lost === "harmless" ? "unavailable" : "outcome-unknown";
  const details = { status, requestId, cause: error };
  return isUnclear ? new ServiceError(VIDEO, meaning, `${verb}: the answer was lost`, details) : error;
}
