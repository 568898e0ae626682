// A request to the Rail Data Marketplace. Each product has its own address and key.
import pLimit from "p-limit";
import { z } from "zod";
import { type HttpAnswer, isSuccess } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";
import { type AskOptions, type Refusal, type SourceRequest, createAsk, isHtmlPage } from "../ask.ts";

/** A product that the operator has subscribed to. No product accepts another one's key. */
export interface RailDataProduct {
  /** Up to and including the version, e.g. `https://api1.raildata.org.uk/1010-…/LDBWS/api/20220120`. */
  readonly url: URL;
  readonly key: string;
}

/** The gateway refuses the default user agents of libraries, with the same kind of page as for a refused key. */
const USER_AGENT = "Signalbox (Discord bot for departure boards)";
/**
 * How many requests run at the same time. The gateway does not document its limit for bursts. A public client that runs
 * daily (mwagstaff/train-track-uk) waits 100 ms between its calls; two requests at a time reach about the same rate.
 */
const CONCURRENCY = 2;

/** As {@link createAsk}, but retries once after a status of 500, because valid questions get one too. */
export function createAskRailData({ http, ...asking }: AskOptions) {
  const inQueue = pLimit(CONCURRENCY);
  const retryingHttp: AskOptions["http"] = {
    ...http,
    request: (request) =>
      inQueue(async () => {
        const first = await http.request(request);
        return first.status === 500 ? http.request(request) : first;
      }),
  };
  const ask = createAsk("rail-data", { http: retryingHttp, ...asking }, (answer) =>
    isSuccess(answer) ? undefined : refusalOf(answer),
  );
  return <T>(
    { url, key }: RailDataProduct,
    request: Pick<SourceRequest, "verb" | "path" | "query">,
    schema: z.ZodType<T>,
  ): Promise<T> =>
    ask({ ...request, baseUrl: url, headers: { "user-agent": USER_AGENT, "x-apikey": key } }, schema);
}

function refusalOf(answer: HttpAnswer): Refusal {
  const code = readRefusal(answer, faultSchema)?.fault.detail.errorcode ?? "";
  const [kind, meaning] = meaningOf(answer.status, code, isHtmlPage(answer));
  return [kind, `answered ${answer.status}: ${meaning}`];
}

function meaningOf(status: number, code: string, isHtml: boolean): Refusal {
  switch (status) {
    case 401:
      return [
        "unauthorised",
        code.endsWith("FailedToResolveAPIKey")
          ? "the key did not arrive"
          : "the key is wrong, expired or another product's",
      ];
    case 403:
      return [
        "not-permitted",
        isHtml ? "the edge refuses our User-Agent" : "the subscription of this product is not active",
      ];
    case 400:
    case 404:
      return ["not-found", "no such station or train"];
    case 429:
      return code.endsWith("QuotaViolation")
        ? ["budget-spent", "the plan is used up"]
        : ["rate-limited", "too many requests at once"];
    case 500:
      return ["unavailable", "it failed twice, or the product does not offer this operation"];
    default:
      return status > 500
        ? ["unavailable", "it cannot be reached"]
        : status < 400
          ? ["unexpected-answer", "it redirects us"]
          : ["rejected", "it rejects the request"];
  }
}

/** The body of an error from the gateway, which is Apigee. */
const faultSchema = z.object({ fault: z.object({ detail: z.object({ errorcode: z.string() }) }) });
