// Adds what a planner leaves out of a journey by train: where to change, where each train goes, platforms and
// lateness. The specification's answers name no stations at all, so boards and calling points are asked.
import { ServiceError, UserError } from "../core/errors.ts";
import { type BoardDependencies, askBoard, boardKey, liveQuestion, trainSearch } from "../rail/departures.ts";
import { isCancelled } from "../rail/board-row.ts";
import { matchOperator, operatorName } from "../rail/operators.ts";
import type { Stations } from "../rail/stations.ts";
import type { CallingPoint, Trains } from "../rail/trains.ts";
import { type Answers, isTransient } from "../sources/answers.ts";
import type {
  TransportBoard,
  TransportLeg,
  TransportRoute,
  TransportRow,
} from "../sources/transport-data.ts";
import type { BudgetTerms } from "../plan/budget.ts";
import { DAY_MS } from "../time/wall-clock.ts";

/** What is known about a train at the station where the person gets on or off. */
export interface LegStop {
  readonly platform: string | undefined;
  readonly expectedAt: Temporal.Instant | undefined;
  readonly isCancelled: boolean;
}

export interface DetailedLeg extends TransportLeg {
  readonly departure?: LegStop | undefined;
  readonly arrival?: LegStop | undefined;
}

export interface DetailedRoute extends TransportRoute {
  readonly legs: readonly DetailedLeg[];
  /** Something was not looked up, to save requests. */
  readonly hasSkippedLookups?: boolean;
}

/** The most requests for one route besides the plan: three trains without named stations take six. */
const MAX_LOOKUPS = 8;
/** Smaller plans look nothing up: with 30 calls a day, one route would use a person's whole immediate share. */
const MIN_DAILY_CALLS = 500;
/** Boards that could not be asked for again are used for this long; after that, their expected times mean little. */
const MAX_BOARD_AGE_MS = 5 * 60_000;
/** How far ahead a live board certainly reaches. Nobody knows how late later trains will be. */
const LIVE_MINUTES = 110;
/** The most trains to open if several of one operator leave a station in the same minute. */
const MAX_CANDIDATES = 3;

type Side = "departures" | "arrivals";

export function createFindRouteDetails(
  deps: BoardDependencies & {
    readonly answers: Pick<Answers, "peek">;
    readonly trains: Pick<Trains, "open">;
    readonly stations: Pick<Stations, "find">;
    readonly terms: BudgetTerms;
  },
) {
  const { transport, answers, trains, stations, terms, clock } = deps;
  const mostLookups = (terms.calls / terms.windowMs) * DAY_MS < MIN_DAILY_CALLS ? 0 : MAX_LOOKUPS;

  const isSoon = (at: Temporal.Instant): boolean =>
    at.epochMilliseconds - clock.now() < LIVE_MINUTES * 60_000;

  function stopFromPoint({ platform, expectedAt, state }: CallingPoint, leg: TransportLeg): LegStop {
    return {
      platform,
      expectedAt: isSoon(leg.departsAt) ? expectedAt : undefined,
      isCancelled: state === "cancelled",
    };
  }

  async function rowsAt(
    leg: TransportLeg,
    side: Side,
    crs: string,
    { needsPoints, mayAsk }: { readonly needsPoints: boolean; readonly mayAsk: () => boolean },
  ): Promise<readonly TransportRow[]> {
    const at = side === "departures" ? leg.departsAt : leg.arrivesAt;
    // A live board is shared, but in the specification it does not say which train is which.
    const isLive = !needsPoints && isSoon(at);
    const live = liveQuestion({ kind: side, crs });
    const { asked, key } = isLive
      ? { asked: live, key: boardKey(live) }
      : trainSearch({ kind: side, crs }, at);
    const answer = mayAsk()
      ? await askBoard({ transport, answers }, asked, key)
      : answers.peek<TransportBoard>(key);
    const rows = answer && answer.ageMs < MAX_BOARD_AGE_MS ? answer.value.rows : [];
    return rows.filter((row) => row.aimedAt.equals(at) && couldBeLeg(row, leg, side));
  }

  /** `undefined` if nothing can be found from this end. `other`: the other end, if it is known. */
  async function lookUp(
    leg: TransportLeg,
    side: Side,
    crs: string,
    { other, mayAsk }: { readonly other: string | undefined; readonly mayAsk: () => boolean },
  ): Promise<DetailedLeg | undefined> {
    if (other !== undefined) {
      const [row, ...more] = await rowsAt(leg, side, crs, { needsPoints: false, mayAsk });
      if (row && more.length === 0) {
        return { ...leg, ...detailsFromRow(row, side), line: lineName(leg, row) };
      }
    }
    const rows = await rowsAt(leg, side, crs, { needsPoints: true, mayAsk });
    for (const row of rows.slice(0, MAX_CANDIDATES)) {
      if (!mayAsk()) {
        break;
      }
      const train = await trains.open({
        crs,
        kind: side,
        aimedAt: row.aimedAt,
        place: row.place,
        trainUid: row.trainUid,
        startDate: row.startDate,
      });
      const on = train.points.findIndex((point) => point.aimedAt.equals(leg.departsAt));
      const off = train.points.findIndex(
        (point, index) => index > on && arrival(point).equals(leg.arrivesAt),
      );
      const [from, to] = [train.points[on], train.points[off]];
      if (from && to && (side === "departures" ? from : to).crs === crs) {
        return {
          ...leg,
          from: leg.from ?? from.name,
          to: leg.to ?? to.name,
          destination: leg.destination ?? train.destination,
          line: lineName(leg, row),
          departure: stopFromPoint(from, leg),
          arrival: stopFromPoint(to, leg),
        };
      }
    }
    return undefined;
  }

  const crsOf = (name: string | undefined): string | undefined => name && stations.find(name)?.crs;

  /**
   * Legs stay unchanged if their lookup fails or would cost too much, because the planner's answer is worth
   * showing without details. `from` and `to`: the codes of the journey's stations.
   */
  return async (
    route: TransportRoute,
    ends: { from?: string | undefined; to?: string | undefined },
  ): Promise<DetailedRoute> => {
    const legs: DetailedLeg[] = [...route.legs];
    let lookupsLeft = mostLookups;
    const mayAsk = (): boolean => (lookupsLeft -= 1) >= 0;
    const trainAt = (index: number) => (legs[index]?.mode === "train" ? legs[index] : undefined);
    const startOf = (index: number): string | undefined =>
      crsOf(legs[index]?.from) ?? (index === 0 ? ends.from : crsOf(trainAt(index - 1)?.to));
    const endOf = (index: number): string | undefined =>
      crsOf(legs[index]?.to) ?? (index === legs.length - 1 ? ends.to : crsOf(trainAt(index + 1)?.from));
    const order = [...legs.keys()];
    // Forwards from the start, then backwards: trains after a walk or tube ride may have no known start.
    for (const [index, side] of [
      ...order.map((one) => [one, "departures"] as const),
      ...order.toReversed().map((one) => [one, "arrivals"] as const),
    ]) {
      const leg = trainAt(index);
      const [here, other] =
        side === "departures" ? [startOf(index), endOf(index)] : [endOf(index), startOf(index)];
      if (leg === undefined || leg.departure || leg.arrival || here === undefined) {
        continue;
      }
      // A later train whose stations are known has no live data to find.
      const isComplete = leg.from !== undefined && leg.to !== undefined && leg.destination !== undefined;
      if (isComplete && !isSoon(leg.departsAt)) {
        continue;
      }
      try {
        legs[index] = (await lookUp(leg, side, here, { other, mayAsk })) ?? leg;
      } catch (error) {
        if (!(error instanceof ServiceError) && !(error instanceof UserError)) {
          throw error;
        }
        if (isTransient(error)) {
          break;
        }
      }
    }
    const isUnknown = legs.some(({ mode, ...leg }) => mode === "train" && !leg.departure && !leg.arrival);
    return { ...route, legs, hasSkippedLookups: isUnknown && lookupsLeft < 0 };
  };
}

/** A train's line is its operator in the specification, but a number in the public service. */
function couldBeLeg(row: TransportRow, { line, destination }: TransportLeg, side: Side): boolean {
  const isBy = line === undefined || /\d/.test(line) || matchOperator(line)(row);
  return isBy && (destination === undefined || side === "arrivals" || row.place === destination);
}

/** The operator instead of a train's number, which means nothing to people. */
function lineName({ line }: TransportLeg, row: TransportRow): string | undefined {
  return line === undefined || /^\d+$/.test(line) ? (operatorName(row) ?? line) : line;
}

function detailsFromRow(row: TransportRow, side: Side): Partial<DetailedLeg> {
  const stop = { platform: row.platform, expectedAt: row.expectedAt, isCancelled: isCancelled(row) };
  return side === "departures" ? { destination: row.place, departure: stop } : { arrival: stop };
}

function arrival({ arrivesAt, aimedAt }: CallingPoint): Temporal.Instant {
  return arrivesAt ?? aimedAt;
}
