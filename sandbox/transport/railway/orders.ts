// A signaller's orders to single trains. All answers show an order from the time at which it is given.
import type { Clock } from "../../clock/clock.ts";
import { decideFate, fateOf, type Fate } from "./fate.ts";
import type { Timetable } from "./timetable.ts";
import type { Train } from "./train.ts";

/** An order to a train. Absent fields leave things as they were. */
export interface TrainOrder {
  /** The delay at all remaining calls; 0 is on time. `unknown`: the train stands, and nobody knows for how long. */
  readonly delayMinutes?: number | "unknown" | undefined;
  /** Platforms by upper-case CRS code; `null` if unknown. */
  readonly platforms?: Readonly<Record<string, string | null>> | undefined;
  /** Whether all remaining calls are cancelled; `false` lets a cancelled train run. */
  readonly cancelled?: boolean | undefined;
  /** Whether a bus replaces the train, at the same times. */
  readonly bus?: boolean | undefined;
  /** Whether the train disappears from all boards and has no timetable. */
  readonly hidden?: boolean | undefined;
}

export interface OrderedTrain {
  readonly uid: string;
  /** The date on which it starts, in London. */
  readonly serviceDate: string;
  readonly order: TrainOrder;
}

interface ChangedTrain extends OrderedTrain {
  readonly train: Train;
}

const MINUTE_MS = 60_000;
/** The delay of a train that stands; boards do not show a train for longer after its time. */
const STANDING_MINUTES = 99;

/** Returns a signaller for a timetable, and the timetable under the signaller's orders. */
export function createTrainOrders(
  original: Timetable,
  { seed, clock }: { readonly seed: number; readonly clock: Clock },
) {
  const changedTrains = new Map<string, ChangedTrain>();

  function asOrdered(train: Train): Train | undefined {
    const known = changedTrains.get(keyOf(train.uid, train.serviceDate));
    return known ? (known.order.hidden ? undefined : known.train) : train;
  }

  const orders = {
    /** Adds to earlier orders. Throws if there is no such train, or if it does not call at a station in `platforms`. */
    order(uid: string, serviceDate: string, order: TrainOrder) {
      const train = original.trainOf(uid, serviceDate);
      if (!train) {
        throw new Error(`No train ${uid} starts on ${serviceDate}`);
      }
      const before = changedTrains.get(keyOf(uid, serviceDate));
      const platforms = { ...before?.order.platforms, ...order.platforms };
      const crs = Object.keys(platforms).find(
        (each) => !train.calls.some((call) => call.station.crs === each),
      );
      if (crs !== undefined) {
        throw new Error(`The train ${uid} does not call at ${crs}`);
      }
      const all = { ...before?.order, ...order, platforms };
      const ordered = applyOrder(train, all);
      decideFate(ordered, seed, fateUnder(fateOf(before?.train ?? train, seed), order, train, clock.now()));
      changedTrains.set(keyOf(uid, serviceDate), { uid, serviceDate, order: all, train: ordered });
    },
    undo(uid: string, serviceDate: string) {
      changedTrains.delete(keyOf(uid, serviceDate));
    },
    /** In the order of the first order to each train. */
    list: (): readonly OrderedTrain[] =>
      [...changedTrains.values()].map(({ uid, serviceDate, order }) => ({ uid, serviceDate, order })),
  };

  const timetable: Timetable = {
    trainsAt: (crs, fromMs, toMs, alsoAt) =>
      original.trainsAt(crs, fromMs, toMs, alsoAt).flatMap(({ train, at }) => {
        const changed = asOrdered(train);
        return changed ? [{ train: changed, at }] : [];
      }),
    trainOf(uid, serviceDate) {
      const train = original.trainOf(uid, serviceDate);
      return train && asOrdered(train);
    },
  };
  return { orders, timetable };
}

function keyOf(uid: string, serviceDate: string): string {
  return `${uid}:${serviceDate}`;
}

function applyOrder(train: Train, { platforms = {}, bus = false }: TrainOrder): Train {
  const calls = train.calls.map((call) => {
    const { crs } = call.station;
    return { ...call, platform: bus ? null : crs in platforms ? (platforms[crs] ?? null) : call.platform };
  });
  return { ...train, calls, ...(bus && { mode: "bus", category: "BR" }) };
}

/** The fate of a train that gets an order at `nowMs`. Calls before that stay unchanged. */
function fateUnder(
  fate: Fate,
  { delayMinutes, cancelled, bus }: TrainOrder,
  train: Train,
  nowMs: number,
): Fate {
  const ahead = train.calls.findIndex((call, at) => {
    const late = fate.lateness[at]?.[call.departMs === undefined ? "arrive" : "depart"] ?? 0;
    return (call.departMs ?? call.arriveMs ?? 0) + late * MINUTE_MS > nowMs;
  });
  const first = ahead < 0 ? train.calls.length : ahead;
  const minutes = delayMinutes === "unknown" ? STANDING_MINUTES : (delayMinutes ?? (bus ? 0 : undefined));
  return {
    ...fate,
    ...(minutes !== undefined && {
      lateness: latenessFrom(first, minutes, fate, train, nowMs),
      isSilent: false,
      announcedMinutes: minutes,
      hold: delayMinutes === "unknown" ? { fromMs: nowMs, untilMs: Infinity } : undefined,
      oddity: undefined,
      statusRoll: 1,
    }),
    ...((cancelled ?? (bus ? false : undefined)) !== undefined && {
      cancelled: cancelled ? { from: first, to: train.calls.length } : undefined,
      cancelledKnownMs: nowMs,
    }),
  };
}

/** Applies a delay from the call `first` on. If the train has arrived there, its arrival stays unchanged. */
function latenessFrom(first: number, minutes: number, { lateness }: Fate, { calls }: Train, nowMs: number) {
  return lateness.map((known, at) => {
    const arrivedMs = (calls[at]?.arriveMs ?? Infinity) + known.arrive * MINUTE_MS;
    return at < first ? known : { arrive: arrivedMs <= nowMs ? known.arrive : minutes, depart: minutes };
  });
}
