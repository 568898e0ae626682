// The railway's own live boards, from the Rail Data Marketplace: departures, arrivals and single trains, no timetables.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { startOfMinute } from "../../time/uk-time.ts";
import { type Asking, CRS, checkedCrs } from "../ask.ts";
import type {
  TransportBoard,
  TransportNetwork,
  TransportQuestion,
  TransportTrain,
  TransportTrainQuestion,
} from "../transport-data.ts";
import { type RailDataProduct, createAskRailData } from "./ask.ts";
import { type BoardWindow, boardSchema, readBoard, serviceIdOf } from "./read-board.ts";
import { readNetwork } from "./read-network.ts";
import { readTrain, trainSchema } from "./read-train.ts";

/** The products that the operator has subscribed to. Questions that need another product are not answered. */
export interface RailDataSettings {
  readonly departures?: RailDataProduct | undefined;
  readonly arrivals?: RailDataProduct | undefined;
  /** Service Details: where a single train calls. */
  readonly service?: RailDataProduct | undefined;
  /** Disruptions Experience: what each operator reports about its service. */
  readonly disruptions?: RailDataProduct | undefined;
}

export type RailDataClient = ReturnType<typeof createRailDataClient>;

/** The most rows of a plain board. A board with details has 10, too few to serve everybody who asks about a station. */
const MOST_ROWS = 149;
/** The API accepts a board that begins at most this many minutes ahead. */
const MOST_OFFSET_MINUTES = 119;
/** The specification allows 119, although its default is 120. */
const MOST_WINDOW_MINUTES = 120;

/** The last minutes of the furthest board are too few to be worth asking for. */
const WORTH_ASKING_MINUTES = 10;

/** Each verb throws as {@link createAskRailData} says. */
export function createRailDataClient({
  settings,
  log,
  ...dependencies
}: Asking & {
  readonly settings: RailDataSettings;
  /** Gets a line when rows of an answer could not be used. */
  readonly log: Log;
}) {
  const ask = createAskRailData(dependencies);
  const now = () => currentInstant(dependencies.clock);

  return {
    /** Whether the product is set up and a board reaches far enough ahead. */
    canAnswer(question: TransportQuestion): boolean {
      return (
        CRS.test(question.crs) &&
        settings[question.kind] !== undefined &&
        // Of thousands of boards this is asked every few seconds: Temporal is slow.
        (question.from === undefined
          ? question.windowMinutes <= MOST_WINDOW_MINUTES
          : windowOf(question, now()) !== undefined)
      );
    },
    async board(question: TransportQuestion): Promise<TransportBoard> {
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
    /** The calling points of a train on one of its boards, until about two minutes after the train has left that station. */
    async train({ trainUid }: Pick<TransportTrainQuestion, "trainUid">): Promise<TransportTrain> {
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
    /** How the train operators run, as they report it. */
    async network(): Promise<TransportNetwork> {
      if (settings.disruptions === undefined) {
        throw new ServiceError("rail-data", "not-found", "the state of the network needs another product");
      }
      const path = "/tocs/serviceIndicators";
      const body = await ask(settings.disruptions, { verb: "network", path }, z.unknown());
      return readNetwork(body, now());
    },
  };
}

/** The service also answers 500 for a train that it no longer knows; it has no other trouble then. */
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
 * The window to ask for; `undefined` for one that is over, is longer than a board, or begins after the furthest board's end.
 * A window that reaches further than the furthest board gets what that board has.
 */
function windowOf(
  { from, windowMinutes, limit }: TransportQuestion,
  now: Temporal.Instant,
): (BoardWindow & { readonly offsetMinutes: number }) | undefined {
  const thisMinute = startOfMinute(now);
  const aheadMinutes = from ? startOfMinute(from).since(thisMinute).total("minutes") : 0;
  const offsetMinutes = Math.min(aheadMinutes, MOST_OFFSET_MINUTES);
  const minutes = Math.min(aheadMinutes - offsetMinutes + windowMinutes, MOST_WINDOW_MINUTES);
  const isWithin =
    aheadMinutes >= 0 &&
    windowMinutes <= MOST_WINDOW_MINUTES &&
    aheadMinutes + WORTH_ASKING_MINUTES <= MOST_OFFSET_MINUTES + MOST_WINDOW_MINUTES;
  return isWithin
    ? {
        start: thisMinute.add({ minutes: offsetMinutes }),
        offsetMinutes,
        minutes,
        rows: Math.min(limit, MOST_ROWS),
      }
    : undefined;
}
