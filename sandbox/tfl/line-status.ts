// How the lines run: some have trouble, which changes every three hours, and a test or a person may say how one runs.
import { hash } from "../transport/railway/chance.ts";
import { addDays, formatUkDate, formatUkTime, ukMoment } from "../transport/railway/uk-time.ts";
import { LINES, type TflLine } from "./stops.ts";

/** TfL's severities. The numbers are not a scale. */
const WORDS: Readonly<Record<number, string>> = {
  0: "Special Service",
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
  11: "Part Closed",
  13: "No Step Free Access",
  14: "Change of frequency",
  15: "Diverted",
  16: "Not Running",
  17: "Issues Reported",
  18: "No Issues",
  19: "Information",
  20: "Service Closed",
};

/** With these nothing runs. */
const STANDSTILL: ReadonlySet<number> = new Set([1, 2, 16, 20]);

export interface LineOrder {
  readonly severity: number;
  /** Without the line's name, which stands before it in the answer. */
  readonly reason?: string;
}

/** How a line should run, instead of what chance decides. */
export interface LineOrders {
  /** No orders: good service. */
  set(lineId: string, ...orders: readonly LineOrder[]): void;
  /** Leaves one line, or all, to chance again. */
  clear(lineId?: string): void;
}

export interface Lines extends LineOrders {
  /** As `/Line/…/Status` answers, by id. */
  statusOf(lines: readonly TflLine[], nowMs: number): readonly unknown[];
  runs(line: TflLine, nowMs: number): boolean;
}

const SPELL_HOURS = 3;
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
  // One incident often makes two statuses, and each has the whole reason.
  [
    {
      severity: 6,
      reason: "Part of the line is suspended while we remove a tree, with severe delays elsewhere. ",
    },
    {
      severity: 3,
      reason: "Part of the line is suspended while we remove a tree, with severe delays elsewhere. ",
    },
  ],
  [{ severity: 7, reason: "Trains run less often because of a shortage of trains. " }],
];

const PLANNED = 4;
const CLOSED: readonly LineOrder[] = [
  { severity: 20, reason: "Train service will resume later this morning. " },
];

/** The first trains come at about five, the last at about one. */
function isNight(nowMs: number): boolean {
  const time = formatUkTime(nowMs);
  return time >= "01:00" && time < "05:00";
}

export function createLines(seed: number): Lines {
  const orders = new Map<string, readonly LineOrder[]>();

  function ordersFor({ id }: TflLine, nowMs: number): readonly LineOrder[] {
    const spell = Math.floor(Number(formatUkTime(nowMs).slice(0, 2)) / SPELL_HOURS);
    const luck = hash(seed, id, formatUkDate(nowMs), spell);
    if (isNight(nowMs) && !orders.has(id)) {
      return CLOSED;
    }
    return orders.get(id) ?? (luck % 8 === 0 ? (TROUBLES[(luck >>> 8) % TROUBLES.length] ?? []) : []);
  }

  return {
    set: (lineId, ...given) => void orders.set(lineId, given),
    clear(lineId) {
      if (lineId === undefined) {
        orders.clear();
      } else {
        orders.delete(lineId);
      }
    },
    runs: (line, nowMs) => !ordersFor(line, nowMs).some(({ severity }) => STANDSTILL.has(severity)),
    statusOf: (lines, nowMs) =>
      lines.map((line) => {
        const current = ordersFor(line, nowMs).map((order) => formatStatus(line, order, nowMs));
        return {
          $type: "Tfl.Api.Presentation.Entities.Line, Tfl.Api.Presentation.Entities",
          id: line.id,
          name: line.name,
          modeName: line.mode,
          disruptions: [],
          created: "2026-11-10T11:01:31.31Z",
          modified: "2026-11-10T11:01:31.31Z",
          lineStatuses: [
            ...(current.length === 0 ? [formatGood()] : current),
            // A closure of the coming Sunday is listed all week.
            ...(isClosedOnSunday(line, nowMs, seed) ? [formatClosure(line, nowMs)] : []),
          ],
          routeSections: [],
          serviceTypes: [{ name: "Regular", uri: `/Line/Route?ids=${line.name}&serviceTypes=Regular` }],
          crowding: {},
        };
      }),
  };
}

function formatGood() {
  return {
    id: 0,
    statusSeverity: 10,
    statusSeverityDescription: WORDS[10],
    created: "0001-01-01T00:00:00",
    validityPeriods: [],
  };
}

function formatStatus(line: TflLine, { severity, reason = "" }: LineOrder, nowMs: number) {
  if (severity === 10) {
    return formatGood();
  }
  const today = formatUkDate(nowMs);
  const said = `${line.name.replace(/ line$/i, "")} Line: ${reason}`;
  return {
    ...formatGood(),
    lineId: line.id,
    statusSeverity: severity,
    statusSeverityDescription: WORDS[severity] ?? `Severity ${severity}`,
    reason: said,
    // To the end of traffic, which is a guess.
    validityPeriods: [
      {
        fromDate: new Date(nowMs - 20 * 60_000).toISOString(),
        toDate: new Date(ukMoment(addDays(today, 1), 29)).toISOString(),
        isNow: true,
      },
    ],
    disruption: {
      category: "RealTime",
      categoryDescription: "RealTime",
      description: said,
      affectedRoutes: [],
      affectedStops: [],
      closureText: "delays",
    },
  };
}

function sundayFrom(nowMs: number): string {
  const today = formatUkDate(nowMs);
  return addDays(today, (7 - new Date(`${today}T12:00:00Z`).getUTCDay()) % 7);
}

function isClosedOnSunday({ id, mode }: TflLine, nowMs: number, seed: number): boolean {
  const tubes = LINES.filter((line) => line.mode === "tube");
  return mode === "tube" && tubes[hash(seed, sundayFrom(nowMs)) % tubes.length]?.id === id;
}

function formatClosure(line: TflLine, nowMs: number) {
  const sunday = sundayFrom(nowMs);
  const said = `${line.name.toUpperCase()} LINE: Sunday ${sunday}, no service while we renew the track. Use local buses.`;
  return {
    ...formatGood(),
    lineId: line.id,
    statusSeverity: PLANNED,
    statusSeverityDescription: WORDS[PLANNED],
    reason: said,
    // Of planned work it stays false on the day itself.
    validityPeriods: [
      {
        fromDate: new Date(ukMoment(sunday, 4 * 60 + 30)).toISOString(),
        toDate: new Date(ukMoment(addDays(sunday, 1), 89)).toISOString(),
        isNow: false,
      },
    ],
    disruption: {
      category: "PlannedWork",
      categoryDescription: "PlannedWork",
      description: said,
      affectedRoutes: [],
      affectedStops: [],
      closureText: "plannedClosure",
    },
  };
}
