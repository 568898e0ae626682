// The client for Transport for London's Unified API: departures at a stop, and the status of London's lines.
import { z } from "zod";
import { type HttpAnswer, isSuccess } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";
import { currentInstant } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type AskOptions, type Refusal, createAsk, isHtmlPage } from "../ask.ts";
import { looseTexts } from "../read-values.ts";
import type { BusStopQuestion, TransportQuestion } from "../transport-data.ts";
import { readLondonBusStop, readStopBoard } from "./read-arrivals.ts";
import { readLineStatus } from "./read-line-status.ts";

/** The modes whose lines have a status here: all except buses, which have 600 lines. */
const STATUS_MODES = "tube,dlr,elizabeth-line,overground,tram,river-bus,cable-car";

/** Not a hub (`HUB…`) or a pair of bus stops (`490G…`), for which TfL always answers an empty list. */
const STOP = /^(?:940GZZ|910G|930G|490(?!G))[0-9A-Z]{3,9}$/;

/** With a key, 429s should be rare. TfL may be ignoring the key: no document mentions the header. */
const WARN_EVERY_MS = 60 * 60_000;

/** Whether this is the id of a station, pier or bus stop in London, for which TfL has departures. */
export function isLondonStop(id: string): boolean {
  return STOP.test(id) && id.length <= 12;
}

/** Creates a client with or without a key. Each method sends one request and throws as {@link createAsk} says. */
export function createTflClient(
  deps: AskOptions & {
    /** e.g. `https://api.tfl.gov.uk`; may have a path. */
    readonly baseUrl: URL;
    /** `undefined` if there is none: TfL then allows a tenth of the rate. */
    readonly appKey: string | undefined;
    readonly log: Log;
  },
) {
  const { baseUrl, appKey, log, ...asking } = deps;
  const now = () => currentInstant(asking.clock);
  const headers = {
    // TfL answers requests without a user agent, or with a library's, with an HTML page.
    "user-agent": "Signalbox",
    // A header, not part of the address, because TfL's refusals repeat the address.
    ...(appKey !== undefined && { app_key: appKey }),
  };
  let warnedAtMs = -Infinity;
  const explain = (answer: HttpAnswer): Refusal | undefined => {
    const nowMs = asking.clock.elapsed();
    if (answer.status === 429 && appKey !== undefined && nowMs - warnedAtMs >= WARN_EVERY_MS) {
      warnedAtMs = nowMs;
      log.warn({ service: "tfl", status: answer.status }, "key perhaps refused or ignored");
    }
    return refusalOf(answer);
  };
  const ask = createAsk("tfl", asking, explain, "rate-limited");

  const list = (verb: string, path: string): Promise<readonly unknown[]> =>
    ask({ verb, baseUrl, path, headers }, z.array(z.unknown()));

  const arrivals = (verb: string, id: string): Promise<readonly unknown[]> => {
    // The id becomes part of a path, so anything else must be refused.
    if (!isLondonStop(id)) {
      throw new RangeError("no stop in London has such an id");
    }
    return list(verb, `/StopPoint/${id}/Arrivals`);
  };

  return {
    /** Whether it is about departures at a London stop. TfL has no origins and no calling points. */
    canAnswer({ crs, kind, via }: TransportQuestion): boolean {
      return kind === "departures" && via === undefined && isLondonStop(crs);
    },
    async board(question: TransportQuestion) {
      return readStopBoard(await arrivals("board", question.crs), question, now(), (skippedRows) =>
        log.warn({ service: "tfl", crs: question.crs, skippedRows }, "board rows skipped"),
      );
    },
    /** The buses at one stop, which is for one direction. */
    async busStop(question: BusStopQuestion) {
      return readLondonBusStop(await arrivals("bus-stop", question.atco), question, now());
    },
    /** The status of London's lines, without the buses. */
    async network() {
      return readLineStatus(await list("network", `/Line/Mode/${STATUS_MODES}/Status`), now());
    },
  };
}

/** `httpStatusCode` is usually a number, but has been reported as a word. */
const refusalSchema = z.object(looseTexts("$type", "exceptionType", "httpStatusCode", "message"));

/** Why TfL refused a request; `undefined` if it did not. Some refusals have the status 200. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { status } = answer;
  // An HTML page comes from a server in front of TfL and says nothing about the question.
  if (isHtmlPage(answer) && status !== 401) {
    return ["unavailable", `answered ${status} with HTML`];
  }
  const {
    $type = "",
    exceptionType,
    httpStatusCode,
    message = "",
  } = readRefusal(answer, refusalSchema) ?? {};
  const hasError = isSuccess(answer) && (exceptionType !== undefined || /ApiError|HttpError/.test($type));
  if (isSuccess(answer) && !hasError) {
    return undefined;
  }
  const within = hasError ? statusWithin(httpStatusCode) : status;
  return [kindOf(within, message), `answered ${status}${hasError ? ` with the error ${within} inside` : ""}`];
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
      // TfL has been seen to answer 429 for an unknown key.
      return /app_?key|subscription key/i.test(message) ? "unauthorised" : "rate-limited";
    default:
      // 300: the id could mean several places. 400: no place has this id.
      return status >= 500 ? "unavailable" : "rejected";
  }
}
