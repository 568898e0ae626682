// Transport for London's Unified API: what comes next at a stop, and how London's lines run.
import { z } from "zod";
import type { HttpAnswer } from "../../core/http.ts";
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type Asking, type Refusal, createAsk, isPage, isSuccess, readRefusal } from "../ask.ts";
import { looseTexts } from "../read-values.ts";
import type {
  BusStopQuestion,
  TransportBoard,
  TransportBusStop,
  TransportNetwork,
  TransportQuestion,
} from "../transport-data.ts";
import { readLondonBusStop, readStopBoard } from "./read-arrivals.ts";
import { readLineStatus } from "./read-line-status.ts";

/** The modes whose lines' status is asked for: all but the buses, which have 600 lines. */
const STATUS_MODES = "tube,dlr,elizabeth-line,overground,tram,river-bus,cable-car";

/**
 * The id of a station, a stop or a pier. Hubs (`HUB…`) and pairs of bus stops (`490G…`) are never asked: TfL always answers
 * them with an empty list.
 */
const STOP = /^(?:940GZZ|910G|930G|490(?!G))[0-9A-Z]{3,9}$/;

/** Whether TfL has departures for an id: that of a station, pier or bus stop in London. */
export function isLondonStop(id: string): boolean {
  return STOP.test(id) && id.length <= 12;
}

/** A client with or without a key. Each verb is one request and throws as {@link createAskTfl} says. */
export function createTflClient(dependencies: AskTflDependencies) {
  const { clock, log } = dependencies;
  const ask = createAskTfl(dependencies);
  const now = () => currentInstant(clock);

  const arrivals = (verb: string, id: string): Promise<readonly unknown[]> => {
    // An id becomes part of a path, so anything else must be refused.
    if (!isLondonStop(id)) {
      throw new RangeError("no stop in London has such an id");
    }
    return ask(verb, `/StopPoint/${id}/Arrivals`);
  };

  return {
    /** The departures at a stop. TfL does not say where a train comes from or where it calls. */
    canAnswer({ crs, kind, via }: TransportQuestion): boolean {
      return kind === "departures" && via === undefined && isLondonStop(crs);
    },
    async board(question: TransportQuestion): Promise<TransportBoard> {
      return readStopBoard(await arrivals("board", question.crs), question, now(), (skippedRows) =>
        log.warn({ service: "tfl", crs: question.crs, skippedRows }, "board rows skipped"),
      );
    },
    /** The buses at one stop, which serves one direction. */
    async busStop(question: BusStopQuestion): Promise<TransportBusStop> {
      return readLondonBusStop(await arrivals("bus-stop", question.atco), question, now());
    },
    /** How London's lines run, without the buses. */
    async network(): Promise<TransportNetwork> {
      return readLineStatus(await ask("network", `/Line/Mode/${STATUS_MODES}/Status`), now());
    },
  };
}

interface AskTflDependencies extends Asking {
  /** e.g. `https://api.tfl.gov.uk`; a path is kept. */
  readonly baseUrl: URL;
  /** `undefined`: no key is sent, and TfL allows a tenth of the rate. */
  readonly appKey: string | undefined;
  readonly log: Log;
}

/** Returns a function that gets a list from a path; the caller has encoded the parts that come from outside. */
function createAskTfl({ baseUrl, appKey, log, ...asking }: AskTflDependencies) {
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

/** The status is usually a number; one report shows a word. */
const refusalSchema = z.object(looseTexts("$type", "exceptionType", "httpStatusCode", "message"));

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
