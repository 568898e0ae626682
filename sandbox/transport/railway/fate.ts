// What becomes of a train on its day: drawn once from seed, train and date, before anybody looks.
import { createDice, type Dice } from "./chance.ts";
import type { Train } from "./train.ts";

/** Words that a board may carry in place of punctuality. */
type Oddity = "OFF ROUTE" | "CHANGE OF IDENTITY" | "REINSTATEMENT";

/** When a train stands still and nobody knows for how long. */
interface Hold {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Fate {
  /** What really happens at each call, as minutes after the aimed time; a departure is never early. */
  readonly lateness: readonly { readonly arrive: number; readonly depart: number }[];
  /** Calls that are not made, from the first of the pair up to and without the second; `undefined` when all are. */
  readonly cancelled: { readonly from: number; readonly to: number } | undefined;
  /** When the cancellation became known. */
  readonly cancelledKnownMs: number;
  /** Nobody reports this train: the timetable is all there is. */
  readonly isSilent: boolean;
  readonly hold: Hold | undefined;
  /** What everybody has been told of its lateness from here on, in minutes; `undefined` where they go by what they see. */
  readonly announcedMinutes: number | undefined;
  readonly oddity: Oddity | undefined;
  /** Below 1: now and then the word contradicts the times, as at the real service. */
  readonly statusRoll: number;
}

const MINUTE_MS = 60_000;
/** A delay from here on begins with a time when nobody knows how long it will be. */
const HELD_FROM_MINUTES = 15;

const fates = new WeakMap<Train, Map<number, Fate>>();

/** The fate of a train under a seed; remembered as long as the train is. */
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

/** Decides what becomes of a train under a seed, whatever was drawn for it. */
export function decideFate(train: Train, seed: number, fate: Fate): void {
  fates.set(train, (fates.get(train) ?? new Map<number, Fate>()).set(seed, fate));
}

function drawFate(train: Train, dice: Dice): Fate {
  const kindOfDay = dice();
  const cancelled = drawCancellation(train, dice);
  const warningMinutes = 10 + Math.floor(dice() * 110);
  const startMs = train.calls[0]?.departMs ?? 0;
  const oddityAt = dice();
  const statusRoll = dice();
  const isSilent = train.mode === "bus" || kindOfDay < 0.015;
  const trouble = isSilent ? undefined : drawTrouble(train, kindOfDay, dice);
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
      oddityAt < 0.002
        ? "OFF ROUTE"
        : oddityAt < 0.005
          ? "CHANGE OF IDENTITY"
          : oddityAt < 0.007
            ? "REINSTATEMENT"
            : undefined,
    statusRoll,
  };
}

/** One train in forty is cancelled as a whole; a few start later on the way, or end earlier. */
function drawCancellation(train: Train, dice: Dice): Fate["cancelled"] {
  const luck = dice();
  const calls = train.calls.length;
  const middle = 1 + Math.floor(dice() * Math.max(1, calls - 2));
  if (luck < 0.025) {
    return { from: 0, to: calls };
  }
  if (luck < 0.031 && calls >= 5) {
    return { from: 0, to: middle };
  }
  return luck < 0.037 && calls >= 5 ? { from: middle, to: calls } : undefined;
}

interface Trouble {
  /** Before which call it happens; 0 holds the train at its start. */
  readonly at: number;
  readonly minutes: number;
}

/** Four trains in a hundred meet something: a signal, a level crossing, a crew that is late itself. */
function drawTrouble(train: Train, luck: number, dice: Dice): Trouble | undefined {
  const at = Math.floor(dice() * train.calls.length);
  const minutes = 8 + Math.floor(dice() ** 2 * 55);
  return luck < 0.055 ? { at, minutes } : undefined;
}

/** Minutes are lost between stops and made up again on the way and where the train stands long. */
function drawLateness(train: Train, trouble: Trouble | undefined, dice: Dice): Fate["lateness"] {
  const isLong = train.kind === "express" || train.kind === "sleeper";
  let late = dice() < 0.1 ? 1 + Math.floor(dice() ** 2 * 8) : 0;
  return train.calls.map((call, at) => {
    late += trouble?.at === at ? trouble.minutes : 0;
    if (at > 0) {
      const luck = dice();
      late += luck < (isLong ? 0.14 : 0.06) ? 1 + Math.floor(dice() ** 3 * 6) : 0;
      late -= luck > 0.7 && late > 0 ? 1 : 0;
      late -= luck > 0.93 && late > 4 ? 2 : 0;
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
