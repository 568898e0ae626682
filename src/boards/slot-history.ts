// What became of a board's slots, so that people can be told why it did not come: the last of them in runs of the same,
// and how many of each there were on each day of a week. It stays small however often a board comes.
import { z } from "zod";
import type { Schedule } from "../time/schedule.ts";
import { countSlots } from "../time/slots.ts";

const SLOT_OUTCOMES = [
  /** The channel shows what it should. */
  "shown",
  /** It shows older train times, since the plan had no call left. */
  "spent",
  /** The same, since the service failed or was slow. */
  "failed",
  /** Nobody worked on it in time: the bot was not running. */
  "away",
  /** Discord was away, or refused the message. */
  "discord",
  /** A new message waited for train times until it was too late. */
  "late",
  /** Not a slot but a time without any: by a person, or for one of the reasons of the bot. */
  "paused",
  "channel-gone",
  "not-allowed",
  "station-closed",
] as const;

export type SlotOutcome = (typeof SLOT_OUTCOMES)[number];

/** Runs, the oldest first; more would not fit beside the rest of a card. */
const MOST_RUNS = 10;
const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** What a date can be, in milliseconds. */
const moment = z.int().min(0).max(8.64e15);

const historySchema = z.object({
  runs: z
    .array(z.tuple([z.enum(SLOT_OUTCOMES), moment, moment, z.int()]))
    .transform((runs) => runs.slice(-MOST_RUNS)),
  days: z.array(z.tuple([z.int(), z.enum(SLOT_OUTCOMES), z.int()])),
});

/** `runs`: outcome, first slot, last slot, how many. `days`: days since the epoch in UTC, outcome, how many. */
type SlotHistory = z.infer<typeof historySchema>;

/** Reads what a row says; nothing for what cannot be read. */
export function readHistory(json: string | undefined): SlotHistory {
  if (json === undefined) {
    return { runs: [], days: [] };
  }
  try {
    return historySchema.parse(JSON.parse(json));
  } catch {
    return { runs: [], days: [] };
  }
}

/** Adds a slot, or a time without any. */
export function addOutcome(
  json: string | undefined,
  outcome: SlotOutcome,
  fromMs: number,
  toMs: number = fromMs,
): string {
  return write(readHistory(json), [outcome, fromMs, toMs, 1], [[dayOf(toMs), outcome, 1]]);
}

/** Adds the slots from one to another, that one not included, on which nobody worked. */
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

/** How many slots of each outcome there were in the last seven days. */
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
  return JSON.stringify({ runs: all.slice(-MOST_RUNS), days: [...kept.values()] });
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** What a wrong clock wrote for a later day goes as well. */
function isInWeek(day: number, today: number): boolean {
  return day > today - DAYS && day <= today;
}
