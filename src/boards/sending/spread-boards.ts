// Where more boards come at once than Discord takes in time: those that keep one message and come at even distances are
// spread over their interval, and of what is due, the most urgent goes first.
import type { Clock } from "../../core/clock.ts";
import type { BoardRecord } from "../boards-table.ts";
import { askKey, asksOf } from "../planning/board-data.ts";
import { MINUTE_MS } from "../../time/wall-clock.ts";
import type { DueBoard } from "./slot-claims.ts";

/** So many go at once: two minutes of Discord's limit, less what others send meanwhile. */
const MOST_AT_ONCE = 5_000;
/** So many of one question come together, so that one answer serves them: ten seconds' worth. */
const OF_ONE_QUESTION = 500;
/** A board of every six hours is not put off for hours. */
const LONGEST_SPREAD_MINUTES = 60;
/** People of the server have used the bot within this time. */
const USED_MS = 24 * 60 * MINUTE_MS;
/** Places are worked out again after this time, or when this part of the boards is new: 10,000 boards take 0.1 s. */
const PLANNED_FOR_MS = 10 * MINUTE_MS;
const NEW_PART = 0.01;

/** What a due board's row says of when its turn is. */
export type DueTime = Pick<BoardRecord, "id" | "messageId" | "nextSlotMs" | "claimedSlotMs">;

export type Spread = ReturnType<typeof createSpread>;

/** `lastUses`: when the people of each server last used the bot. `mostAtOnce`: default 5,000. */
export function createSpread({
  lastUses,
  clock,
  mostAtOnce = MOST_AT_ONCE,
}: {
  readonly lastUses: () => Promise<ReadonlyMap<string, number>>;
  readonly clock: Clock;
  readonly mostAtOnce?: number | undefined;
}) {
  /** Of those that are spread: by how much each comes later than its schedule says, and whether somebody uses it. */
  let places: ReadonlyMap<string, { readonly phaseMs: number; readonly isUsed: boolean }> = new Map();

  let planned = { count: 0, atMs: -Infinity };

  /** Not the first message of a board, which somebody waits for. */
  const phaseMs = ({ id, messageId }: Pick<DueTime, "id" | "messageId">): number =>
    messageId === undefined ? 0 : (places.get(id)?.phaseMs ?? 0);

  /** When its turn comes. What was promised before boards were spread lies on a whole minute, as all schedules do. */
  function promisedMs(due: DueTime): number {
    const { nextSlotMs = -Infinity } = due;
    return nextSlotMs % MINUTE_MS === 0 ? nextSlotMs + phaseMs(due) : nextSlotMs;
  }

  const slotMs = (due: DueTime): number => due.claimedSlotMs ?? promisedMs(due);

  /** Smaller goes first: what must keep its minute or was begun, what people use, all else. */
  function rank({ id, messageId, claimedSlotMs }: DueTime): number {
    const place = places.get(id);
    return place === undefined || messageId === undefined || claimedSlotMs !== undefined
      ? 0
      : place.isUsed
        ? 1
        : 2;
  }

  return {
    phaseMs,
    promisedMs,
    /** Whether its turn has come. */
    isTurn: (due: DueTime): boolean => due.claimedSlotMs !== undefined || promisedMs(due) <= clock.now(),
    /** The most urgent first. */
    inOrder: <T extends DueTime>(due: readonly T[]): readonly T[] =>
      due.toSorted((a, b) => rank(a) - rank(b) || slotMs(a) - slotMs(b)),

    /** Takes all boards that run. Throws as the database does. */
    async plan(active: readonly DueBoard[]): Promise<void> {
      const isRecent = clock.elapsed() < planned.atMs + PLANNED_FOR_MS;
      if (isRecent && Math.abs(active.length - planned.count) <= NEW_PART * planned.count) {
        return;
      }
      const isCrowded = countTogether(active) > mostAtOnce;
      const uses = isCrowded ? await lastUses() : new Map<string, number>();
      planned = { count: active.length, atMs: clock.elapsed() };
      const usedSinceMs = clock.now() - USED_MS;
      places = new Map(
        (isCrowded ? phasesOf(active) : []).map(([{ record }, ms]) => [
          record.id,
          { phaseMs: ms, isUsed: (uses.get(record.guildId) ?? -Infinity) >= usedSinceMs },
        ]),
      );
    },
  };
}

/** How many come at the fullest minute: all that come at even distances, and the most that share a time of the day. */
function countTogether(active: readonly DueBoard[]): number {
  const at = new Map<string, number>();
  let even = 0;
  for (const { timing } of active.map(({ settings }) => settings.schedule)) {
    if ("every" in timing) {
      even += 1;
    } else {
      timing.at.forEach((time) => at.set(time, (at.get(time) ?? 0) + 1));
    }
  }
  return even + Math.max(0, ...at.values());
}

/** Spreads boards that keep one message evenly over their interval; those of one question stay together. */
function phasesOf(active: readonly DueBoard[]): readonly (readonly [DueBoard, number])[] {
  const byInterval = Map.groupBy(active, ({ settings: { mode, schedule } }) =>
    mode === "edit" && "every" in schedule.timing ? schedule.timing.every : undefined,
  );
  return [...byInterval].flatMap(([every, boards]) => {
    if (every === undefined) {
      return [];
    }
    const spanMs = Math.min(every, LONGEST_SPREAD_MINUTES) * MINUTE_MS;
    const byQuestion = Map.groupBy(
      boards.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1)),
      ({ settings }) => asksOf(settings).map(askKey).join(),
    );
    const inOrder = [...byQuestion].toSorted(([a], [b]) => (a < b ? -1 : 1));
    let placed = 0;
    return inOrder.flatMap(([, ofQuestion]) => {
      const startMs = (index: number): number => ((placed + index) / boards.length) * spanMs;
      const spread = ofQuestion.map((board, index) => {
        const ms = Math.floor(startMs(index - (index % OF_ONE_QUESTION)));
        // Never a whole minute, which tells those that are spread.
        return [board, ms % MINUTE_MS === 0 ? ms + 1 : ms] as const;
      });
      placed += ofQuestion.length;
      return spread;
    });
  });
}
