// One request to the Rail Data Marketplace: a product's own address and key, refusals, shape.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { type Asking, type Refusal, type SourceRequest, createSourceRequest, readRefusal } from "../ask.ts";

/** The name of the source in errors and logs. */
export const RAIL_DATA = "rail-data";

/** A product that the operator subscribes to. Each has its own address and key; no product accepts another's key. */
export interface RailDataProduct {
  /** Up to and including the version, e.g. `https://api1.raildata.org.uk/1010-…/LDBWS/api/20220120`. */
  readonly url: URL;
  readonly key: string;
}

export interface RailDataRequest extends Pick<SourceRequest, "verb" | "path" | "query"> {
  readonly product: RailDataProduct;
}

/** The gateway refuses the default user agents of libraries, with a page that looks like the one for a refused key. */
const USER_AGENT = "Signalbox (Discord bot for departure boards)";
/**
 * How many requests run at once. The gateway does not document its limit for bursts. A public client that runs daily waits
 * 100 ms between its calls (mwagstaff/train-track-uk); two at a time come to about the same rate.
 */
const AT_ONCE = 2;

/**
 * Asks once and reads the answer; after a status of 500, which valid questions get too, it asks once more. Throws what `Http`
 * throws, and ServiceErrors of the kinds unauthorised, not-permitted, budget-spent, rate-limited, not-found, unavailable,
 * rejected and unexpected-answer.
 */
export type AskRailData = <T>(request: RailDataRequest, schema: z.ZodType<T>) => Promise<T>;

export function createAskRailData(asking: Asking): AskRailData {
  const source = createSourceRequest(RAIL_DATA, asking);
  const inTurn = createTurns(AT_ONCE);

  return async ({ product: { url, key }, ...request }, schema) => {
    const headers = { "user-agent": USER_AGENT, "x-apikey": key };
    const sendOnce = (): Promise<HttpAnswer> => source.send({ ...request, baseUrl: url, headers });
    const answer = await inTurn(async () => {
      const first = await sendOnce();
      return first.status === 500 ? sendOnce() : first;
    });
    const { status } = answer;
    if (status < 200 || status >= 300) {
      const code = readRefusal(answer, faultSchema)?.fault.detail.errorcode ?? "";
      const [kind, meaning] = refusalOf(status, code, isPage(answer));
      throw await source.refusal(answer, [kind, `answered ${status}: ${meaning}`]);
    }
    return parseJsonAnswer(RAIL_DATA, answer, schema);
  };
}

/** Runs at most `atOnce` pieces of work at a time, in the order of the calls. */
function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free === 0) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      free -= 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        free += 1;
      }
    }
  };
}

/** The error for an answer in which nothing is usable. */
export function unexpectedAnswer(message: string): ServiceError {
  return new ServiceError(RAIL_DATA, "unexpected-answer", message);
}

/** The kind of error for a status, and its meaning in words for the log. */
function refusalOf(status: number, code: string, isHtml: boolean): Refusal {
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

function isPage({ headers, bytes }: HttpAnswer): boolean {
  return (
    headers["content-type"]?.toLowerCase().startsWith("text/html") === true ||
    new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith("<")
  );
}

/** The error body of the gateway, which is Apigee. */
const faultSchema = z.object({ fault: z.object({ detail: z.object({ errorcode: z.string() }) }) });
