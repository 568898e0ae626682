// The history explains why a board was not updated, and stays small however often it is due.
import { z } from "zod";
import type { Schedule } from "../time/schedule.ts";
import { countSlots } from "../time/slots.ts";
import { DAY_MS } from "../time/wall-clock.ts";

const SLOT_OUTCOMES = [
  /** The channel shows current train times. */
  "shown",
  /** It shows older train times, because the plan had no call left. */
  "spent",
  /** It shows older train times, because the service failed or was slow. */
  "failed",
  /** Missed, because the bot was not running. */
  "away",
  /** Missed, because Discord was unavailable or refused the message. */
  "discord",
  /** Missed, because a new message waited too long for train times. */
  "late",
  /** Not one slot but a time without slots: a person paused the board, or the bot did, for one of the last three reasons. */
  "paused",
  "channel-gone",
  "not-allowed",
  "station-closed",
] as const;

export type SlotOutcome = (typeof SLOT_OUTCOMES)[number];

/** How many runs are stored; more would not fit on a card. */
const MAX_RUNS = 10;
const DAYS = 7;

/** Milliseconds since the epoch, within the range of a JavaScript `Date`. */
const moment = z.int().min(0).max(8.64e15);

const historySchema = z.object({
  runs: z
    .array(z.tuple([z.enum(SLOT_OUTCOMES), moment, moment, z.int()]))
    .transform((runs) => runs.slice(-MAX_RUNS)),
  days: z.array(z.tuple([z.int(), z.enum(SLOT_OUTCOMES), z.int()])),
});

/** `runs`: outcome, first slot, last slot, count; oldest first. `days`: days since the epoch in UTC, outcome, count. */
type SlotHistory = z.infer<typeof historySchema>;

/** Parses a board's history; returns an empty one if it is absent or invalid. */
export function readHistory(json: string | undefined): SlotHistory {
  try {
    return historySchema.parse(JSON.parse(json ?? ""));
  } catch {
    return { runs: [], days: [] };
  }
}

export function addOutcome(
  json: string | undefined,
  outcome: SlotOutcome,
  fromMs: number,
  toMs: number = fromMs,
): string {
  return write(readHistory(json), [outcome, fromMs, toMs, 1], [[dayOf(toMs), outcome, 1]]);
}

/** Adds `count` slots that nobody worked on, from `fromMs` to before `toMs`; `lastMs` is the last of them. Returns the new JSON. */
export function addOfflineSlots(
  json: string | undefined,
  schedule: Schedule,
  {
    fromMs,
    toMs,
    lastMs,
    count,
  }: { readonly fromMs: number; readonly toMs: number; readonly lastMs: number; readonly count: number },
): string {
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(toMs) - index).flatMap((day) => {
    const startMs = Math.max(fromMs, day * DAY_MS);
    const endMs = Math.min(toMs, (day + 1) * DAY_MS);
    return endMs > startMs ? [[day, "away", countSlots(schedule, startMs - 1, endMs - 1)] as const] : [];
  });
  return write(readHistory(json), ["away", fromMs, lastMs, count], days);
}

export function countWeek(json: string | undefined, nowMs: number): ReadonlyMap<SlotOutcome, number> {
  const counts = new Map<SlotOutcome, number>();
  for (const [day, outcome, count] of readHistory(json).days) {
    if (isInWeek(day, dayOf(nowMs))) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + count);
    }
  }
  return counts;
}

function write(
  { runs, days }: SlotHistory,
  [outcome, fromMs, toMs, count]: SlotHistory["runs"][number],
  added: readonly (readonly [number, SlotOutcome, number])[],
): string {
  const last = runs.at(-1);
  const today = dayOf(toMs);
  const kept = new Map<string, readonly [number, SlotOutcome, number]>();
  for (const [day, what, slots] of [...days, ...added]) {
    if (isInWeek(day, today)) {
      const key = `${day} ${what}`;
      kept.set(key, [day, what, (kept.get(key)?.[2] ?? 0) + slots]);
    }
  }
  const all =
    last?.[0] === outcome
      ? [...runs.slice(0, -1), [outcome, last[1], toMs, last[3] + count]]
      : [...runs, [outcome, fromMs, toMs, count]];
  return JSON.stringify({ runs: all.slice(-MAX_RUNS), days: [...kept.values()] });
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Whether a day is one of the last seven. Later days, which a wrong clock wrote, are not. */
function isInWeek(day: number, today: number): boolean {
  return day > today - DAYS && day <= today;
}
