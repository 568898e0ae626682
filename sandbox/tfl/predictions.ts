// The next arrivals at a stop, as rows with all the oddities of TfL's. A train stays the same from one request to the
// next, but follows no timetable.
import { busesAt } from "../transport/board/bus-board.ts";
import type { Stop } from "../transport/map/local-lines.ts";
import { hash } from "../transport/railway/chance.ts";
import { longName, directionsOf, type TflLine, type TflStop } from "./stops.ts";

export type Prediction = Readonly<Record<string, unknown>>;

const SECOND_MS = 1_000;
/** How far ahead predictions reach. */
const WINDOW_MS = 30 * 60 * SECOND_MS;
/** How long a train or bus stays listed after its arrival. */
const DUE_MS = 20 * SECOND_MS;

/** Seconds between two trains of a line in one direction, by mode. */
const EVERY_SECONDS: Readonly<Record<string, number>> = {
  tube: 210,
  dlr: 300,
  "elizabeth-line": 360,
  overground: 600,
  tram: 480,
  "river-bus": 1_200,
  "cable-car": 60,
};

/** The trains, trams and boats at a stop, in no particular order. Lines that do not run are left out. */
export function predictionsAt(
  stop: TflStop,
  nowMs: number,
  seed: number,
  runs: (line: TflLine) => boolean,
): readonly Prediction[] {
  const rows = stop.lines
    .filter(runs)
    .flatMap((line, place) =>
      directionsOf(line).flatMap(({ way, ends }, index) =>
        ends.flatMap((end) =>
          trainsTo(
            { stop, line, way, end, terminusCount: ends.length, platform: place * 2 + index + 1 },
            nowMs,
            seed,
          ),
        ),
      ),
    );
  return shuffled(rows, nowMs);
}

interface Direction {
  readonly stop: TflStop;
  readonly line: TflLine;
  readonly way: string;
  readonly end: TflStop;
  /** How many termini the trains in this direction are shared among. */
  readonly terminusCount: number;
  readonly platform: number;
}

function trainsTo(direction: Direction, nowMs: number, seed: number): readonly Prediction[] {
  const { stop, line, end, terminusCount } = direction;
  const everyMs = (EVERY_SECONDS[line.mode] ?? 600) * terminusCount * SECOND_MS;
  const phaseMs = hash(seed, stop.id, line.id, end.id) % everyMs;
  const first = Math.floor((nowMs - phaseMs) / everyMs);
  const numbers = Array.from({ length: Math.ceil(WINDOW_MS / everyMs) + 2 }, (_, index) => first + index);
  return numbers.flatMap((number) => {
    const roll = hash(seed, stop.id, line.id, end.id, number);
    const dueMs = number * everyMs + phaseMs + (roll % 45) * SECOND_MS;
    return dueMs < nowMs - DUE_MS || dueMs > nowMs + WINDOW_MS
      ? []
      : rowsOf(direction, { dueMs, roll, nowMs });
  });
}

/** A train's row; at its terminus, one row for each platform at which it may arrive. */
function rowsOf(
  { stop, line, way, end, platform }: Direction,
  { dueMs, roll, nowMs }: { readonly dueMs: number; readonly roll: number; readonly nowMs: number },
): readonly Prediction[] {
  const isTube = line.mode === "tube";
  // The branch is only named here, and Charing Cross is abbreviated.
  const towards = line.id === "northern" ? `${end.name} via ${roll % 2 === 0 ? "Bank" : "CX"}` : end.name;
  // The destination of some tube trains is not known yet.
  const isUnknown = isTube && roll % 17 === 0;
  const row = (name: string): Prediction => ({
    ...commonFields(stop.id, longName(stop), dueMs, nowMs),
    // On the DLR, all trains at a platform share one id.
    id: String(line.mode === "dlr" ? hash(stop.id, name) | 0 : roll | 0),
    vehicleId: line.mode === "dlr" ? "" : roll % 13 === 0 ? "000" : String(100 + (roll % 300)),
    lineId: line.id,
    lineName: line.name,
    platformName: name,
    ...(roll % 3 > 0 && { direction: roll % 2 === 0 ? "inbound" : "outbound" }),
    bearing: "",
    ...(!isUnknown && { destinationNaptanId: end.id, destinationName: longName(end) }),
    currentLocation: line.mode === "dlr" ? "" : `Between stations`,
    towards: line.mode === "dlr" ? "" : isUnknown ? "Check Front of Train" : towards,
    modeName: line.mode,
  });
  if (end.id === stop.id) {
    return [1, 2, 3].map((number) => row(platformName(line, way, number)));
  }
  return [row(platformName(line, way, platform))];
}

function platformName({ mode }: TflLine, way: string, number: number): string {
  switch (mode) {
    case "tube":
      return `${way} - Platform ${number}`;
    case "dlr":
    case "elizabeth-line":
    case "overground":
      return `Platform ${number}`;
    default:
      return "null";
  }
}

/** The buses at a stop, which are those of the transport service's stand-in. */
export function busPredictionsAt(stop: Stop, nowMs: number, seed: number): readonly Prediction[] {
  const due = busesAt({ stop, fromMs: nowMs - DUE_MS, toMs: nowMs + WINDOW_MS, isLive: true }, nowMs, seed);
  const rows = due.map(({ line, direction, towards, dueMs, expectedMs = dueMs }): Prediction => {
    const number = hash(line.id, dueMs);
    return {
      ...commonFields(stop.atcocode, stop.name, expectedMs, nowMs),
      id: String(number | 0),
      vehicleId: `LX${String(10 + (number % 60))}${line.id}`,
      lineId: line.name.toLowerCase(),
      lineName: line.name,
      platformName: stop.letter ?? "null",
      direction,
      bearing: String(hash(stop.atcocode) % 360),
      tripId: String(number),
      baseVersion: "20261101",
      destinationNaptanId: "",
      destinationName: towards,
      currentLocation: "",
      towards: towards,
      modeName: "bus",
    };
  });
  return shuffled(rows, nowMs);
}

/** Unknown times are written with and without a `Z`, as TfL does. */
function commonFields(naptanId: string, stationName: string, expectedMs: number, nowMs: number): Prediction {
  // TfL caches answers: this one is up to 20 seconds old, and `timeToStation` counts from then.
  const madeMs = nowMs - (hash(naptanId, Math.floor(nowMs / 30_000)) % 20) * SECOND_MS;
  return {
    $type: "Tfl.Api.Presentation.Entities.Prediction, Tfl.Api.Presentation.Entities",
    operationType: 1,
    naptanId,
    stationName,
    timestamp: `${new Date(madeMs).toISOString().slice(0, 19)}.4542597Z`,
    timeToStation: Math.max(0, Math.round((expectedMs - madeMs) / SECOND_MS)),
    expectedArrival: seconds(expectedMs),
    timeToLive: seconds(expectedMs + DUE_MS),
    timing: {
      $type: "Tfl.Api.Presentation.Entities.PredictionTiming, Tfl.Api.Presentation.Entities",
      countdownServerAdjustment: "00:00:00",
      source: "0001-01-01T00:00:00",
      insert: "0001-01-01T00:00:00",
      read: new Date(madeMs).toISOString(),
      sent: seconds(madeMs),
      received: "0001-01-01T00:00:00Z",
    },
  };
}

function seconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

function shuffled(rows: readonly Prediction[], nowMs: number): readonly Prediction[] {
  const minute = Math.floor(nowMs / 60_000);
  return rows
    .map((row, index) => ({ row, place: hash(minute, index) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ row }) => row);
}
