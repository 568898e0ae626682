// The railway's own live boards, from the Rail Data Marketplace: departures, arrivals and single trains, no timetables.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { startOfMinute } from "../../time/uk-time.ts";
import { type AskOptions, CRS, checkedCrs } from "../ask.ts";
import type { TransportQuestion, TransportTrainQuestion } from "../transport-data.ts";
import { type RailDataProduct, createAskRailData } from "./ask.ts";
import { type BoardWindow, boardSchema, readBoard, serviceIdOf } from "./read-board.ts";
import { readNetwork } from "./read-network.ts";
import { readTrain, trainSchema } from "./read-train.ts";

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
