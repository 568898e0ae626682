// The status of the lines. Chance decides every three hours which have trouble; a test or a person can set a status.
import { hash } from "../transport/railway/chance.ts";
import { addDays, dayOfWeek, formatUkDate, formatUkTime, ukMoment } from "../transport/railway/uk-time.ts";
import { LINES, type TflLine } from "./stops.ts";

/** TfL's severities. A higher number is not always better. */
const WORDS: Readonly<Record<number, string>> = {
  1: "Closed",
  2: "Suspended",
  3: "Part Suspended",
  4: "Planned Closure",
  5: "Part Closure",
  6: "Severe Delays",
  7: "Reduced Service",
  8: "Bus Service",
  9: "Minor Delays",
  10: "Good Service",
  16: "Not Running",
  20: "Service Closed",
};

const NOTHING_RUNS: ReadonlySet<number> = new Set([1, 2, 16, 20]);

export interface LineOrder {
  readonly severity: number;
  /** Without the line's name, which the answer puts before it. */
  readonly reason?: string;
}

export type Lines = ReturnType<typeof createLines>;

const PERIOD_HOURS = 3;
const TREE = "Part of the line is suspended while we remove a tree, with severe delays elsewhere. ";
const TROUBLES: readonly (readonly LineOrder[])[] = [
  [
    {
      severity: 9,
      reason: "Minor delays while we fix a signal failure. GOOD SERVICE on the rest of the line. ",
    },
  ],
  [
    {
      severity: 6,
      reason: "Severe delays because of an earlier faulty train. Tickets are valid on local buses. ",
    },
  ],
  // One incident often causes two statuses, each with the whole reason.
  [
    { severity: 6, reason: TREE },
    { severity: 3, reason: TREE },
  ],
  [{ severity: 7, reason: "Trains run less often because of a shortage of trains. " }],
];

const GOOD = 10;
const PLANNED = 4;
const CLOSED: readonly LineOrder[] = [
  { severity: 20, reason: "Train service will resume later this morning. " },
];

/** The first trains run at about five, the last at about one. */
function isNight(nowMs: number): boolean {
  const time = formatUkTime(nowMs);
  return time >= "01:00" && time < "05:00";
}

export function createLines(seed: number) {
  const orders = new Map<string, readonly LineOrder[]>();

  function ordersFor({ id }: TflLine, nowMs: number): readonly LineOrder[] {
    const period = Math.floor(Number(formatUkTime(nowMs).slice(0, 2)) / PERIOD_HOURS);
    const roll = hash(seed, id, formatUkDate(nowMs), period);
    const drawn = roll % 8 === 0 ? (TROUBLES[(roll >>> 8) % TROUBLES.length] ?? []) : [];
    return orders.get(id) ?? (isNight(nowMs) ? CLOSED : drawn);
  }

  return {
    /** Sets a line's statuses, whatever chance decides. None: good service. */
    set: (lineId: string, ...given: readonly LineOrder[]) => void orders.set(lineId, given),
    runs: (line: TflLine, nowMs: number) =>
      !ordersFor(line, nowMs).some(({ severity }) => NOTHING_RUNS.has(severity)),
    /** The answer of `/Line/…/Status`, in the order of `lines`. */
    statusOf: (lines: readonly TflLine[], nowMs: number) =>
      lines.map((line) => {
        const current = ordersFor(line, nowMs).map((order) => formatCurrent(line, order, nowMs));
        return {
          $type: "Tfl.Api.Presentation.Entities.Line, Tfl.Api.Presentation.Entities",
          id: line.id,
          name: line.name,
          modeName: line.mode,
          disruptions: [],
          created: "2026-11-10T11:01:31.31Z",
          modified: "2026-11-10T11:01:31.31Z",
          lineStatuses: [
            ...(current.length === 0 ? [formatStatus(GOOD)] : current),
            // A closure on the coming Sunday is listed all week.
            ...(isClosedOnSunday(line, nowMs, seed) ? [formatClosure(line, nowMs)] : []),
          ],
          routeSections: [],
          serviceTypes: [{ name: "Regular", uri: `/Line/Route?ids=${line.name}&serviceTypes=Regular` }],
          crowding: {},
        };
      }),
  };
}

/** Minutes after midnight. TfL's disruptions end at 01:29. */
const END_OF_TRAFFIC = 89;

function formatStatus(severity: number) {
  return {
    id: 0,
    statusSeverity: severity,
    statusSeverityDescription: WORDS[severity] ?? `Severity ${severity}`,
    created: "0001-01-01T00:00:00",
    validityPeriods: [],
  };
}

function formatCurrent(line: TflLine, { severity, reason = "" }: LineOrder, nowMs: number) {
  const reasonText = `${line.name.replace(/ line$/i, "")} Line: ${reason}`;
  const toMs = ukMoment(addDays(formatUkDate(nowMs), 1), END_OF_TRAFFIC);
  return severity === GOOD
    ? formatStatus(severity)
    : {
        ...formatStatus(severity),
        ...disruptionFields(line, reasonText, "RealTime", nowMs - 20 * 60_000, toMs),
      };
}

function formatClosure(line: TflLine, nowMs: number) {
  const sunday = sundayFrom(nowMs);
  const reasonText = `${line.name.toUpperCase()} LINE: Sunday ${sunday}, no service while we renew the track. Use local buses.`;
  const span = [ukMoment(sunday, 4 * 60 + 30), ukMoment(addDays(sunday, 1), END_OF_TRAFFIC)] as const;
  return { ...formatStatus(PLANNED), ...disruptionFields(line, reasonText, "PlannedWork", ...span) };
}

function disruptionFields(line: TflLine, reasonText: string, category: string, fromMs: number, toMs: number) {
  return {
    lineId: line.id,
    reason: reasonText,
    validityPeriods: [
      {
        fromDate: new Date(fromMs).toISOString(),
        toDate: new Date(toMs).toISOString(),
        // For planned work it stays false even on the day itself.
        isNow: category === "RealTime",
      },
    ],
    disruption: {
      category,
      categoryDescription: category,
      description: reasonText,
      affectedRoutes: [],
      affectedStops: [],
      closureText: category === "RealTime" ? "delays" : "plannedClosure",
    },
  };
}

function sundayFrom(nowMs: number): string {
  const today = formatUkDate(nowMs);
  return addDays(today, 7 - dayOfWeek(today));
}

function isClosedOnSunday({ id, mode }: TflLine, nowMs: number, seed: number): boolean {
  const tubes = LINES.filter((line) => line.mode === "tube");
  return mode === "tube" && tubes[hash(seed, sundayFrom(nowMs)) % tubes.length]?.id === id;
}
