// What became of a board's slots, so that people can be told why it did not come: the last of them in runs of the same,
// and how many of each there were on each day of a week. It stays small however often a board comes.
import { z } from "zod";
import type { Schedule } from "../time/schedule.ts";
import { countSlots } from "../time/slots.ts";

const FATES = [
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

export type SlotFate = (typeof FATES)[number];

/** Runs, the oldest first; more would not fit beside the rest of a card. */
const MOST_RUNS = 10;
const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** What a date can be, in milliseconds. */
const moment = z.int().min(0).max(8.64e15);

const historySchema = z.object({
  runs: z
    .array(z.tuple([z.enum(FATES), moment, moment, z.int()]))
    .transform((runs) => runs.slice(-MOST_RUNS)),
  days: z.array(z.tuple([z.int(), z.enum(FATES), z.int()])),
});

/** `runs`: fate, first slot, last slot, how many. `days`: days since the epoch in UTC, fate, how many. */
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
export function noteFate(
  json: string | undefined,
  fate: SlotFate,
  fromMs: number,
  toMs: number = fromMs,
): string {
  return write(readHistory(json), [fate, fromMs, toMs, 1], [[dayOf(toMs), fate, 1]]);
}

/** Adds the slots from one to another, that one not included, on which nobody worked. */
export function noteAway(
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

/** How many slots of each fate there were in the last seven days. */
export function weekOf(json: string | undefined, nowMs: number): ReadonlyMap<SlotFate, number> {
  const counts = new Map<SlotFate, number>();
  for (const [day, fate, count] of readHistory(json).days) {
    if (isInWeek(day, dayOf(nowMs))) {
      counts.set(fate, (counts.get(fate) ?? 0) + count);
    }
  }
  return counts;
}

function write(
  { runs, days }: SlotHistory,
  [fate, fromMs, toMs, count]: SlotHistory["runs"][number],
  added: readonly (readonly [number, SlotFate, number])[],
): string {
  const last = runs.at(-1);
  const today = dayOf(toMs);
  const kept = new Map<string, readonly [number, SlotFate, number]>();
  for (const [day, what, slots] of [...days, ...added]) {
    if (isInWeek(day, today)) {
      const key = `${day} ${what}`;
      kept.set(key, [day, what, (kept.get(key)?.[2] ?? 0) + slots]);
    }
  }
  const all =
    last?.[0] === fate
      ? [...runs.slice(0, -1), [fate, last[1], toMs, last[3] + count]]
      : [...runs, [fate, fromMs, toMs, count]];
  return JSON.stringify({ runs: all.slice(-MOST_RUNS), days: [...kept.values()] });
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** What a wrong clock wrote for a later day goes as well. */
function isInWeek(day: number, today: number): boolean {
  return day > today - DAYS && day <= today;
}
