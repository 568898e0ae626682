import { z } from "zod";
import { anchorUkTime, neighbouringUkTime } from "../../time/uk-time.ts";
import { unexpectedAnswer } from "../ask.ts";
import { looseFlag, looseTexts, readInstant } from "../read-values.ts";
import type { TransportPortion, TransportStop, TransportTrain } from "../transport-data.ts";
import { joinPlaces, listOf, readCoaches, readEstimate, serviceFields } from "./read-board.ts";
import { readReason } from "./read-texts.ts";

/**
 * Reads an answer. The stops before and after the board's station are lists of lists: the first list is the through train,
 * and each further list is a portion that joins or leaves it. Throws a ServiceError `unexpected-answer` if no stop has
 * a name and a time.
 */
export function readTrain(answer: TrainAnswer, now: Temporal.Instant): TransportTrain {
  const dataAt = readInstant(answer.generatedAt) ?? now;
  const here = readBoardStop(answer, dataAt);
  const before = pointLists(answer.previousCallingPoints).map((list) =>
    readPoints(list, here.reached, "before"),
  );
  const after = pointLists(answer.subsequentCallingPoints).map((list) =>
    readPoints(list, here.reached, "after"),
  );
  const [arriving = NO_POINTS, ...joining] = before;
  const [leaving = NO_POINTS, ...dividing] = after;
  const stops = [...arriving.stops, ...(here.stop ? [here.stop] : []), ...leaving.stops];
  if (stops.length === 0) {
    throw unexpectedAnswer("rail-data", "no calling point has both a name and a time");
  }
  const frontLeavesAt = new Set([...leaving.frontLeavesAt, answer.detachFront ? here.stop?.crs : undefined]);
  const isFrontAt = (crs: string | undefined): boolean => crs !== undefined && frontLeavesAt.has(crs);
  const portions = [
    ...joining.flatMap((points) => portionOf("joins", points)),
    ...dividing.flatMap((points) => portionOf("divides", points, isFrontAt(points.stops[0]?.crs))),
  ];
  const { cancelReason, delayReason, diversionReason, overdueMessage } = answer;
  const endsOf = (kind: TransportPortion["kind"], at: 0 | -1): readonly TransportStop[] =>
    portions.flatMap(({ kind: own, stops: its }) =>
      own !== kind || its.every(({ status }) => status === "CANCELLED") ? [] : (its.at(at) ?? []),
    );
  return {
    source: "rail-data",
    mode: answer.serviceType === "bus" ? "bus" : "train",
    origin: joinPlaces([...stops.slice(0, 1), ...endsOf("joins", 0)]),
    destination: joinPlaces([...stops.slice(-1), ...endsOf("divides", -1)]),
    operatorCode: answer.operatorCode,
    operatorName: answer.operator,
    reason:
      readReason(cancelReason, delayReason, diversionReason, overdueMessage) ??
      arriving.reason ??
      leaving.reason,
    coaches: readCoaches(answer),
    ...(portions.length > 0 && { portions }),
    dataAt,
    stops,
  };
}

/** The portion as a list; empty if it has fewer than two stops, because it goes nowhere. */
function portionOf(
  kind: TransportPortion["kind"],
  { stops, coaches }: Points,
  isFront = false,
): readonly TransportPortion[] {
  const at = stops.at(kind === "joins" ? -1 : 0)?.name;
  return at === undefined || stops.length < 2
    ? []
    : [{ kind, at, stops, coaches, ...(isFront && { isFront }) }];
}

/** Reads the stop at the board's station. `reached`: the time there, from which the other stops' times get their dates. */
function readBoardStop(
  answer: TrainAnswer,
  dataAt: Temporal.Instant,
): { readonly stop: TransportStop | undefined; readonly reached: Temporal.Instant } {
  const aimedArrivalAt = anchorUkTime(answer.sta ?? "", dataAt);
  const aimedDepartureAt = anchorUkTime(answer.std ?? "", dataAt);
  const reached = aimedDepartureAt ?? aimedArrivalAt ?? dataAt;
  const name = answer.locationName;
  if (name === undefined || !(aimedArrivalAt ?? aimedDepartureAt)) {
    return { stop: undefined, reached };
  }
  const isCancelled = answer.isCancelled;
  const arrival = aimedArrivalAt && readEstimate(answer.ata ?? answer.eta, aimedArrivalAt, { isCancelled });
  const departure = aimedDepartureAt && readEstimate(answer.etd, aimedDepartureAt, { isCancelled });
  // As in the other sources, a stop that the train has left has no expected time.
  const hasLeft = (aimedDepartureAt ? answer.atd : answer.ata) !== undefined;
  const stop = {
    crs: answer.crs?.toUpperCase(),
    name,
    platform: answer.platform,
    aimedArrivalAt,
    expectedArrivalAt: hasLeft ? undefined : arrival?.expectedAt,
    aimedDepartureAt,
    expectedDepartureAt: hasLeft ? undefined : departure?.expectedAt,
    status: (departure ?? arrival)?.status,
  };
  return { stop, reached };
}

type Points = ReturnType<typeof readPoints>;

const NO_POINTS: Points = { stops: [], coaches: undefined, reason: undefined, frontLeavesAt: [] };

/** The lists of calling points, without those that cannot be parsed. */
function pointLists(value: unknown): readonly (readonly PointAnswer[])[] {
  return listOf(value).map((entry) => {
    const list = pointListSchema.safeParse(entry).data;
    const isCancelled = list?.assocIsCancelled === true;
    return listOf(list?.callingPoint).flatMap((point) => {
      const { data } = pointSchema.safeParse(point);
      return data === undefined ? [] : [isCancelled ? { ...data, isCancelled } : data];
    });
  });
}

/** Reads the calling points after the station, which have arrival times, or before it, which have departure times. */
function readPoints(points: readonly PointAnswer[], start: Temporal.Instant, side: "after" | "before") {
  let reached = start;
  const outwards = side === "after" ? points : points.toReversed();
  const stops = outwards.flatMap((point) => {
    const aimedAt = neighbouringUkTime(point.st ?? "", reached, side);
    reached = aimedAt ?? reached;
    return (aimedAt && stopOf(point, aimedAt, side)) ?? [];
  });
  return {
    stops: side === "after" ? stops : stops.toReversed(),
    /** The number of coaches from the first stop on, if known. */
    coaches: points[0] && readCoaches(points[0]),
    reason: readReason(...points.flatMap(({ cancelReason, delayReason }) => [cancelReason, delayReason])),
    /** The codes of the stations at which coaches are taken off the front. */
    frontLeavesAt: points.filter(({ detachFront }) => detachFront === true).map(({ crs }) => crs),
  };
}

function stopOf(
  { locationName: name, crs, et, at, isCancelled }: PointAnswer,
  aimedAt: Temporal.Instant,
  side: "after" | "before",
): TransportStop | undefined {
  const { status, expectedAt } = readEstimate(et, aimedAt, { isCancelled });
  // `at` is when the train was there. As in the other sources, a stop that is over has no expected time.
  const expected = at === undefined ? expectedAt : undefined;
  return name === undefined
    ? undefined
    : {
        crs,
        name,
        platform: undefined,
        aimedArrivalAt: side === "after" ? aimedAt : undefined,
        expectedArrivalAt: side === "after" ? expected : undefined,
        aimedDepartureAt: side === "before" ? aimedAt : undefined,
        expectedDepartureAt: side === "before" ? expected : undefined,
        status: at === undefined || status === "CANCELLED" ? status : undefined,
      };
}

const pointSchema = z.object({
  ...serviceFields,
  ...looseTexts("locationName", "crs", "st", "et", "at"),
  detachFront: looseFlag,
});

type PointAnswer = z.infer<typeof pointSchema>;

const pointListSchema = z.object({ callingPoint: z.unknown().optional(), assocIsCancelled: looseFlag });

/** Calling points are parsed one by one. The service may answer `null` for a train that it no longer knows. */
export const trainSchema = z
  .object({
    ...serviceFields,
    ...looseTexts("generatedAt", "locationName", "crs", "ata", "atd", "overdueMessage", "diversionReason"),
    detachFront: looseFlag,
    previousCallingPoints: z.unknown().optional(),
    subsequentCallingPoints: z.unknown().optional(),
  })
  .nullable();

type TrainAnswer = NonNullable<z.infer<typeof trainSchema>>;
