import { type BoardDependencies, type BoardKind, askBoard, trainSearch } from "./departures.ts";
import { type Answer, type Staleness, stalenessOf } from "../sources/answers.ts";
import { creditsOf } from "../sources/source-words.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import type { TransportPortion, TransportStop, TransportTrain } from "../sources/transport-data.ts";
import { sourceOfTrain } from "../sources/transport-data.ts";
import { currentInstant } from "../core/clock.ts";
import { UserError, recover } from "../core/errors.ts";
import { formatUkDate, isBefore, startOfMinute } from "../time/uk-time.ts";
import { operatorName, plainName } from "./operators.ts";
import { isCancelled } from "./board-row.ts";

/** A train as a board shows it, with enough data to find it again. */
export interface TrainReference {
  readonly crs: string;
  readonly kind: BoardKind;
  readonly aimedAt: Temporal.Instant;
  /** Its destination for departures, its origin for arrivals; a long name may be cut. */
  readonly place: string;
  readonly trainUid: string | undefined;
  /** The day on which it starts, "YYYY-MM-DD"; it may be before the day of `aimedAt`. */
  readonly startDate: string | undefined;
}

type PointState = "passed" | "next" | "ahead" | "cancelled";

export interface CallingPoint extends Pick<TransportStop, "crs" | "name" | "platform"> {
  /** The aimed departure, or the arrival at the last station. */
  readonly aimedAt: Temporal.Instant;
  /** `undefined` without live data, e.g. for passed points. */
  readonly expectedAt: Temporal.Instant | undefined;
  /** The aimed arrival, if the source has both an arrival and a departure. */
  readonly arrivesAt: Temporal.Instant | undefined;
  readonly state: PointState;
}

export type Position =
  | { readonly kind: "not-started"; readonly at: Temporal.Instant; readonly from: string }
  | { readonly kind: "at"; readonly stop: string }
  | { readonly kind: "between"; readonly after: string; readonly before: string }
  | { readonly kind: "finished"; readonly at: string }
  | { readonly kind: "cancelled" }
  /** Late by an unknown time, at an unknown place. */
  | { readonly kind: "delayed" }
  /** On its way according to the timetable, but without live data. */
  | { readonly kind: "unreported" };

export interface Portion extends Pick<TransportPortion, "kind" | "at" | "coaches" | "isFront"> {
  /** Its destination, or its origin if it joins. */
  readonly place: string;
  /** Its calling points, without the station at which it leaves or joins the train. */
  readonly points: readonly Pick<CallingPoint, "name" | "aimedAt" | "expectedAt" | "state">[];
}

export interface Train extends Pick<TransportTrain, "mode" | "reason" | "coaches" | "dataAt"> {
  readonly origin: string;
  readonly destination: string;
  readonly operator: string | undefined;
  readonly portions?: readonly Portion[] | undefined;
  /** In order; at least one. */
  readonly points: readonly CallingPoint[];
  readonly position: Position;
  /** Expected minus aimed time at its next calling point, in whole minutes; `undefined` without live data. */
  readonly delayMinutes: number | undefined;
  readonly credit: string;
  readonly stale: Staleness | undefined;
}

export type Trains = ReturnType<typeof createTrains>;

/** A train costs one request, or two if the board has no id or day for it, or if its source no longer knows it. */
export function createTrains(
  deps: BoardDependencies & {
    readonly transport: Pick<TransportClient, "train">;
    /** Also finds trains of other sources, by time and place; `undefined` if it is not configured. */
    readonly timetable: BoardDependencies["transport"] | undefined;
  },
) {
  const { transport, timetable, answers, clock } = deps;

  async function identify(
    { crs, kind, aimedAt, place }: TrainReference,
    client: BoardDependencies["transport"],
  ): Promise<Pick<TrainReference, "trainUid" | "startDate">> {
    const { asked, key } = trainSearch({ crs, kind }, aimedAt);
    const ownKey = client === timetable ? `planned ${key}` : key;
    const asking = askBoard({ transport: client, answers }, asked, ownKey);
    const found = await recover(asking, ["not-found"], () => undefined);
    const rows = found?.value.rows ?? [];
    const alike = rows.filter((one) => one.aimedAt.equals(aimedAt) && haveSameBeginning(one.place, place));
    // Without a place, two trains of the same minute cannot be told apart.
    const row = place === "" && alike.length > 1 ? undefined : alike[0];
    return { trainUid: row?.trainUid, startDate: row?.startDate };
  }

  async function askDay(
    trainUid: string,
    startDate: Temporal.PlainDate,
  ): Promise<Answer<TransportTrain> | undefined> {
    const key = `train ${trainUid} ${startDate.toString()}`;
    const asking = answers.ask(key, () => transport.train({ trainUid, startDate }));
    return recover(asking, ["not-found"], () => undefined);
  }

  /** Tries two days: a board may not say when a train starts, and a night train may have started the day before. */
  async function askDays(
    trainUid: string,
    reference: TrainReference,
  ): Promise<Answer<TransportTrain> | undefined> {
    const day = Temporal.PlainDate.from(formatUkDate(reference.aimedAt));
    const sameDay = await askDay(trainUid, day);
    const isFound = sameDay && !callsAtAnotherTime(sameDay.value, reference);
    return isFound || sourceOfTrain(trainUid) !== "transport"
      ? sameDay
      : ((await askDay(trainUid, day.subtract({ days: 1 }))) ?? sameDay);
  }

  async function askFor(
    trainUid: string,
    startDate: string | undefined,
    reference: TrainReference,
  ): Promise<Answer<TransportTrain>> {
    const answer =
      startDate === undefined
        ? await askDays(trainUid, reference)
        : await askDay(trainUid, Temporal.PlainDate.from(startDate));
    if (answer === undefined && sourceOfTrain(trainUid) !== "transport" && timetable !== undefined) {
      const known = await identify(reference, timetable);
      if (known.trainUid !== undefined) {
        return askFor(known.trainUid, known.startDate, reference);
      }
    }
    if (answer === undefined) {
      throw new UserError("I don't know anything more about that train. Refresh its board and try again.");
    }
    return answer;
  }

  return {
    /** Throws a UserError for a train that cannot be found, and the client's ServiceErrors. */
    async open(reference: TrainReference): Promise<Train> {
      const { trainUid, startDate } =
        reference.trainUid === undefined ? await identify(reference, transport) : reference;
      if (trainUid === undefined) {
        throw new UserError("I can't find out where that train calls. Its board shows all I know about it.");
      }
      const answer = await askFor(trainUid, startDate, reference);
      const { value } = answer;
      const now = currentInstant(clock);
      return {
        mode: value.mode,
        origin: value.origin ?? "",
        destination: value.destination ?? "",
        operator: operatorName(value),
        reason: value.reason,
        coaches: value.coaches,
        portions: value.portions?.map((portion) => createPortion(portion, now)),
        ...locateTrain(value.stops, now),
        dataAt: value.dataAt,
        credit: creditsOf([value]),
        stale: stalenessOf(answer),
      };
    },
  };
}

/**
 * The call of an opened train at its board's station. A circular train calls there twice, and the timetable may have
 * changed since, so it is the call that is nearest in time.
 */
export function openedCall(
  points: readonly CallingPoint[],
  { crs, aimedAt }: Pick<TrainReference, "crs" | "aimedAt">,
): CallingPoint | undefined {
  const awayMs = (point: CallingPoint): number =>
    Math.abs(point.aimedAt.epochMilliseconds - aimedAt.epochMilliseconds);
  return points.filter((point) => point.crs === crs).toSorted((a, b) => awayMs(a) - awayMs(b))[0];
}

function createPortion({ stops, ...portion }: TransportPortion, now: Temporal.Instant): Portion {
  const { points } = locateTrain(stops, now);
  const [end, own] =
    portion.kind === "divides" ? [points.at(-1), points.slice(1)] : [points[0], points.slice(0, -1)];
  return { ...portion, place: end?.name ?? portion.at, points: own };
}

/** Compares beginnings, because places may be cut, and sources write some of them at different lengths. */
function haveSameBeginning(one: string, other: string): boolean {
  const [a, b] = [plainName(one), plainName(other)];
  return a.startsWith(b) || b.startsWith(a);
}

/** Whether a train calls at the station, but not at the aimed time: then it is the same service on another day. */
function callsAtAnotherTime({ stops }: TransportTrain, { crs, aimedAt }: TrainReference): boolean {
  const calls = stops.filter((stop) => stop.crs === crs);
  return (
    calls.length > 0 &&
    !calls.some(
      ({ aimedArrivalAt, aimedDepartureAt }) =>
        (aimedArrivalAt?.equals(aimedAt) ?? false) || (aimedDepartureAt?.equals(aimedAt) ?? false),
    )
  );
}

// Works out from a train's times where it is. The service's own status says little about that.

type Located = Pick<Train, "points" | "position" | "delayMinutes">;

/**
 * Passed stops have no expected times any more, so the first stop with one is the next, unless that time has passed
 * too. Without any expected time, the timetable says whether the train has started or arrived, but not where it is.
 */
export function locateTrain(stops: readonly TransportStop[], now: Temporal.Instant): Located {
  const served = stops.filter((stop) => !isCancelled(stop));
  const first = served[0];
  const last = served.at(-1);
  if (!first || !last) {
    return locatedAt(stops, undefined, { kind: "cancelled" });
  }
  const minute = startOfMinute(now);
  const firstLive = served.findIndex((stop) => expectedOf(stop) !== undefined);
  if (firstLive === -1) {
    if (served.some(({ status = "" }) => /^DELAYED\b/.test(status))) {
      return locatedAt(stops, stops[0], { kind: "delayed" });
    }
    if (isBefore(aimedOf(last), minute)) {
      return locatedAt(stops, undefined, { kind: "finished", at: last.name });
    }
    return isBefore(aimedOf(first), minute)
      ? locatedAt(stops, stops[0], { kind: "unreported" })
      : locatedAt(stops, first, { kind: "not-started", at: aimedOf(first), from: first.name });
  }
  const at = served.findIndex(
    (stop, index) => index >= firstLive && !isBefore(expectedOf(stop) ?? aimedOf(stop), minute),
  );
  const next = served[at];
  return next
    ? locatedAt(stops, next, positionBefore(next, served[at - 1], now))
    : locatedAt(stops, undefined, { kind: "finished", at: last.name });
}

function positionBefore(
  next: TransportStop,
  previous: TransportStop | undefined,
  now: Temporal.Instant,
): Position {
  if (!previous) {
    return { kind: "not-started", at: expectedOf(next) ?? aimedOf(next), from: next.name };
  }
  const arrival = next.expectedArrivalAt;
  return arrival && next.aimedDepartureAt && !isBefore(now, arrival)
    ? { kind: "at", stop: next.name }
    : { kind: "between", after: previous.name, before: next.name };
}

/** Without a `next` stop, all have been passed. For a train without live data, no stop is marked as the next. */
function locatedAt(
  stops: readonly TransportStop[],
  next: TransportStop | undefined,
  position: Position,
): Located {
  const at = next ? stops.indexOf(next) : stops.length;
  const isKnown = position.kind !== "unreported" && position.kind !== "delayed";
  const stateOf = (stop: TransportStop, index: number): PointState =>
    isCancelled(stop) ? "cancelled" : index < at ? "passed" : stop === next && isKnown ? "next" : "ahead";
  const points = stops.map((stop, index): CallingPoint => ({
    crs: stop.crs,
    name: stop.name,
    platform: stop.platform,
    aimedAt: aimedOf(stop),
    expectedAt: isCancelled(stop) ? undefined : expectedOf(stop),
    arrivesAt: stop.aimedDepartureAt && stop.aimedArrivalAt,
    state: stateOf(stop, index),
  }));
  const expectedAt = next && expectedOf(next);
  const delayMinutes = expectedAt && Math.round(expectedAt.since(aimedOf(next)).total("minutes"));
  return { points, position, delayMinutes };
}

/** The client gives every stop at least one time, so the epoch is never used unless there is a bug. */
function aimedOf({ aimedDepartureAt, aimedArrivalAt }: TransportStop): Temporal.Instant {
  return aimedDepartureAt ?? aimedArrivalAt ?? Temporal.Instant.fromEpochMilliseconds(0);
}

function expectedOf({ expectedDepartureAt, expectedArrivalAt, aimedDepartureAt }: TransportStop) {
  return expectedDepartureAt ?? (aimedDepartureAt ? undefined : expectedArrivalAt);
}
