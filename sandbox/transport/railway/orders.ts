// Orders of a signaller to single trains. From the moment of an order on, every answer shows it, and nothing before it.
import type { Clock } from "../../clock/clock.ts";
import { decideFate, fateOf, type Fate } from "./fate.ts";
import type { Timetable } from "./timetable.ts";
import type { Train } from "./train.ts";

/** What a train is told to do. What is absent stays as it was. */
export interface TrainOrder {
  /** So late at all calls that it has not made, 0 for on time; `unknown`: it stands, and nobody knows for how long. */
  readonly delayMinutes?: number | "unknown" | undefined;
  /** By upper-case CRS code: where it calls. `null`: nobody knows. */
  readonly platforms?: Readonly<Record<string, string | null>> | undefined;
  /** Makes none of its further calls; `false` lets a cancelled one run. */
  readonly cancelled?: boolean | undefined;
  /** A bus runs in its place, at its times. */
  readonly bus?: boolean | undefined;
  /** Nobody hears of it any more: it is on no board, and has no timetable. */
  readonly hidden?: boolean | undefined;
}

/** A train and all that it was told. */
export interface OrderedTrain {
  readonly uid: string;
  /** The date on which it starts, in London. */
  readonly serviceDate: string;
  readonly order: TrainOrder;
}

interface Held extends OrderedTrain {
  readonly train: Train;
}

const MINUTE_MS = 60_000;
/** Boards show a train no longer than this after its time. */
const STANDS_MINUTES = 99;

/** A signaller over a timetable, and the timetable as it is under the orders. */
export function createTrainOrders(
  drawn: Timetable,
  { seed, clock }: { readonly seed: number; readonly clock: Clock },
) {
  const held = new Map<string, Held>();

  /** The train as it runs; `undefined` for a hidden one. */
  function asOrdered(train: Train): Train | undefined {
    const known = held.get(keyOf(train.uid, train.serviceDate));
    return known ? (known.order.hidden ? undefined : known.train) : train;
  }

  const orders = {
    /** Adds to what the train was told before. Throws where no such train runs, or does not call where it is told to. */
    order(uid: string, serviceDate: string, order: TrainOrder) {
      const train = drawn.trainOf(uid, serviceDate);
      if (!train) {
        throw new Error(`No train ${uid} starts on ${serviceDate}`);
      }
      const before = held.get(keyOf(uid, serviceDate));
      const platforms = { ...before?.order.platforms, ...order.platforms };
      const crs = Object.keys(platforms).find(
        (each) => !train.calls.some((call) => call.station.crs === each),
      );
      if (crs !== undefined) {
        throw new Error(`The train ${uid} does not call at ${crs}`);
      }
      const all = { ...before?.order, ...order, platforms };
      const changed = trainUnder(train, all);
      decideFate(changed, seed, fateUnder(fateOf(before?.train ?? train, seed), order, train, clock.now()));
      held.set(keyOf(uid, serviceDate), { uid, serviceDate, order: all, train: changed });
    },
    /** Takes back all that it was told: it runs as it would have. */
    undo(uid: string, serviceDate: string) {
      held.delete(keyOf(uid, serviceDate));
    },
    /** Every train that was told something, in the order of the first word to it. */
    list: (): readonly OrderedTrain[] =>
      [...held.values()].map(({ uid, serviceDate, order }) => ({ uid, serviceDate, order })),
  };

  const timetable: Timetable = {
    trainsAt: (crs, fromMs, toMs, alsoAt) =>
      drawn.trainsAt(crs, fromMs, toMs, alsoAt).flatMap(({ train, at }) => {
        const changed = asOrdered(train);
        return changed ? [{ train: changed, at }] : [];
      }),
    trainOf(uid, serviceDate) {
      const train = drawn.trainOf(uid, serviceDate);
      return train && asOrdered(train);
    },
  };
  return { orders, timetable };
}

function keyOf(uid: string, serviceDate: string): string {
  return `${uid}:${serviceDate}`;
}

function trainUnder(train: Train, { platforms = {}, bus = false }: TrainOrder): Train {
  const calls = train.calls.map((call) => {
    const { crs } = call.station;
    return { ...call, platform: bus ? null : crs in platforms ? (platforms[crs] ?? null) : call.platform };
  });
  return { ...train, calls, ...(bus && { mode: "bus", category: "BR" }) };
}

/** What becomes of a train that is told something at `nowMs`: what has happened stays. */
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
  const minutes = delayMinutes === "unknown" ? STANDS_MINUTES : (delayMinutes ?? (bus ? 0 : undefined));
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

/** A train that has come keeps the time of it. */
function latenessFrom(first: number, minutes: number, { lateness }: Fate, { calls }: Train, nowMs: number) {
  return lateness.map((known, at) => {
    const arrivedMs = (calls[at]?.arriveMs ?? Infinity) + known.arrive * MINUTE_MS;
    return at < first ? known : { arrive: arrivedMs <= nowMs ? known.arrive : minutes, depart: minutes };
  });
}
