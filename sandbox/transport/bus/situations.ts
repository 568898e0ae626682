// What disturbs the buses: roadworks, diversions, closed stops; drawn for each area and week before anybody looks.
import { AREAS } from "../geography/areas.ts";
import type { Area } from "../geography/areas.ts";
import { localNetwork } from "../local/local-network.ts";
import type { LocalLine } from "../local/local-line.ts";
import { createDice } from "../railway/chance.ts";
import { addDays, formatUkDate, ukMoment } from "../railway/uk-time.ts";

export interface Situation {
  readonly id: string;
  readonly area: Area;
  readonly reason: "roadworks" | "diversion" | "stopMoved" | "incident";
  readonly isPlanned: boolean;
  readonly createdMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly summary: string;
  readonly description: string;
  /** Both directions of the lines concerned. */
  readonly lines: readonly LocalLine[];
  /** ATCO codes. */
  readonly stops: readonly string[];
}

const DAY_MS = 24 * 3_600_000;
/** 5 January 1970 was a Monday. */
const MONDAY_DAY = 4;
/** None lasts longer. */
const MOST_WEEKS = 5;

/** What is or becomes valid on a date, the latest first. */
export function situationsOn(date: string, seed: number): readonly Situation[] {
  const week = weekOf(date);
  const found: Situation[] = [];
  for (const area of AREAS.values()) {
    for (let each = week - MOST_WEEKS; each <= week; each += 1) {
      const situation = drawSituation(area, each, seed);
      if (
        situation &&
        situation.toMs > ukMoment(date, 0) &&
        situation.fromMs < ukMoment(addDays(date, 1), 0)
      ) {
        found.push(situation);
      }
    }
  }
  return found.toSorted((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
}

/** In about every sixth week an area has one. */
function drawSituation(area: Area, week: number, seed: number): Situation | undefined {
  const dice = createDice(seed, area.code, week, "situation");
  if (dice() > 0.17) {
    return undefined;
  }
  const startDay = (week * 7 + MONDAY_DAY + Math.floor(dice() * 7)) * DAY_MS;
  const kind = dice();
  const days = kind < 0.55 ? 4 + Math.floor(dice() * 24) : 1 + Math.floor(dice() * 2);
  const lines = linesOf(area);
  const line = lines[Math.floor(dice() * lines.length)];
  if (!line) {
    return undefined;
  }
  const firstStop = 1 + Math.floor(dice() * Math.max(1, line.stops.length - 4));
  const stops = line.stops.slice(firstStop, firstStop + 3).filter((stop) => stop.indicator === undefined);
  const street = stops[0]?.name ?? "High Street";
  const place = stops[0]?.locality ?? area.town;
  const startDate = formatUkDate(startDay + DAY_MS / 2);
  const fromMs = ukMoment(startDate, kind < 0.55 ? 9 * 60 + 30 : 6 * 60 + Math.floor(dice() * 600));
  const texts = sentences(kind, line.name, street, place);
  return {
    id: `${area.code}-${String(week).padStart(4, "0")}`,
    area,
    ...texts,
    createdMs: texts.isPlanned ? fromMs - 6 * DAY_MS : fromMs - 20 * 60_000,
    fromMs,
    toMs: ukMoment(addDays(startDate, days), 16 * 60),
    lines: lines.filter((each) => each.name === line.name),
    stops: stops.map((stop) => stop.atcocode),
  };
}

function sentences(
  kind: number,
  line: string,
  street: string,
  place: string,
): Pick<Situation, "reason" | "isPlanned" | "summary" | "description"> {
  if (kind < 0.4) {
    return {
      reason: "roadworks",
      isPlanned: true,
      summary: `Roadworks at ${street}, ${place}`,
      description: `Route ${line} is diverted while the road is resurfaced near ${street}. Please use stops on either side; journeys may take up to 10 minutes longer.`,
    };
  }
  if (kind < 0.55) {
    return {
      reason: "stopMoved",
      isPlanned: true,
      summary: `Stop closed: ${street}, ${place}`,
      description: `The stops at ${street} are closed for work on the kerb. Route ${line} calls at temporary stops nearby.`,
    };
  }
  if (kind < 0.8) {
    return {
      reason: "diversion",
      isPlanned: true,
      summary: `Route ${line} diverted: ${place}`,
      description: `Because of an event, ${street} is closed to traffic. Route ${line} runs another way and does not serve the stops there.`,
    };
  }
  return {
    reason: "incident",
    isPlanned: false,
    summary: `Delays on route ${line}: ${place}`,
    description: `A burst water main near ${street} holds up traffic. Expect delays of up to 20 minutes on route ${line}.`,
  };
}

function linesOf(area: Area): readonly LocalLine[] {
  return localNetwork().lines.filter((line) => line.areaCode === area.code);
}

function weekOf(date: string): number {
  return Math.floor((Date.parse(`${date}T12:00:00Z`) / DAY_MS - MONDAY_DAY) / 7);
}
