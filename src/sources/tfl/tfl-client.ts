// Transport for London's Unified API: what comes next at a stop, and how London's lines run.
import type {
  BusStopQuestion,
  TransportBoard,
  TransportBusStop,
  TransportNetwork,
  TransportQuestion,
} from "../transport-data.ts";
import { type AskTflDependencies, createAskTfl } from "./ask.ts";
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
  const now = (): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(clock.now());

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
      const { board, skippedRows } = readStopBoard(await arrivals("board", question.crs), question, now());
      if (skippedRows > 0) {
        log.warn({ service: "tfl", crs: question.crs, skippedRows }, "board rows skipped");
      }
      return board;
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
