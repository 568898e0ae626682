// What happens to a train on its day: delays, cancellations and so on, drawn once from the seed, the train and the date.
import { createDice, type Dice } from "./chance.ts";
import type { Train } from "./train.ts";

/** Statuses that a board may show instead of whether the train is on time. */
type Oddity = "OFF ROUTE" | "CHANGE OF IDENTITY" | "REINSTATEMENT";

/** The time during which a train stands still and nobody knows for how long. */
interface Hold {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Fate {
  /** The real delay at each call, in minutes. Arrivals may be early (negative), departures never. */
  readonly lateness: readonly { readonly arrive: number; readonly depart: number }[];
  /** The indices of cancelled calls, from `from` until before `to`; `undefined` if all calls are made. */
  readonly cancelled: { readonly from: number; readonly to: number } | undefined;
  readonly cancelledKnownMs: number;
  /** Whether nobody reports the train, so that only its timetable is known. */
  readonly isSilent: boolean;
  readonly hold: Hold | undefined;
  /** The announced delay at all later calls, in minutes; `undefined` if expected times follow from where the train is. */
  readonly announcedMinutes: number | undefined;
  readonly oddity: Oddity | undefined;
  /** From 0 to below 1. Low numbers give a status that contradicts the times, as the real service sometimes does. */
  readonly statusRoll: number;
}

const MINUTE_MS = 60_000;
/** At the beginning of a delay of at least this length, nobody knows how long it will be. */
const HELD_FROM_MINUTES = 15;

const fates = new WeakMap<Train, Map<number, Fate>>();

/** Cached for as long as the train object exists. */
export function fateOf(train: Train, seed: number): Fate {
  const bySeed = fates.get(train) ?? new Map<number, Fate>();
  fates.set(train, bySeed);
  const known = bySeed.get(seed);
  if (known) {
    return known;
  }
  const fate = drawFate(train, createDice(seed, train.uid, train.serviceDate, "fate"));
  bySeed.set(seed, fate);
  return fate;
}

export function decideFate(train: Train, seed: number, fate: Fate): void {
  fates.set(train, (fates.get(train) ?? new Map<number, Fate>()).set(seed, fate));
}

function drawFate(train: Train, dice: Dice): Fate {
  const troubleRoll = dice();
  const cancelled = drawCancellation(train, dice);
  const warningMinutes = 10 + Math.floor(dice() * 110);
  const startMs = train.calls[0]?.departMs ?? 0;
  const oddityRoll = dice();
  const statusRoll = dice();
  const isSilent = train.mode === "bus" || troubleRoll < 0.015;
  const trouble = isSilent ? undefined : drawTrouble(train, troubleRoll, dice);
  return {
    lateness: isSilent
      ? train.calls.map(() => ({ arrive: 0, depart: 0 }))
      : drawLateness(train, trouble, dice),
    cancelled: train.mode === "bus" ? undefined : cancelled,
    cancelledKnownMs: startMs - warningMinutes * MINUTE_MS,
    isSilent,
    hold: trouble && trouble.minutes >= HELD_FROM_MINUTES ? holdOf(train, trouble) : undefined,
    announcedMinutes: undefined,
    oddity:
      oddityRoll < 0.002
        ? "OFF ROUTE"
        : oddityRoll < 0.005
          ? "CHANGE OF IDENTITY"
          : oddityRoll < 0.007
            ? "REINSTATEMENT"
            : undefined,
    statusRoll,
  };
}

/** One train in forty is wholly cancelled. A few start later on their way, or end early. */
function drawCancellation(train: Train, dice: Dice): Fate["cancelled"] {
  const roll = dice();
  const calls = train.calls.length;
  const middle = 1 + Math.floor(dice() * Math.max(1, calls - 2));
  if (roll < 0.025) {
    return { from: 0, to: calls };
  }
  if (roll < 0.031 && calls >= 5) {
    return { from: 0, to: middle };
  }
  return roll < 0.037 && calls >= 5 ? { from: middle, to: calls } : undefined;
}

interface Trouble {
  /** The call before which it happens; 0 delays the train's start. */
  readonly at: number;
  readonly minutes: number;
}

/** Four trains in a hundred have trouble, e.g. with a signal, a level crossing or a late crew. */
function drawTrouble(train: Train, roll: number, dice: Dice): Trouble | undefined {
  const at = Math.floor(dice() * train.calls.length);
  const minutes = 8 + Math.floor(dice() ** 2 * 55);
  return roll < 0.055 ? { at, minutes } : undefined;
}

/** Trains lose minutes between stops, and recover some on the way and during long stops. */
function drawLateness(train: Train, trouble: Trouble | undefined, dice: Dice): Fate["lateness"] {
  const isLong = train.kind === "express" || train.kind === "sleeper";
  let late = dice() < 0.1 ? 1 + Math.floor(dice() ** 2 * 8) : 0;
  return train.calls.map((call, at) => {
    late += trouble?.at === at ? trouble.minutes : 0;
    if (at > 0) {
      const roll = dice();
      late += roll < (isLong ? 0.14 : 0.06) ? 1 + Math.floor(dice() ** 3 * 6) : 0;
      late -= roll > 0.7 && late > 0 ? 1 : 0;
      late -= roll > 0.93 && late > 4 ? 2 : 0;
    }
    const isEarly = at > 0 && late === 0 && dice() < 0.12;
    const standsMinutes =
      call.arriveMs === undefined || call.departMs === undefined
        ? 0
        : (call.departMs - call.arriveMs) / MINUTE_MS;
    const arrive = isEarly ? -1 : late;
    late = Math.max(0, late - Math.max(0, Math.floor(standsMinutes) - 1));
    return { arrive, depart: late };
  });
}

function holdOf(train: Train, { at, minutes }: Trouble): Hold | undefined {
  const before = train.calls[Math.max(0, at - 1)];
  const fromMs = before?.departMs;
  return fromMs === undefined
    ? undefined
    : { fromMs: fromMs + 2 * MINUTE_MS, untilMs: fromMs + Math.round(minutes * 0.6) * MINUTE_MS };
}
