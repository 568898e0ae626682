// The railway's own live boards, from the Rail Data Marketplace: departures, arrivals and single trains, no timetables.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { startOfMinute } from "../../time/uk-time.ts";
import {
  type AskOptions,
  CRS,
  checkedCrs,
  type Refusal,
  type SourceRequest,
  createAsk,
  isHtmlPage,
} from "../ask.ts";
import type { TransportQuestion, TransportTrainQuestion } from "../transport-data.ts";
import { type BoardWindow, boardSchema, readBoard, serviceIdOf } from "./read-board.ts";
import { readNetwork } from "./read-network.ts";
import { readTrain, trainSchema } from "./read-train.ts";
import pLimit from "p-limit";
import { type HttpAnswer, isSuccess } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";

/** A product that the operator has subscribed to. No product accepts another one's key. */
interface RailDataProduct {
  /** Up to and including the version, e.g. `https://api1.raildata.org.uk/1010-…/LDBWS/api/20220120`. */
  readonly url: URL;
  readonly key: string;
}

/** The products that the operator has subscribed to. Questions that need another product cannot be answered. */
export interface RailDataSettings {
  readonly departures?: RailDataProduct | undefined;
  readonly arrivals?: RailDataProduct | undefined;
  /** Service Details: the calling points of a train. */
  readonly service?: RailDataProduct | undefined;
  /** Disruptions Experience: the state of each train operator's service. */
  readonly disruptions?: RailDataProduct | undefined;
}

export type RailDataClient = ReturnType<typeof createRailDataClient>;

/** A board with details has only 10, too few for everyone who asks about a station. */
const MAX_ROWS = 149;
/** A board can begin at most this many minutes ahead. */
const MAX_OFFSET_MINUTES = 119;
/** The API's default. Its specification allows only 119. */
const MAX_WINDOW_MINUTES = 120;

/** A question is not worth a call if a board could cover fewer of its minutes than this. */
const WORTH_ASKING_MINUTES = 10;

/** Each method throws as {@link createAskRailData} says. */
export function createRailDataClient(
  deps: AskOptions & {
    readonly settings: RailDataSettings;
    /** Gets a warning if some rows of an answer are unusable. */
    readonly log: Log;
  },
) {
  const { settings, log, ...dependencies } = deps;
  const ask = createAskRailData(dependencies);
  const now = () => currentInstant(dependencies.clock);

  return {
    /** Whether the product is set up, and a board reaches far enough ahead. */
    canAnswer(question: TransportQuestion): boolean {
      return (
        CRS.test(question.crs) &&
        settings[question.kind] !== undefined &&
        // This runs for thousands of boards every few seconds, and Temporal is slow.
        (question.from === undefined
          ? question.windowMinutes <= MAX_WINDOW_MINUTES
          : windowOf(question, now()) !== undefined)
      );
    },
    async board(question: TransportQuestion) {
      const askedAt = now();
      const { kind, crs, via } = question;
      const product = settings[kind];
      const window = windowOf(question, askedAt);
      if (product === undefined || window === undefined) {
        throw new ServiceError("rail-data", "not-found", "live boards do not reach that far");
      }
      const isDeparture = kind === "departures";
      const body = await ask(
        product,
        {
          verb: "board",
          path: `/${isDeparture ? "GetDepartureBoard" : "GetArrivalBoard"}/${checkedCrs(crs)}`,
          query: {
            numRows: String(window.rows),
            timeWindow: String(window.minutes),
            ...(window.offsetMinutes > 0 && { timeOffset: String(window.offsetMinutes) }),
            ...(via !== undefined && { filterCrs: checkedCrs(via), filterType: isDeparture ? "to" : "from" }),
          },
        },
        boardSchema,
      );
      return readBoard(body, { question, window, now: askedAt }, (skippedRows) =>
        log.warn({ service: "rail-data", crs, skippedRows }, "board rows skipped"),
      );
    },
    /** They are known until about two minutes after the train has left the board's station. */
    async train({ trainUid }: Pick<TransportTrainQuestion, "trainUid">) {
      const id = serviceIdOf(trainUid);
      if (settings.service === undefined) {
        throw new ServiceError("rail-data", "not-found", "details of trains need another product");
      }
      const path = `/GetServiceDetails/${encodeURIComponent(id)}`;
      const body = await ask(settings.service, { verb: "train", path }, trainSchema).catch(unknownAfter500);
      if (body === null) {
        throw new ServiceError("rail-data", "not-found", "the train is no longer on its board");
      }
      return readTrain(body, now());
    },
    async network() {
      if (settings.disruptions === undefined) {
        throw new ServiceError("rail-data", "not-found", "the state of the network needs another product");
      }
      const path = "/tocs/serviceIndicators";
      const body = await ask(settings.disruptions, { verb: "network", path }, z.unknown());
      return readNetwork(body, now());
    },
  };
}

/** Throws `not-found` after a status of 500: that is how the service answers for a train that it no longer knows. */
function unknownAfter500(error: unknown): never {
  if (error instanceof ServiceError && error.status === 500) {
    throw new ServiceError("rail-data", "not-found", "no details of that train", {
      status: 500,
      cause: error,
    });
  }
  throw error;
}

/**
 * The window to ask for; `undefined` if the question's window has begun before now, is longer than a board, or lies beyond
 * the last possible board. If only its end lies beyond that, the answer covers what the last possible board has.
 */
function windowOf(
  { from, windowMinutes, limit }: TransportQuestion,
  now: Temporal.Instant,
): (BoardWindow & { readonly offsetMinutes: number }) | undefined {
  const thisMinute = startOfMinute(now);
  const aheadMinutes = from ? startOfMinute(from).since(thisMinute).total("minutes") : 0;
  const offsetMinutes = Math.min(aheadMinutes, MAX_OFFSET_MINUTES);
  const minutes = Math.min(aheadMinutes - offsetMinutes + windowMinutes, MAX_WINDOW_MINUTES);
  const isWithin =
    aheadMinutes >= 0 &&
    windowMinutes <= MAX_WINDOW_MINUTES &&
    aheadMinutes + WORTH_ASKING_MINUTES <= MAX_OFFSET_MINUTES + MAX_WINDOW_MINUTES;
  return isWithin
    ? {
        start: thisMinute.add({ minutes: offsetMinutes }),
        offsetMinutes,
        minutes,
        rows: Math.min(limit, MAX_ROWS),
      }
    : undefined;
}

// A request to the Rail Data Marketplace. Each product has its own address and key.

/** The gateway refuses the default user agents of libraries, with the same kind of page as for a refused key. */
const USER_AGENT = "Signalbox (Discord bot for departure boards)";
/**
 * How many requests run at the same time. The gateway does not document its limit for bursts. A public client that runs
 * daily (mwagstaff/train-track-uk) waits 100 ms between its calls; two requests at a time reach about the same rate.
 */
const CONCURRENCY = 2;

/** As {@link createAsk}, but retries once after a status of 500, because valid questions get one too. */
function createAskRailData({ http, ...asking }: AskOptions) {
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
